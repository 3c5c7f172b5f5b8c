import { platform } from '@guildhall/wire/order/order.ts'

export type Way = keyof typeof platform

/** The way that an order was paid by; null: it was not. commerce.md §9. */
export const wayOf = (payPlatform: number): Way | null =>
  payPlatform === platform.wechat ? 'wechat' : payPlatform === platform.alipay ? 'alipay' : null
