/** What an order came to, in the words of a payment page. Pure. */
import type { Locale } from '@guildhall/wire/locale.ts'
import type { Order } from '@guildhall/wire/order/order.ts'
import { text as payText } from '../text.ts'
import { text } from './text.ts'

export interface Outcome {
  readonly kind: 'good' | 'wait' | 'bad'
  readonly title: string
  readonly message: string
}

/** What is said of an order; of one that is not paid, that its payment is waited for. */
export function outcomeOf(order: Pick<Order, 'state' | 'refunds' | 'user_id'>, locale: Locale): Outcome {
  const t = { ...payText[locale], ...text[locale] }
  const isGift = order.user_id !== ''
  const cause = order.refunds[order.refunds.length - 1]?.cause
  const whyBack = cause ? t.refundedWhy(cause) : ''
  switch (order.state) {
    case 'placed':
    case 'paying':
      return { kind: 'wait', title: t.waiting, message: t.waitingWhy }
    case 'paid':
      return { kind: 'good', title: t.success, message: isGift ? t.giving : t.granting }
    case 'granted':
      return { kind: 'good', title: t.success, message: whyBack || (isGift ? t.given : t.successWhy) }
    case 'closed':
      return { kind: 'bad', title: t.closed, message: t.closedWhy }
    case 'refunding':
      return { kind: 'wait', title: t.refunding, message: whyBack }
    case 'refunded':
      return { kind: 'wait', title: t.refunded, message: whyBack }
    case 'stuck':
      return { kind: 'wait', title: t.stuck, message: t.stuckWhy }
  }
}
