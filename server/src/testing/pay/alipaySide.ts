/**
 * Alipay's gateway for the tests of its adapter: it answers what a test says, signs as Alipay does, and
 * writes messages.
 */
import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { AlipayConfig } from '../../config/pay.ts'
import { replaceClock } from '../../kit/clock.ts'
import { openAlipay } from '../../outside/payment/alipay/alipay.ts'
import type { NewPayment, Notification, PayProvider } from '../../outside/payment/payProvider.ts'
import { listenHere } from '../listen.ts'

export const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2_048 })
export const [alipay, application, stranger] = [keyPair(), keyPair(), keyPair()]
export const bare = (key: KeyObject): string =>
  key
    .export(key.type === 'private' ? { type: 'pkcs8', format: 'der' } : { type: 'spki', format: 'der' })
    .toString('base64')
export const signed = (
  text: string | Buffer,
  key: KeyObject = alipay.privateKey,
  hash = 'RSA-SHA256',
): string => sign(hash, Buffer.from(text), key).toString('base64')

export const AT = Date.UTC(2026, 7, 1, 4, 0, 0)

export type Said = { readonly method: string; readonly params: URLSearchParams }
export type Answer = (reply: ServerResponse, said: Said) => void
let server: Server
export let url: string
/** The adapter; the same for all tests of a file. */
export let provider: PayProvider
export const answers = new Map<string, Answer>()
/** What the gateway was asked, in order. */
export const asked: Said[] = []

/** Opens this gateway, and an adapter that asks it, for the tests of the calling file. */
export function useAlipay(): void {
  const restoreClock = replaceClock(() => AT)
  afterAll(restoreClock)
  beforeAll(async () => {
    server = createServer((request, reply) => {
      void (async () => {
        const parts: Buffer[] = []
        for await (const part of request) parts.push(part as Buffer)
        const address = new URL(request.url ?? '/', 'http://gateway')
        const params = new URLSearchParams([
          ...address.searchParams,
          ...new URLSearchParams(Buffer.concat(parts).toString()),
        ])
        const said = { method: params.get('method') ?? address.pathname, params }
        asked.push(said)
        const answer = answers.get(said.method)
        if (answer) answer(reply, said)
        else reply.writeHead(404).end()
      })()
    })
    url = await listenHere(server)
    provider = openAlipay(configOf(), { notifyUrl: 'https://hall.example/notify' })
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  afterEach(() => {
    answers.clear()
    asked.length = 0
  })
}

export const configOf = (change: Partial<AlipayConfig> = {}): AlipayConfig => ({
  appId: '2021000000000001',
  merchant: '2088000000000001',
  endpoint: `${url}/gateway.do`,
  privateKey: bare(application.privateKey),
  alipayPublicKey: bare(alipay.publicKey),
  signScene: null,
  ...change,
})
export const soon = () => AbortSignal.timeout(5_000)
export const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    (it) => new Error(`it went well: ${JSON.stringify(it)}`),
    (thrown: Error) => thrown,
  )
  return `${error.name}: ${error.message}`
}

export const QUERY = 'alipay.trade.query'
export const CLOSE = 'alipay.trade.close'
export const REFUND = 'alipay.trade.refund'
export const REFUND_QUERY = 'alipay.trade.fastpay.refund.query'
export const PRECREATE = 'alipay.trade.precreate'
export const BILL = 'alipay.data.dataservice.bill.downloadurl.query'
export const nameOf = (method: string) => `${method.replaceAll('.', '_')}_response`
export const say = (method: string, content: string | object, key?: KeyObject): void => {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  answers.set(method, (reply) => reply.end(`{"${nameOf(method)}":${text},"sign":"${signed(text, key)}"}`))
}
export const raw = (method: string, body: string | Buffer, status = 200): void => {
  answers.set(method, (reply) => reply.writeHead(status).end(body))
}
export const ok = (more: object) => ({ code: '10000', msg: 'Success', ...more })
export const refusal = (sub_code: string, code = '40004') => ({
  code,
  msg: 'Business Failed',
  sub_code,
  sub_msg: '…',
})

export const PAID = {
  buyer_logon_id: '159****5620',
  buyer_pay_amount: '0.00',
  out_trade_no: 'T100',
  total_amount: '12.30',
  send_pay_date: '2026-08-01 11:59:59',
  trade_no: '2026080122001400000000000001',
  receipt_amount: '0.00',
  trade_status: 'TRADE_SUCCESS',
}
export const FACT = {
  tradeNo: 'T100',
  providerNo: '2026080122001400000000000001',
  merchant: '2088000000000001',
  app: '2021000000000001',
  fee: 1_230,
  currency: 'CNY',
  paidAt: AT - 1_000,
}

// Notifications, as Alipay's gateway sends them.

export type Params = Readonly<Record<string, string>>
export const TRADE: Params = {
  gmt_create: '2026-08-01 11:59:50',
  charset: 'utf-8',
  subject: '年度会员（一年）',
  version: '1.0',
  buyer_id: '2088102000000001',
  invoice_amount: '12.30',
  notify_type: 'trade_status_sync',
  notify_id: '2026080100222115959000000000000001',
  notify_time: '2026-08-01 12:00:00',
  out_trade_no: 'T100',
  total_amount: '12.30',
  trade_no: PAID.trade_no,
  buyer_pay_amount: '12.30',
  auth_app_id: '2021000000000001',
  app_id: '2021000000000001',
  seller_id: '2088000000000001',
  receipt_amount: '12.30',
  point_amount: '0.00',
  buyer_logon_id: '159****5620',
  fund_bill_list: '[{"amount":"12.30","fundChannel":"ALIPAYACCOUNT"}]',
  gmt_payment: '2026-08-01 11:59:59',
  trade_status: 'TRADE_SUCCESS',
}
export const without = (params: Params, ...names: string[]): Params =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
export const REFUNDED: Params = {
  ...without(TRADE, 'invoice_amount', 'receipt_amount', 'point_amount'),
  refund_fee: '5.00',
  gmt_refund: '2026-08-01 12:30:00.320',
  out_biz_no: 'R200',
}
export const CLOSED: Params = {
  ...without(TRADE, 'gmt_payment', 'fund_bill_list', 'buyer_pay_amount', 'receipt_amount'),
  trade_status: 'TRADE_CLOSED',
  gmt_close: '2026-08-01 12:15:00',
  refund_fee: '0.00',
}
export const GENUINE: readonly Params[] = [
  TRADE,
  { ...TRADE, trade_status: 'TRADE_FINISHED' },
  REFUNDED,
  { ...REFUNDED, trade_status: 'TRADE_CLOSED', refund_fee: '12.30', gmt_close: '2026-08-01 12:30:00' },
  CLOSED,
]

/** Java's form encoding, which Alipay's is. */
export const encode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()~]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
export const formOf = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
export const textOf = (params: Params): string =>
  Object.keys(params)
    .sort()
    .map((name) => `${name}=${params[name]}`)
    .join('&')
export const pairsOf = (params: Params, key?: KeyObject): [string, string][] => [
  ...Object.entries(params),
  ['sign', signed(textOf(params), key)],
  ['sign_type', 'RSA2'],
]
export const read = (body: string | Buffer): Promise<Notification> =>
  provider.readNotification({ headers: {}, body: Buffer.from(body) })
export const NO_BODY = { body: Buffer.alloc(0) }
export const genuine = (params: Params): string => formOf(pairsOf(params))

/** As Alipay does: every parameter but the signature, in order, without empty ones. */
export function isSignedByApplication(params: URLSearchParams): boolean {
  const text = [...params]
    .filter(([name, value]) => name !== 'sign' && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const signature = Buffer.from(params.get('sign') ?? '', 'base64')
  return verify('RSA-SHA256', Buffer.from(text), application.publicKey, signature)
}

// A payment and a refund, as the adapter is asked for them.

export const PAYMENT: NewPayment = {
  scene: 'inside',
  tradeNo: 'T100',
  fee: 1_230,
  subject: 'BUFF 年度会员',
  expiresAt: AT + 900_999,
  clientIp: '203.0.113.7',
  returnUrl: 'https://hall.example/order/1?a=b&c=%E4%BD%A0',
}
export const contentOf = (params: URLSearchParams): unknown => JSON.parse(params.get('biz_content') ?? '')
export const BACK = {
  tradeNo: 'T100',
  providerNo: PAID.trade_no,
  refundNo: 'R200',
  fee: 500,
  total: 1_230,
  reason: '买错了 & 换一个',
}
export const GIVEN_BACK = {
  out_trade_no: 'T100',
  trade_no: PAID.trade_no,
  out_request_no: 'R200',
  total_amount: '12.30',
  refund_amount: '5.00',
  refund_status: 'REFUND_SUCCESS',
  gmt_refund_pay: '2026-08-01 12:30:00',
}
