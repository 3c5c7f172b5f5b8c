import { foldCode } from '../typed.ts'

/** A mobile number: the dialing prefix without `+`, and the national digits. */
export interface Mobile {
  readonly prefix: string
  readonly mobile: string
}

export const CHINA = '86'

/**
 * The cookie that tells a page which dialing prefixes codes are sent to, joined by dots: `prefixes=86.852`.
 */
export const PREFIXES_COOKIE = 'prefixes'

/** Why a number is invalid, or null. For prefix 86: 11 digits starting with 1. chat.md §5. */
export function mobileProblem({
  prefix,
  mobile,
}: Mobile): 'auth.mobile_required' | 'auth.mobile_wrong' | null {
  if (mobile === '') return 'auth.mobile_required'
  if (prefix === CHINA) return /^1\d{10}$/.test(mobile) ? null : 'auth.mobile_wrong'
  return /^\d{4,14}$/.test(mobile) ? null : 'auth.mobile_wrong'
}

/** Without what people put between the digits. */
export const foldNumber = (typed: string): string => foldCode(typed).replace(/[().]/g, '')

const INTERNATIONAL = /^(?:\+|00)/

/**
 * A number as somebody typed or pasted it, in the form of `Mobile`: folded, and without its country where
 * that only repeats the prefix:
 * `+86 138 0000 0003`, `0086…`, and of China `8613800000003`. The number of another country keeps its `+`,
 * and is wrong here. No prefix: China.
 */
export function readMobile(raw: Mobile): Mobile {
  const prefix = foldCode(raw.prefix).replace(INTERNATIONAL, '') || CHINA
  const typed = foldNumber(raw.mobile)
  const [sign = ''] = INTERNATIONAL.exec(typed) ?? []
  const before = sign + prefix
  // Without a sign, other countries have numbers that begin like their prefix.
  const repeats = sign ? typed.startsWith(before) && typed !== before : /^861\d{10}$/.test(typed)
  return { prefix, mobile: repeats && (sign || prefix === CHINA) ? typed.slice(before.length) : typed }
}
