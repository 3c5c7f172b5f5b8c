/**
 * The numbers of this site by day. Each day is counted again every minute until it is over, then once more,
 * and kept: reading them costs the same with any number of rows.
 */

import { beijingDay, type DaySpan, spanOfDay } from '@guildhall/wire/beijing.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { NumberDay, viewNumbers } from '@guildhall/wire/staff/numbers.ts'
import { DAY_MS, MINUTE_MS, type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import { countActive, forgetActive, recordActive } from '../../auth/auth.ts'
import { countPrivateSent } from '../../chat/chat.ts'
import { clock } from '../../kit/clock.ts'
import { type Db, type Tx, transaction } from '../../kit/database/db.ts'
import { moneyWithin } from '../../ledger/ledger.ts'
import { authorsWithin, countSent } from '../../message/message.ts'
import { countPlaced } from '../../order/order.ts'
import { countRegistered, firstRegistration } from '../../user/user.ts'
import * as rows from './numberSql.ts'

/** So many days are counted: the longest range, and the one before it. */
const DAYS_BACK = 180
/** Messages and entries get their time before they are stored, on a node whose clock may be a little off. */
const STORED_WITHIN_MS = 10 * SECOND_MS
/** After its end a day is counted once more when so much time has passed. */
const FINAL_AFTER_MS = 5 * MINUTE_MS
/** Who was here is forgotten when the day was counted long ago. */
const ACTIVE_KEPT_DAYS = 8

/** Days of Beijing that end with today, the oldest first. */
const daysUntil = (now: Millis, count: number): string[] =>
  Array.from({ length: count }, (_, n) => beijingDay(now - (count - 1 - n) * DAY_MS))

/**
 * Counts what is not counted for good yet, today first. It may run several times at once: each day is counted
 * by one.
 */
export async function keepNumbers(db: Db, signal?: AbortSignal): Promise<void> {
  const now = clock.now()
  const today = beijingDay(now)
  const first = beijingDay((await firstRegistration(db)) ?? now)
  // Before the first account there was nothing.
  const days = daysUntil(now, DAYS_BACK).filter((day) => day >= first || day === today)
  await rows.addDays(
    db,
    days.map((day) => ({ day, from: spanOfDay(day).from })),
  )
  for (const day of await rows.openDays(db, today, now)) {
    if (signal?.aborted) return
    await transaction(db, (tx) => countDay(tx, day, now))
  }
  await forgetActive(db, beijingDay(now - ACTIVE_KEPT_DAYS * DAY_MS))
}

async function countDay(tx: Tx, day: string, now: Millis): Promise<void> {
  const row = await rows.takeDay(tx, day)
  if (!row || (row.is_final && row.counted_at <= now)) return
  const span = spanOfDay(day)
  // A day that is over and was never counted is one before there were counts, or on which the server was
  // away.
  if (row.counted_at === 0 && span.to <= now) await recordActive(tx, day, await authorsWithin(tx, span))
  const { wechat, alipay } = await moneyWithin(tx, span)
  await rows.storeDay(tx, {
    day,
    ...(await messagesOf(tx, row, span, now)),
    counted_at: now,
    registrations: await countRegistered(tx, span),
    // Who was here is known for some days only, and is counted once.
    active: Math.max(await countActive(tx, day), row.counted_at > now ? 0 : row.active),
    orders: await countPlaced(tx, span),
    paid_orders: wechat.orders + alipay.orders,
    gross_wechat: wechat.gross,
    gross_alipay: alipay.gross,
    refunds_wechat: wechat.refunds,
    refunds_alipay: alipay.refunds,
    is_final: span.to + FINAL_AFTER_MS <= now,
  })
}

/** Only those since the last count are counted. */
async function messagesOf(
  tx: Tx,
  row: rows.DayRow,
  span: DaySpan,
  now: Millis,
): Promise<Pick<rows.DayRow, 'messages' | 'messages_until'>> {
  const isWrong = row.messages_until > Math.min(now, span.to)
  const from = isWrong ? span.from : row.messages_until
  const to = Math.min(span.to, now - STORED_WITHIN_MS)
  const known = isWrong ? 0 : row.messages
  if (to <= from) return { messages: known, messages_until: from }
  const more = (await countSent(tx, { from, to })) + (await countPrivateSent(tx, { from, to }))
  return { messages: known + more, messages_until: to }
}

/** The last days with today, and as many before them. */
export async function readNumbers(db: Db, count: number): Promise<AnswerOf<typeof viewNumbers>> {
  const wanted = daysUntil(clock.now(), 2 * count)
  const found = new Map(
    (await rows.days(db, wanted[0]!, wanted.at(-1)!)).map((row): [string, rows.DayRow] => [row.day, row]),
  )
  const all = wanted.map((day) => numbersOf(day, found.get(day)))
  return {
    days: all.slice(count),
    before: all.slice(0, count),
    counted_at: found.get(wanted.at(-1)!)?.counted_at ?? 0,
  }
}

const numbersOf = (day: string, row: rows.DayRow | undefined): NumberDay => ({
  day,
  registrations: row?.registrations ?? 0,
  active: row?.active ?? 0,
  messages: row?.messages ?? 0,
  orders: row?.orders ?? 0,
  paid_orders: row?.paid_orders ?? 0,
  gross_wechat: row?.gross_wechat ?? 0,
  gross_alipay: row?.gross_alipay ?? 0,
  refunds_wechat: row?.refunds_wechat ?? 0,
  refunds_alipay: row?.refunds_alipay ?? 0,
})
