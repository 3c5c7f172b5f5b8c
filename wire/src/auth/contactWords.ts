/** What the pages and refusals call that by which one is verified: a number, an address, or either. */
import type { Locale } from '../locale.ts'
import type { Way } from './ways.ts'

interface ContactWords {
  /** What is proven, as `手机` in `手机验证`. */
  readonly proof: string
  /** As a field is called. */
  readonly contact: string
  /** To give the account one. */
  readonly add: string
}

const words = {
  'zh-CN': {
    sms: { proof: '手机', contact: '手机号', add: '绑定手机号' },
    email: { proof: '邮箱', contact: '邮箱', add: '绑定邮箱' },
    both: { proof: '手机或邮箱', contact: '手机号或邮箱', add: '绑定手机号或邮箱' },
    invite: { proof: '账号', contact: '账号', add: '设置密码' },
  },
  en: {
    sms: { proof: 'mobile number', contact: 'mobile number', add: 'bind a mobile number' },
    email: { proof: 'email address', contact: 'email address', add: 'bind an email address' },
    both: {
      proof: 'mobile number or email address',
      contact: 'mobile number or email address',
      add: 'bind a mobile number or an email address',
    },
    invite: { proof: 'account', contact: 'account', add: 'set a password' },
  },
} as const satisfies Readonly<Record<Locale, Readonly<Record<string, ContactWords>>>>

/** The words for the ways that are on; an invite proves nothing, and has none beside others. */
export function contactWords(ways: readonly Way[], locale: Locale): ContactWords {
  const [only = 'invite', other] = ways.filter((way) => way !== 'invite')
  return words[locale][other ? 'both' : only]
}
