/**
 * Payments by WeChat Pay, API v3 (pay.weixin.qq.com/doc/v3/merchant): JSAPI inside of WeChat, H5 on other
 * phones, Native for QR codes, APP. What is started lives for two hours at most, the address of H5 for five
 * minutes.
 */

import { spanOfDay } from '@guildhall/wire/beijing.ts'
import { z } from '@guildhall/wire/schema.ts'
import type { WechatPayConfig } from '../../../config/pay.ts'
import { clock } from '../../../kit/clock.ts'
import {
  BadNotification,
  type BillLine,
  type NewPayment,
  type NewRefund,
  type PayData,
  PayFailed,
  type PaymentAnswer,
  type PayProvider,
  PayRefused,
  type PayScene,
  type RefundAnswer,
} from '../payProvider.ts'
import { readWechatBill } from './bill.ts'
import { newNonce, type WechatAnswer, WechatCalls } from './calls.ts'
import { contractInfo, WechatContracts } from './contracts.ts'
import { sha1Of, wechatAppParams, wechatPageParams } from './crypto.ts'
import {
  paidFact,
  refundAnswer,
  TRADE_STATES,
  wechatPaid,
  wechatPayment,
  wechatRefund,
  wechatTime,
} from './facts.ts'
import { readWechatNotification } from './notification.ts'
import { readMessageV2, replyV2 } from './v2.ts'
import { isXml } from './xml.ts'

const PAYMENTS = '/v3/pay/transactions'
const REFUNDS = '/v3/refund/domestic/refunds'
const PATHS: Readonly<Record<PayScene, string>> = { inside: 'jsapi', phone: 'h5', qr: 'native', app: 'app' }
const CURRENCY = 'CNY'
/** "商品描述": 127, of which the documents do not say whether characters or bytes. */
const SUBJECT_MAX_BYTES = 127
/** WeChat waits five seconds for the answer to a message. */
const ASKED_MS = 4_000
/** "退款原因": 80 bytes. */
const REASON_MAX_BYTES = 80

// Codes are written with underscores in some calls and without them in others.
const UNKNOWN = new Set(['ORDERNOTEXIST', 'RESOURCENOTEXISTS', 'CONTRACTNOTEXIST'])
const CLOSED = new Set(['ORDERCLOSED', ...UNKNOWN])
const PAID = new Set(['ORDERPAID'])
const NO_BILL = new Set(['NOSTATEMENTEXIST', 'STATEMENTCREATING'])
/** Nothing is wrong with what is asked for: it may be asked again. */
const BUSY = new Set(['SYSTEMERROR', 'BANKERROR', 'FREQUENCYLIMITED', 'RATELIMITEXCEEDED', 'RULELIMIT'])
const isOneOf = (codes: ReadonlySet<string>, { code }: { readonly code: string }): boolean =>
  codes.has(code.replaceAll('_', ''))

/** `notifyUrl`: the address that WeChat sends its messages to. @throws Error for a key that is none */
export function openWechatPay(
  config: WechatPayConfig,
  deps: { readonly notifyUrl: string; readonly ask?: typeof fetch },
): PayProvider {
  const calls = new WechatCalls(config, deps.ask ?? fetch)
  const apps = config.openAppId === null ? [config.appId] : [config.appId, config.openAppId]
  const it: Wechat = { config, calls, notifyUrl: deps.notifyUrl }
  const { planId, apiV2Key } = config
  const v2 = planId !== null && apiV2Key !== null ? { ...it, planId, apiV2Key } : null
  const contracts =
    planId === null
      ? null
      : new WechatContracts(
          {
            config,
            calls,
            notifyUrl: deps.notifyUrl,
            v2,
            isBusy: (answer) => isOneOf(BUSY, answer),
            isUnknown: (answer) => isOneOf(UNKNOWN, answer),
            description: (subject) => cut(subject, SUBJECT_MAX_BYTES),
            query: (tradeNo, signal) => query(it, tradeNo, signal),
          },
          planId,
        )
  return {
    way: 'wechat',
    merchant: config.merchant,
    apps,
    scenes: config.openAppId === null ? ['inside', 'phone', 'qr'] : ['inside', 'phone', 'qr', 'app'],
    start: (payment, signal) => start(it, payment, signal),
    query: (tradeNo, signal) => query(it, tradeNo, signal),
    close: (tradeNo, signal) => close(it, tradeNo, signal),
    refund: (refund, signal) => makeRefund(it, refund, signal),
    queryRefund: (refund, signal) => queryRefund(it, refund, signal),
    async readNotification(received) {
      if (!isXml(received.body)) return readWechatNotification(received, calls.keys, config.apiV3Key)
      if (!v2 || !contracts) throw new BadNotification('form', 'it is of version 2, without a key for it')
      return readMessageV2(received.body, v2, (no) => contracts.query(no, AbortSignal.timeout(ASKED_MS)))
    },
    contracts,
    reply(result, { body }) {
      if (isXml(body)) return replyV2(result)
      if (result === 'taken') return { status: 204, type: 'json', body: '' }
      const [status, message] = result === 'refused' ? [401, '验签失败'] : [500, '稍后重试']
      return { status, type: 'json', body: JSON.stringify({ code: 'FAIL', message }) }
    },
    bill: (day, signal) => bill(it, day, signal),
  }
}

interface Wechat {
  readonly config: WechatPayConfig
  readonly calls: WechatCalls
  readonly notifyUrl: string
}

async function start(input: Wechat, payment: NewPayment, signal: AbortSignal): Promise<PayData> {
  const { config, calls } = input
  const { scene, payer } = payment
  const appId = scene === 'app' ? config.openAppId : config.appId
  if (appId === null) throw new PayRefused('wechat', 'NO_APP')
  if (scene === 'inside' && payer === undefined) throw new PayRefused('wechat', 'NO_PAYER')
  const h5 = scene === 'phone' && { h5_info: { type: 'Wap' } }
  const content = {
    appid: appId,
    mchid: config.merchant,
    out_trade_no: payment.tradeNo,
    notify_url: input.notifyUrl,
    description: cut(payment.subject, SUBJECT_MAX_BYTES) || payment.tradeNo,
    time_expire: wechatTime(payment.expiresAt),
    amount: { total: payment.fee, currency: CURRENCY },
    ...(scene === 'inside' && { payer: { openid: payer } }),
    scene_info: { payer_client_ip: payment.clientIp, ...h5 },
    ...(payment.contract && {
      contract_info: contractInfo(payment.contract, config, appId, input.notifyUrl),
    }),
  }
  const path = `${PAYMENTS}/${PATHS[scene]}${payment.contract ? '-with-contract' : ''}`
  const body = taken(await calls.ask('POST', path, content, signal))
  if (scene === 'qr') return { kind: 'qr', code: textIn(body, 'code_url') }
  if (scene === 'phone') return { kind: 'redirect', url: h5Address(textIn(body, 'h5_url'), payment, config) }
  const prepaid = { appId, at: clock.now(), nonce: newNonce(), prepayId: textIn(body, 'prepay_id') }
  return scene === 'inside'
    ? { kind: 'weixin', params: wechatPageParams(calls.key, prepaid) }
    : {
        kind: 'weixin_app',
        params: wechatAppParams(calls.key, { ...prepaid, merchant: config.merchant }),
      }
}

/**
 * WeChat's page sends the buyer back to `redirect_url`. @throws PayFailed for an address that is not WeChat's
 */
function h5Address(address: string, { returnUrl }: NewPayment, { endpoint }: WechatPayConfig): string {
  const url = URL.canParse(address) ? new URL(address) : null
  const isOwn = url?.protocol === 'https:' || (endpoint !== null && url?.origin === new URL(endpoint).origin)
  if (!url || !isOwn) throw new PayFailed('wechat', 'answers with an address that is not its own')
  // The rest of the query is left as it is.
  return `${address}${url.search === '' ? '?' : '&'}redirect_url=${encodeURIComponent(returnUrl)}`
}

async function query(input: Wechat, tradeNo: string, signal: AbortSignal): Promise<PaymentAnswer> {
  const target = `${PAYMENTS}/out-trade-no/${encodeURIComponent(tradeNo)}?mchid=${encodeURIComponent(input.config.merchant)}`
  const answer = await input.calls.ask('GET', target, null, signal)
  if (!answer.ok && isOneOf(UNKNOWN, answer)) return { state: 'unknown' }
  if (!answer.ok) throw answered(answer)
  const payment = wechatPayment.safeParse(answer.body)
  const state = payment.success ? TRADE_STATES.get(payment.data.trade_state) : undefined
  // What WeChat signed is of some call: it may be an answer to another one.
  const isOfThis =
    payment.success && payment.data.out_trade_no === tradeNo && payment.data.mchid === input.config.merchant
  if (state === undefined || !isOfThis)
    throw new PayFailed('wechat', 'answers with something else than a payment')
  if (state !== 'paid') return { state }
  const paid = wechatPaid.safeParse(answer.body)
  if (!paid.success) throw new PayFailed('wechat', 'answers with something else than a payment')
  return { state, fact: paidFact(paid.data) }
}

async function close(input: Wechat, tradeNo: string, signal: AbortSignal): Promise<'closed' | 'paid'> {
  const target = `${PAYMENTS}/out-trade-no/${encodeURIComponent(tradeNo)}/close`
  const answer = await input.calls.ask('POST', target, { mchid: input.config.merchant }, signal)
  if (answer.ok || isOneOf(CLOSED, answer)) return 'closed'
  if (isOneOf(PAID, answer)) return 'paid'
  if (isOneOf(BUSY, answer)) throw answered(answer)
  // WeChat has more codes for what cannot be closed than its documents say.
  const { state } = await query(input, tradeNo, signal)
  if (state === 'paid' || state === 'closed') return state
  throw answered(answer)
}

async function makeRefund(input: Wechat, refund: NewRefund, signal: AbortSignal): Promise<RefundAnswer> {
  const reason = cut(refund.reason, REASON_MAX_BYTES)
  const content = {
    ...(refund.providerNo === '' ? { out_trade_no: refund.tradeNo } : { transaction_id: refund.providerNo }),
    out_refund_no: refund.refundNo,
    notify_url: input.notifyUrl,
    ...(reason !== '' && { reason }),
    amount: { refund: refund.fee, total: refund.total, currency: CURRENCY },
  }
  const answer = await input.calls.ask('POST', REFUNDS, content, signal)
  if (answer.ok) return refundIn(answer.body, refund)
  if (isOneOf(BUSY, answer)) throw answered(answer)
  return { state: 'refused', why: answer.code }
}

async function queryRefund(
  input: Wechat,
  refund: { readonly tradeNo: string; readonly refundNo: string },
  signal: AbortSignal,
): Promise<RefundAnswer> {
  const target = `${REFUNDS}/${encodeURIComponent(refund.refundNo)}`
  const answer = await input.calls.ask('GET', target, null, signal)
  if (answer.ok) return refundIn(answer.body, refund)
  if (isOneOf(UNKNOWN, answer)) return { state: 'unknown' }
  throw answered(answer)
}

/** @throws PayFailed */
function refundIn(
  body: unknown,
  input: { readonly tradeNo: string; readonly refundNo: string },
): RefundAnswer {
  const parsed = wechatRefund.safeParse(body)
  const isOfThis =
    parsed.success &&
    parsed.data.out_refund_no === input.refundNo &&
    parsed.data.out_trade_no === input.tradeNo
  const answer = isOfThis ? refundAnswer(parsed.data) : null
  if (!answer) throw new PayFailed('wechat', 'answers with something else than a refund')
  return answer
}

const billAddress = z.object({
  hash_type: z.literal('SHA1'),
  hash_value: z.string().check(z.regex(/^[0-9a-fA-F]{40}$/)),
  download_url: z.string(),
})

async function bill(
  { calls }: Wechat,
  day: string,
  signal: AbortSignal,
): Promise<readonly BillLine[] | null> {
  // It becomes part of an address.
  spanOfDay(day)
  const answer = await calls.ask('GET', `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL`, null, signal)
  if (!answer.ok && isOneOf(NO_BILL, answer)) return null
  if (!answer.ok) throw answered(answer)
  const parsed = billAddress.safeParse(answer.body)
  if (!parsed.success) throw new PayFailed('wechat', 'answers with something else than a bill')
  const bytes = await calls.download(parsed.data.download_url, signal)
  if (sha1Of(bytes) !== parsed.data.hash_value.toLowerCase())
    throw new PayFailed('wechat', 'answers with a bill of another hash')
  return readWechatBill(bytes)
}

/** The body of an answer. @throws PayRefused, PayFailed */
function taken(answer: WechatAnswer): unknown {
  if (answer.ok) return answer.body
  throw isOneOf(BUSY, answer) ? answered(answer) : new PayRefused('wechat', answer.code)
}

const answered = ({ code }: { readonly code: string }): PayFailed =>
  new PayFailed('wechat', `answers ${code}`)

function textIn(body: unknown, name: string): string {
  const value = (body as Readonly<Record<string, unknown>> | null)?.[name]
  if (typeof value === 'string' && value !== '' && value.length <= 1_024) return value
  throw new PayFailed('wechat', `answers without ${name}`)
}

/** As much of a text as fits into so many bytes, without control characters. */
function cut(text: string, most: number): string {
  let cutText = ''
  let bytes = 0
  for (const char of text.replace(/\p{Cc}/gu, ' ').trim()) {
    bytes += Buffer.byteLength(char)
    if (bytes > most) break
    cutText += char
  }
  return cutText
}
