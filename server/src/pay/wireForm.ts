/** Orders and bills as their buyer sees them. */

import type { UserId } from '@guildhall/wire/id.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import type { BillItem, Order } from '@guildhall/wire/order/order.ts'
import { platform } from '@guildhall/wire/payWay.ts'
import { wordIn } from '@guildhall/wire/product/translation.ts'
import type { Db } from '../kit/database/db.ts'
import { giftTo, type LineRow, linesOf, type OrderRow } from '../order/order.ts'
import { findProduct } from '../product/product.ts'
import { subjectOf } from './attempt.ts'
import * as rows from './sql.ts'

/** The buyer's own view of an order, in a language. */
export async function orderOf(db: Db, order: OrderRow, locale: Locale): Promise<Order> {
  const [lines, payments, refunds] = await Promise.all([
    linesOf(db, [order.id]),
    rows.ofOrder(db, order.id),
    rows.refundsOf(db, [order.id]),
  ])
  const [first] = lines
  const product = first && (await findProduct(db, first.product_id))
  const main = payments.find((it) => it.is_main)
  return {
    order_id: order.id,
    code: order.code,
    state: order.state,
    pay_fee: order.pay_fee,
    refund_fee: order.refund_fee,
    pay_platform: main ? platform[main.way] : 0,
    lines: lines.map((line) => ({
      product_id: line.product_id,
      name: wordIn(line, 'name', locale),
      count: line.count,
      price: line.price,
      fee: line.price * line.count,
    })),
    refunds: refunds.map(({ fee, state, cause, reason, created_at, done_at }) => ({
      fee,
      state,
      cause,
      reason,
      at: done_at ?? created_at,
    })),
    guild_id: order.guild_id ?? '',
    user_id: order.receiver_id ?? '',
    created_at: order.created_at,
    expires_at: order.expires_at,
    paid_at: main?.paid_at ?? 0,
    period_buy: product?.period_buy ?? false,
  }
}

/** A page of what a person paid for. */
export async function billOf(
  db: Db,
  userId: UserId,
  input: { readonly page: number; readonly pageSize: number; readonly locale: Locale },
): Promise<{ readonly items: BillItem[]; readonly total: number }> {
  const [found, total] = await Promise.all([
    rows.bill(db, userId, { limit: input.pageSize, offset: (input.page - 1) * input.pageSize }),
    rows.countBill(db, userId),
  ])
  const lines = Map.groupBy(
    await linesOf(
      db,
      found.map(({ id }) => id),
    ),
    (line) => line.order_id,
  )
  const items = found.map((row): BillItem => {
    const text = wordsOf(lines.get(row.id) ?? [], input.locale)
    return {
      order_id: row.id,
      state: row.state,
      pay_fee: row.pay_fee,
      refund_fee: row.refund_fee,
      pay_platform: platform[row.way],
      order_datetime: row.paid_at,
      usage_info: row.receiver === null ? (row.guild ?? '') : giftTo(row.receiver, input.locale),
      buy_info: text,
      item_entities_desc: text,
    }
  })
  return { items, total }
}

const wordsOf = (lines: readonly LineRow[], locale: Locale): string =>
  subjectOf(lines.map((line) => ({ name: wordIn(line, 'name', locale), count: line.count })))
