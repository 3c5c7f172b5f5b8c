import { counted, texts } from '@guildhall/wire/locale.ts'

/** What waits for its payment, on pages of the shop. */
export const unpaidText = texts({
  'zh-CN': { unpaid: (n: number) => `${n} 笔订单待支付` },
  en: { unpaid: (n: number) => `${counted(n, 'order')} to pay` },
})
