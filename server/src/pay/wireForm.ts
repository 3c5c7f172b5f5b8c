/** Orders and bills as their buyer sees them. */

import type { UserId } from '@guildhall/wire/id.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { type BillItem, OPEN_ORDERS_MAX, type Order, type UnpaidItem } from '@guildhall/wire/order/order.ts'
import { platform } from '@guildhall/wire/payWay.ts'
import { wordIn } from '@guildhall/wire/product/translation.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import { giftTo, type LineRow, linesOf, type OrderRow } from '../order/order.ts'
import { findProduct } from '../product/product.ts'
import { subjectOf } from './attempt.ts'
import { bill, countBill, type Usage, unpaid, usageOf } from './billSql.ts'
import { ofOrder, refundsOf } from './sql.ts'

/** The buyer's own view of an order, in a language. */
export async function orderOf(db: Db, order: OrderRow, locale: Locale): Promise<Order> {
  const [lines, payments, refunds, usage] = await Promise.all([
    linesOf(db, [order.id]),
    ofOrder(db, order.id),
    refundsOf(db, [order.id]),
    usageOf(db, order.id),
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
      ...bringsOf(line.details),
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
    usage_info: usage ? usageText(usage, locale) : '',
    created_at: order.created_at,
    expires_at: order.expires_at,
    left_ms: leftOf(order.expires_at),
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
    bill(db, userId, { limit: input.pageSize, offset: (input.page - 1) * input.pageSize }),
    countBill(db, userId),
  ])
  const textOf = await wordsOf(db, found, input.locale)
  const items = found.map((row): BillItem => {
    const text = textOf(row.id)
    return {
      order_id: row.id,
      state: row.state,
      pay_fee: row.pay_fee,
      refund_fee: row.refund_fee,
      pay_platform: platform[row.way],
      order_datetime: row.paid_at,
      usage_info: usageText(row, input.locale),
      buy_info: text,
      item_entities_desc: text,
    }
  })
  return { items, total }
}

/** What a person can still pay, the newest first. */
export async function unpaidOf(db: Db, userId: UserId, locale: Locale): Promise<UnpaidItem[]> {
  const found = await unpaid(db, userId, { now: clock.now(), limit: OPEN_ORDERS_MAX })
  const textOf = await wordsOf(db, found, locale)
  return found.map((row) => ({
    order_id: row.id,
    buy_info: textOf(row.id),
    usage_info: usageText(row, locale),
    pay_fee: row.pay_fee,
    left_ms: leftOf(row.expires_at),
    period_buy: row.period_buy,
  }))
}

const leftOf = (expiresAt: Millis): Millis => Math.max(0, expiresAt - clock.now())

const usageText = ({ receiver, guild }: Usage, locale: Locale): string =>
  receiver === null ? (guild ?? '') : giftTo(receiver, locale)

/** How many days or packs one of a product brings, of its details. */
function bringsOf(details: unknown): { days?: number; packs?: number } {
  const { days, packs } = details as { days?: unknown; packs?: unknown }
  return { ...(typeof days === 'number' && { days }), ...(typeof packs === 'number' && { packs }) }
}

/** What some orders are of, in words. */
async function wordsOf(db: Db, found: readonly { readonly id: string }[], locale: Locale) {
  const all = await linesOf(
    db,
    found.map(({ id }) => id),
  )
  const lines = Map.groupBy(all, (line) => line.order_id)
  const nameOf = (line: LineRow) => ({ name: wordIn(line, 'name', locale), count: line.count })
  return (id: string): string => subjectOf((lines.get(id) ?? []).map(nameOf))
}
