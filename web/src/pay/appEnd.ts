/** How a payment in the apps of WeChat and Alipay ended, in words. commerce.md §8. */
import { currentText } from '../kit/i18n.ts'
import { payInAlipay, payInWeixin } from '../native/payBridge.ts'
import { text } from './text.ts'

/**
 * `paid`: the app says that it was paid; the order says so when the server knows. `unsure`: it may have been
 * paid, so it must not be paid again without a look. `not`: it was not.
 */
export interface PayEnd {
  readonly kind: 'paid' | 'unsure' | 'not'
  readonly words: string
  /** What to do now; empty: the words are enough. */
  readonly why: string
}

/** Pays in WeChat. Never rejects. */
export async function weixinEnd(params: Readonly<Record<string, unknown>>): Promise<PayEnd> {
  const t = currentText(text)
  const paid = await payInWeixin(params)
  if (paid.end === 'ok') return { kind: 'paid', words: t.weixinDone, why: '' }
  const content = {
    cancel: t.weixinCancel,
    fail: t.weixinFail,
    absent: t.weixinMissing,
    other: paid.end === 'other' && paid.message ? t.weixinOther(paid.message) : t.weixinFail,
  }[paid.end]
  return { kind: 'not', words: content, why: '' }
}

/** Pays in Alipay. Never rejects. */
export async function alipayEnd(orderStr: string): Promise<PayEnd> {
  const t = currentText(text)
  const code = await payInAlipay(orderStr)
  if (code === null) return { kind: 'not', words: t.alipayMissing, why: t.alipayMissingWhy }
  const ends: Readonly<Record<string, PayEnd>> = {
    '9000': { kind: 'paid', words: t.alipay9000, why: '' },
    '8000': { kind: 'unsure', words: t.alipay8000, why: t.unsureWhy },
    '4000': { kind: 'not', words: t.alipay4000, why: t.notPaidWhy },
    '6001': { kind: 'not', words: t.alipay6001, why: t.notPaidWhy },
    '6002': { kind: 'unsure', words: t.alipay6002, why: t.unsureWhy },
    '99': { kind: 'not', words: t.alipay99, why: t.forgotWhy },
  }
  return ends[code] ?? { kind: 'unsure', words: t.alipayOther(code), why: t.unsureWhy }
}
