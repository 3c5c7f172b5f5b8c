/**
 * The ways of payment. A new one is an entry in each list of this file, an adapter in `server/src/outside`
 * and a sign in
 * `web/src/ui/icon/payIcons.tsx`; the type checker names what is missing.
 */
import { type Locale, texts } from './locale.ts'
import { z } from './schema.ts'

export const PAY_WAYS = ['wechat', 'alipay'] as const
export type PayWay = (typeof PAY_WAYS)[number]
export const payWay = z.enum(PAY_WAYS)
export const isPayWay = (name: string): name is PayWay => (PAY_WAYS as readonly string[]).includes(name)

/** Something of each way. */
export const perWay = <T>(of: (way: PayWay) => T): Readonly<Record<PayWay, T>> =>
  Object.fromEntries(PAY_WAYS.map((way) => [way, of(way)])) as Record<PayWay, T>

/** `platform` of orders and bills. commerce.md §9. */
export const platform = { wechat: 1, alipay: 2 } as const satisfies Readonly<Record<PayWay, number>>

/** The way of a `platform`; null: it is none, as of an order that was not paid. */
export const wayOf = (number: number): PayWay | null =>
  PAY_WAYS.find((way) => platform[way] === number) ?? null

/**
 * Where a buyer pays in a browser. `inside`: in the provider's own app; `phone`: in another browser of a
 * phone; `qr`: a code that a phone scans.
 */
export const BROWSER_SCENES = ['inside', 'phone', 'qr'] as const
/** `app`: in the operator's native app. */
export const PAY_SCENES = [...BROWSER_SCENES, 'app'] as const
export type BrowserScene = (typeof BROWSER_SCENES)[number]
export type PayScene = (typeof PAY_SCENES)[number]

/** What the ways are called. */
export const wayText = texts({
  'zh-CN': { wechat: '微信支付', alipay: '支付宝' },
  en: { wechat: 'WeChat Pay', alipay: 'Alipay' },
})

/** What the apps are called in which one pays. */
export const wayAppText = texts({
  'zh-CN': { wechat: '微信', alipay: '支付宝' },
  en: { wechat: 'WeChat', alipay: 'Alipay' },
})

/** What the apps are called, one after the other: `微信或支付宝`. */
export const everyApp = (locale: Locale, or: string): string =>
  PAY_WAYS.map((way) => wayAppText[locale][way]).join(or)
