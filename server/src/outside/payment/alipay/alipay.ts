/** Payments by Alipay's open platform: RSA2, with public keys (opendocs.alipay.com). */

import { beijingDaySpan, beijingTime, fromBeijingTime } from '@guildhall/wire/beijing.ts'
import { readFen, yuanOf } from '@guildhall/wire/money.ts'
import type { AlipayConfig } from '../../../config/pay.ts'
import { clock } from '../../../kit/clock.ts'
import {
  type NewPayment,
  type NewRefund,
  type PaidFact,
  type PayData,
  PayFailed,
  type PaymentAnswer,
  type PayProvider,
  PayRefused,
  type RefundAnswer,
} from '../payProvider.ts'
import { readAlipayBill } from './bill.ts'
import { AlipayContracts, agreementOf, CYCLE_PRODUCT, firstAfter } from './contracts.ts'
import { type AlipayAnswer, type AlipayGateway, openAlipayGateway } from './gateway.ts'
import { readAlipayNotification } from './notification.ts'

/** `alipay.trade.query` and its like know the trade only once the buyer has opened the cashier. */
const UNKNOWN_TRADE = 'ACQ.TRADE_NOT_EXIST'
const UNKNOWN_REFUND = new Set([UNKNOWN_TRADE, 'ACQ.REFUND_NOT_EXIST'])
/** The documents say BILL_NOT_EXIST, the gateway says isp.bill_not_exist. */
const NO_BILL = /^(?:is[pv]\.)?bill[-_]not[-_]exist$/i
const WORDS_MAX = 128

/** `notifyUrl`: the address that Alipay sends its messages to. @throws Error for a key that is none */
export function openAlipay(config: AlipayConfig, deps: { readonly notifyUrl: string }): PayProvider {
  const gateway = openAlipayGateway(config)
  return {
    way: 'alipay',
    merchant: config.merchant,
    apps: [config.appId],
    scenes: ['inside', 'phone', 'qr', 'app'],
    contracts:
      config.signScene === null
        ? null
        : new AlipayContracts({
            gateway,
            config,
            notifyUrl: deps.notifyUrl,
            words: wordsOf,
            query: (tradeNo, signal) => query(gateway, config, tradeNo, signal),
          }),
    start: (it, signal) => start(gateway, config, it, deps.notifyUrl, signal),
    query: (tradeNo, signal) => query(gateway, config, tradeNo, signal),
    close: (tradeNo, signal) => close(gateway, config, tradeNo, signal),
    refund: (it, signal) => refund(gateway, it, signal),
    queryRefund: (it, signal) => queryRefund(gateway, it, signal),
    // An async function, so that a refusal is a rejection.
    readNotification: async ({ body }) => {
      const it = readAlipayNotification(body, gateway.isGenuine)
      return it.kind === 'contract' ? { ...it, fact: { ...it.fact, merchant: config.merchant } } : it
    },
    reply: (result) => ({ status: 200, type: 'text', body: result === 'taken' ? 'success' : 'failure' }),
    async bill(day, signal) {
      // Of a day that is not over the gateway says that the arguments are wrong.
      if ((beijingDaySpan(day)?.to ?? 0) > clock.now()) return null
      const method = 'alipay.data.dataservice.bill.downloadurl.query'
      const answer = await gateway.ask(method, { bill_type: 'trade', bill_date: day }, signal)
      if (!answer.ok && NO_BILL.test(answer.code)) return null
      const address = textIn(taken(answer), 'bill_download_url')
      return readAlipayBill(await gateway.download(address, signal))
    },
  }
}

async function start(
  gateway: AlipayGateway,
  config: AlipayConfig,
  input: NewPayment,
  notifyUrl: string,
  signal: AbortSignal,
): Promise<PayData> {
  const content = {
    out_trade_no: input.tradeNo,
    total_amount: yuanOf(input.fee),
    subject: wordsOf(input.subject) || input.tradeNo,
    time_expire: beijingTime(input.expiresAt),
  }
  if (input.scene === 'phone') {
    const asked = { ...content, product_code: 'QUICK_WAP_WAY', quit_url: input.returnUrl }
    return {
      kind: 'redirect',
      url: gateway.pageUrl('alipay.trade.wap.pay', asked, notifyUrl, input.returnUrl),
    }
  }
  if (input.scene !== 'qr') {
    const { contract } = input
    const asked = contract
      ? {
          ...content,
          product_code: CYCLE_PRODUCT,
          agreement_sign_params: {
            ...agreementOf(contract, config, firstAfter(contract)),
            sign_notify_url: notifyUrl,
          },
        }
      : { ...content, product_code: 'QUICK_MSECURITY_PAY' }
    return { kind: 'alipay', orderStr: gateway.orderStr('alipay.trade.app.pay', asked, notifyUrl) }
  }
  const answer = await gateway.ask('alipay.trade.precreate', content, signal, notifyUrl)
  if (!answer.ok) throw new PayRefused('alipay', answer.code)
  isAbout(answer.body, 'out_trade_no', input.tradeNo)
  return { kind: 'qr', code: textIn(answer.body, 'qr_code') }
}

async function query(
  gateway: AlipayGateway,
  config: AlipayConfig,
  tradeNo: string,
  signal: AbortSignal,
): Promise<PaymentAnswer> {
  const answer = await gateway.ask('alipay.trade.query', { out_trade_no: tradeNo }, signal)
  if (!answer.ok && answer.code === UNKNOWN_TRADE) return { state: 'unknown' }
  const body = taken(answer)
  isAbout(body, 'out_trade_no', tradeNo)
  switch (body.trade_status) {
    case 'WAIT_BUYER_PAY':
      return { state: 'waiting' }
    case 'TRADE_CLOSED':
      return wasPaid(body) ? { state: 'paid', fact: factOf(body, config) } : { state: 'closed' }
    case 'TRADE_SUCCESS':
    case 'TRADE_FINISHED':
      return { state: 'paid', fact: factOf(body, config) }
    default:
      throw new PayFailed('alipay', 'answers with a state that is not known')
  }
}

/** A trade is closed without a payment, or after all of it was given back. */
const wasPaid = (body: Readonly<Record<string, unknown>>): boolean =>
  Boolean(body.send_pay_date) ||
  (Array.isArray(body.fund_bill_list) && body.fund_bill_list.length > 0) ||
  Number(body.buyer_pay_amount) > 0 ||
  Number(body.receipt_amount) > 0

function factOf(body: Readonly<Record<string, unknown>>, config: AlipayConfig): PaidFact {
  const fee = amountIn(body, 'total_amount')
  // The time is optional in the documents; a payment without it is a payment all the same.
  const paidAt = body.send_pay_date ? timeIn(body, 'send_pay_date') : clock.now()
  return {
    tradeNo: textIn(body, 'out_trade_no'),
    providerNo: textIn(body, 'trade_no'),
    fee,
    paidAt,
    // The answer names neither: it is about a trade of the application and seller whose key signed the
    // question.
    merchant: config.merchant,
    app: config.appId,
    currency: body.trans_currency ? textIn(body, 'trans_currency') : 'CNY',
  }
}

/**
 * A trade that Alipay does not know is not closed there: until `expiresAt` the buyer may still open it with
 * what `start` returned.
 */
async function close(
  gateway: AlipayGateway,
  config: AlipayConfig,
  tradeNo: string,
  signal: AbortSignal,
): Promise<'closed' | 'paid'> {
  const answer = await gateway.ask('alipay.trade.close', { out_trade_no: tradeNo }, signal)
  if (answer.ok && answer.body.out_trade_no === tradeNo) return 'closed'
  if (!answer.ok && answer.code === UNKNOWN_TRADE) return 'closed'
  if (!answer.ok && !answer.isOfBusiness) throw answered(answer.code)
  // It was paid, or closed before, or this is the answer to another question.
  const { state } = await query(gateway, config, tradeNo, signal)
  if (state === 'waiting') throw answered(answer.ok ? 'about another trade' : answer.code)
  return state === 'paid' ? 'paid' : 'closed'
}

async function refund(gateway: AlipayGateway, input: NewRefund, signal: AbortSignal): Promise<RefundAnswer> {
  const asked = {
    out_trade_no: input.tradeNo,
    trade_no: input.providerNo,
    out_request_no: input.refundNo,
    refund_amount: yuanOf(input.fee),
    refund_reason: wordsOf(input.reason) || input.refundNo,
  }
  const answer = await gateway.ask('alipay.trade.refund', asked, signal)
  if (!answer.ok) {
    // A wrong key or a missing permission is no decision about this refund.
    if (!answer.isOfBusiness) throw answered(answer.code)
    return { state: 'refused', why: answer.code }
  }
  isAbout(answer.body, 'out_trade_no', input.tradeNo)
  // `fund_change` says whether this call moved money, `refund_fee` is the sum of all refunds: only the query
  // tells of this one.
  const now = await queryRefund(gateway, input, signal).catch(stillWaiting)
  return now.state === 'unknown' ? { state: 'waiting' } : now
}

const stillWaiting = (failure: unknown): RefundAnswer => {
  if (failure instanceof PayFailed) return { state: 'waiting' }
  throw failure
}

async function queryRefund(
  gateway: AlipayGateway,
  input: { readonly tradeNo: string; readonly refundNo: string },
  signal: AbortSignal,
): Promise<RefundAnswer> {
  const asked = {
    out_trade_no: input.tradeNo,
    out_request_no: input.refundNo,
    query_options: ['gmt_refund_pay'],
  }
  const answer = await gateway.ask('alipay.trade.fastpay.refund.query', asked, signal)
  if (!answer.ok && UNKNOWN_REFUND.has(answer.code)) return { state: 'unknown' }
  const body = taken(answer)
  // A refund that was not made is an answer without one.
  if ((body.refund_amount ?? '') === '' && !body.refund_status) return { state: 'unknown' }
  isAbout(body, 'out_trade_no', input.tradeNo)
  isAbout(body, 'out_request_no', input.refundNo)
  if (body.refund_status === 'REFUND_FAIL') return { state: 'refused', why: 'REFUND_FAIL' }
  if (body.refund_status !== 'REFUND_SUCCESS') return { state: 'waiting' }
  return {
    state: 'done',
    // Refunds have no number of Alipay's own: the trade's and ours are what it finds them by.
    providerRefundNo: `${textIn(body, 'trade_no')}-${input.refundNo}`,
    fee: amountIn(body, 'refund_amount'),
    at: body.gmt_refund_pay ? timeIn(body, 'gmt_refund_pay') : clock.now(),
  }
}

/** What an answer says. @throws PayFailed for one that refuses */
function taken(answer: AlipayAnswer): Readonly<Record<string, unknown>> {
  if (answer.ok) return answer.body
  throw answered(answer.code)
}

const answered = (code: string): PayFailed => new PayFailed('alipay', `answers ${code}`)

/** An answer is genuine also when it answers another question. @throws PayFailed */
function isAbout(body: Readonly<Record<string, unknown>>, name: string, wanted: string): void {
  if (body[name] !== wanted) throw new PayFailed('alipay', `answers about another ${name}`)
}

function textIn(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name]
  if (typeof value === 'string' && value !== '' && value.length <= 2_048) return value
  throw new PayFailed('alipay', `answers without ${name}`)
}

function amountIn(body: Readonly<Record<string, unknown>>, name: string): number {
  const fen = readFen(typeof body[name] === 'number' ? body[name] : textIn(body, name))
  if (fen === null || fen < 0) throw new PayFailed('alipay', `answers with ${name} that is no amount`)
  return fen
}

function timeIn(body: Readonly<Record<string, unknown>>, name: string): number {
  const at = fromBeijingTime(textIn(body, name))
  if (at === null) throw new PayFailed('alipay', `answers with ${name} that is no time`)
  return at
}

/**
 * Words for people, without what the documents forbid, what a bill separates by, and what a signed text joins
 * by.
 */
const wordsOf = (text: string): string => {
  const plain = text.toWellFormed().replace(/[\p{Cc}\s/=&,"\\<>]+/gu, ' ')
  return [...plain.trim()].slice(0, WORDS_MAX).join('')
}
