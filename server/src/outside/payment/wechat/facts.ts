/**
 * What WeChat Pay says of payments and refunds, in its answers and in its messages, and what it means here.
 */

import { beijingTime, fromBeijingTime } from '@guildhall/wire/beijing.ts'
import { z } from '@guildhall/wire/schema.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { clock } from '../../../kit/clock.ts'
import { type PaidFact, type PaymentAnswer, REFUND_CLOSED, type RefundAnswer } from '../payProvider.ts'

const id = z.string().check(z.minLength(1), z.maxLength(64))
const fen = z.int().check(z.gte(0))
const TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

/** `YYYY-MM-DDTHH:mm:ss+08:00`. */
export const wechatTime = (at: Millis): string => `${beijingTime(at).replace(' ', 'T')}+08:00`

/** The moment of a time by RFC 3339; null for what is none. */
export function fromWechatTime(text: string): Millis | null {
  const [, day, time, zone] = TIME.exec(text) ?? []
  if (day === undefined || fromBeijingTime(`${day} ${time}`) === null) return null
  const at = Date.parse(`${day}T${time}${zone}`)
  return Number.isFinite(at) ? at : null
}

/** Null where there is none. */
const time = z.pipe(
  z.nullish(z.string()),
  z.transform((text, context): Millis | null => {
    if (!text) return null
    const at = fromWechatTime(text)
    if (at !== null) return at
    context.issues.push({ code: 'custom', message: 'no time', input: text })
    return z.NEVER
  }),
)

/** It is optional in the documents, and each amount here is of yuan. */
const currency = z.pipe(
  z.nullish(z.string()),
  z.transform((it) => it || 'CNY'),
)

/**
 * A payment that was made. What the buyer paid of it (`payer_total`) may be less: WeChat itself pays the
 * rest.
 */
export const wechatPaid = z.object({
  out_trade_no: id,
  transaction_id: id,
  mchid: id,
  appid: id,
  success_time: time,
  amount: z.object({ total: fen, currency }),
})

/** What every payment has. */
export const wechatPayment = z.object({ out_trade_no: id, mchid: id, trade_state: z.string() })

export const paidFact = (input: z.output<typeof wechatPaid>): PaidFact => ({
  tradeNo: input.out_trade_no,
  providerNo: input.transaction_id,
  merchant: input.mchid,
  app: input.appid,
  fee: input.amount.total,
  currency: input.amount.currency,
  // The time is optional, too; a payment without it is a payment all the same.
  paidAt: input.success_time ?? clock.now(),
})

/** `trade_state`. A payment that failed may be tried again until it is closed. */
export const TRADE_STATES: ReadonlyMap<string, PaymentAnswer['state']> = new Map([
  ['SUCCESS', 'paid'],
  ['REFUND', 'paid'],
  ['CLOSED', 'closed'],
  ['REVOKED', 'closed'],
  ['NOTPAY', 'waiting'],
  ['USERPAYING', 'waiting'],
  ['ACCEPT', 'waiting'],
  ['PAYERROR', 'waiting'],
])

/** A refund of an answer; messages call its state `refund_status`. */
export const wechatRefund = z.object({
  out_refund_no: id,
  refund_id: id,
  out_trade_no: id,
  status: z.enum(['SUCCESS', 'CLOSED', 'PROCESSING', 'ABNORMAL']),
  success_time: time,
  amount: z.object({ refund: fen }),
})

/** Null for a refund that is done and says not when. */
export function refundAnswer(input: z.output<typeof wechatRefund>): RefundAnswer | null {
  if (input.status === 'PROCESSING') return { state: 'waiting' }
  if (input.status !== 'SUCCESS')
    return { state: 'refused', why: input.status === 'CLOSED' ? REFUND_CLOSED : input.status }
  if (input.success_time === null) return null
  return {
    state: 'done',
    providerRefundNo: input.refund_id,
    fee: input.amount.refund,
    at: input.success_time,
  }
}
