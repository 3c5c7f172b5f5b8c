/** Orders as staff look for them, and what may be done with one. */

import { type Fen, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../../kit/clock.ts'
import type { Db } from '../../kit/database/db.ts'
import type { OrderRow } from '../../order/order.ts'
import { type Refundable, refundable } from '../orderRules.ts'
import type * as rows from '../sql.ts'
import * as found from './orderSearchSql.ts'

export type { FoundOrder, NeedsAttention, OrderSearch } from './orderSearchSql.ts'

/** By then the poller, who comes every minute, has tried several times. */
const UNGRANTED_FOR_MS = 3 * MINUTE_MS
/** Providers work on a refund for seconds, and with a bank for some minutes. */
const REFUND_FOR_MS = 15 * MINUTE_MS
/** After the time to pay, a provider is asked until the trade is closed there: ten minutes at most. */
const OVER_FOR_MS = 20 * MINUTE_MS

const lateNow = (): found.Late => {
  const now = clock.now()
  return {
    paidBefore: now - UNGRANTED_FOR_MS,
    refundBefore: now - REFUND_FOR_MS,
    overBefore: now - OVER_FOR_MS,
  }
}

/** The newest orders first, or those that somebody must look at. */
export const findOrders = (db: Db, input: found.OrderSearch): Promise<found.FoundOrder[]> =>
  found.findOrders(db, input, lateNow())

/** Why somebody must look at an order; null: nobody must. */
export const needsAttentionOf = (db: Db, orderId: string): Promise<found.NeedsAttention | null> =>
  found.needsAttentionOf(db, orderId, lateNow())

/** What can be given back of an order now. */
export interface Left {
  readonly fee: Fen
  /** Part of it can be given back alone. */
  readonly isDivisible: boolean
  /** Giving all of it back takes away what was granted. */
  readonly revokes: boolean
}

/** What can be given back of an order; null: nothing. */
export function leftOf(
  order: OrderRow,
  payments: readonly rows.PaymentRow[],
  refunds: readonly rows.RefundRow[],
): Left | null {
  const main = payments.find((it) => it.is_main)
  const money = moneyOf(order, main, refunds)
  const all: Refundable | null = main ? refundable(money, null) : null
  if (!all) return null
  return {
    fee: all.fee,
    isDivisible: all.fee > 1 && refundable(money, 1) !== null,
    revokes: all.revokes && order.is_granted,
  }
}

/** An order's money, as `refundable` decides about it. */
export const moneyOf = (
  order: OrderRow,
  main: rows.PaymentRow | undefined,
  refunds: readonly rows.RefundRow[],
) => ({
  state: order.state,
  fee: order.pay_fee,
  refunded: order.refund_fee,
  returning: refunds
    .filter((it) => it.payment_id === main?.id && it.state !== 'done')
    .reduce((sum, { fee }) => sum + fee, 0),
})
