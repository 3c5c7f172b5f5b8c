/**
 * WeChat Pay for the tests of its adapter: it answers what a test says, signs as WeChat does, and writes
 * messages. What it is asked is expected to be signed by the merchant.
 */
import { createCipheriv, randomBytes, sign, verify, X509Certificate } from 'node:crypto'
import { type Certified, makeCertified } from '@guildhall/sandbox/certificate.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { WechatPayConfig } from '../../config/pay.ts'
import { replaceClock } from '../../kit/clock.ts'
import { BadNotification, type Notification, type PayProvider } from '../../outside/payment/payProvider.ts'
import { openWechatPay } from '../../outside/payment/wechat/wechat.ts'

export const AT = Date.UTC(2026, 7, 1, 4, 0, 0)
/** What the clock says, for the adapter and for WeChat. */
export let now = AT
export const setNow = (at: number): void => {
  now = at
}

export const SECRET = 'of-the-merchant-0123456789abcdef'
export const [MERCHANT, APP, OPEN_APP] = ['1900000109', 'wx00000000000000a1', 'wx00000000000000c3']
export const NOTIFY = 'https://hall.example/api/pay/notify/wechat'
export let merchant: Certified
export let wechat: Certified
export let newer: Certified
export let stranger: Certified
/** The certificates that WeChat hands out. */
let handedOut: Certified[] = []
export const handOut = (certificates: Certified[]): void => {
  handedOut = certificates
}
/** The adapter; a new one for each test. */
export let provider: PayProvider

export interface Said {
  readonly target: string
  readonly method: string
  readonly headers: Headers
  readonly body: string
}
export type Answer = (said: Said) => Response | Promise<Response>
export const answers = new Map<string, Answer>()
/** What WeChat was asked, in order. */
export let asked: Said[] = []

const ask: typeof fetch = async (input, init) => {
  const url = new URL(String(input))
  const method = init?.method ?? 'GET'
  const said = {
    target: `${url.pathname}${url.search}`,
    method,
    headers: new Headers(init?.headers),
    body: String(init?.body ?? ''),
  }
  asked.push(said)
  expect([url.origin, init?.redirect]).toEqual(['https://api.mch.weixin.qq.com', 'error'])
  expectSigned(said)
  const answer = answers.get(`${method} ${url.pathname}`)
  if (!answer) throw new TypeError('fetch failed')
  return answer(said)
}

function expectSigned({ method, target, headers, body }: Said): void {
  const fields = Object.fromEntries(
    [...(headers.get('authorization') ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  ) as Record<string, string>
  expect([fields.mchid, fields.serial_no, fields.timestamp]).toEqual([
    MERCHANT,
    merchant.serial,
    String(now / SECOND_MS),
  ])
  const text = `${method}\n${target}\n${fields.timestamp}\n${fields.nonce_str}\n${body}\n`
  const { publicKey } = new X509Certificate(merchant.certificate)
  expect(verify('sha256', Buffer.from(text), publicKey, Buffer.from(fields.signature ?? '', 'base64'))).toBe(
    true,
  )
}

export interface Signer {
  readonly by?: Certified
  readonly serial?: string
  readonly at?: number
}

/** The headers of something that WeChat signs. */
export function signedHeaders(body: string, { by = wechat, serial = by.serial, at = now }: Signer = {}) {
  const [timestamp, nonce] = [String(Math.floor(at / SECOND_MS)), randomBytes(16).toString('hex')]
  const signature = sign('sha256', Buffer.from(`${timestamp}\n${nonce}\n${body}\n`), by.privateKey)
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-signature': signature.toString('base64'),
    'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
    'wechatpay-serial': serial,
  }
}
export const signed = (status: number, content: object | string, signer: Signer = {}): Response => {
  const body = typeof content === 'string' ? content : JSON.stringify(content)
  return new Response(status === 204 ? null : body, { status, headers: signedHeaders(body, signer) })
}
export const refusal =
  (status: number, code: string): Answer =>
  () =>
    signed(status, { code, message: '不行' })

export function encrypted(plain: string, associated_data = 'certificate', key = SECRET) {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associated_data))
  const bytes = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { algorithm: 'AEAD_AES_256_GCM', nonce, associated_data, ciphertext: bytes.toString('base64') }
}
export const certificatesBody = (certified: readonly Certified[], key = SECRET) => ({
  data: certified.map(({ serial, certificate }) => ({
    serial_no: serial,
    effective_time: '2026-01-01T00:00:00+08:00',
    expire_time: '2031-01-01T00:00:00+08:00',
    encrypt_certificate: encrypted(certificate, 'certificate', key),
  })),
})

/** Opens this WeChat, and an adapter that asks it, for the tests of the calling file. */
export function useWechat(): void {
  const restoreClock = replaceClock(() => now)
  afterAll(restoreClock)
  beforeAll(async () => {
    now = Date.UTC(2026, 0, 1)
    const names = ['merchant', 'wechat', 'newer', 'stranger']
    const made = await Promise.all(names.map((name) => makeCertified(`CN=${name}`)))
    ;[merchant, wechat, newer, stranger] = made as [Certified, Certified, Certified, Certified]
  })
  beforeEach(() => {
    now = AT
    asked = []
    answers.clear()
    handedOut = [wechat]
    answers.set('GET /v3/certificates', () =>
      signed(200, certificatesBody(handedOut), { by: handedOut.at(-1)! }),
    )
    provider = open()
  })
}

export const configOf = (change: Partial<WechatPayConfig> = {}): WechatPayConfig => ({
  merchant: MERCHANT,
  appId: APP,
  openAppId: OPEN_APP,
  serial: merchant.serial,
  privateKey: merchant.privateKey,
  apiV3Key: SECRET,
  publicKey: null,
  endpoint: null,
  planId: null,
  apiV2Key: null,
  ...change,
})
export const open = (change: Partial<WechatPayConfig> = {}): PayProvider =>
  openWechatPay(configOf(change), { notifyUrl: NOTIFY, ask })
export const soon = () => AbortSignal.timeout(5_000)
export const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    (it) => new Error(`it went well: ${JSON.stringify(it)}`),
    (thrown: Error) => thrown,
  )
  return `${error.name}: ${error.message}`
}
export const times = (target: string): number => asked.filter((said) => said.target === target).length

// A payment and a refund, as WeChat tells them.

export const TRADE = 'G20260801120000001'
export const QUERY = `/v3/pay/transactions/out-trade-no/${TRADE}`
export const transaction = (change: object = {}) => ({
  mchid: MERCHANT,
  appid: APP,
  out_trade_no: TRADE,
  trade_type: 'JSAPI',
  trade_state: 'SUCCESS',
  transaction_id: '4200001234202608011234567890',
  trade_state_desc: '支付成功',
  bank_type: 'OTHERS',
  success_time: '2026-08-01T11:59:58+08:00',
  payer: { openid: 'oBuyer' },
  // A coupon of WeChat paid a part.
  amount: { total: 1_800, payer_total: 1_300, currency: 'CNY', payer_currency: 'CNY' },
  ...change,
})
export const FACT = {
  tradeNo: TRADE,
  providerNo: '4200001234202608011234567890',
  merchant: MERCHANT,
  app: APP,
  fee: 1_800,
  currency: 'CNY',
  paidAt: Date.UTC(2026, 7, 1, 3, 59, 58),
}
export const REFUND = {
  tradeNo: TRADE,
  providerNo: FACT.providerNo,
  refundNo: 'R0001',
  fee: 600,
  total: 1_800,
  reason: '重复支付',
}
export const refundAnswer = (change: object = {}) => ({
  refund_id: '50300000012026080112345',
  out_refund_no: 'R0001',
  out_trade_no: TRADE,
  channel: 'ORIGINAL',
  transaction_id: FACT.providerNo,
  user_received_account: '零钱',
  status: 'SUCCESS',
  create_time: '2026-08-01T12:00:00+08:00',
  success_time: '2026-08-01T12:00:01+08:00',
  amount: { total: 1_800, refund: 600, payer_total: 1_300, payer_refund: 433, currency: 'CNY' },
  ...change,
})
export const DONE = {
  state: 'done',
  providerRefundNo: '50300000012026080112345',
  fee: 600,
  at: Date.UTC(2026, 7, 1, 4, 0, 1),
}

export interface Message {
  readonly headers: Record<string, string | string[]>
  readonly body: Buffer
}
export const messageBody = (
  event: string,
  plain: object | string,
  key = SECRET,
  change: object = {},
): string =>
  JSON.stringify({
    id: 'EV-2018022511223320873',
    create_time: '2026-08-01T12:00:00+08:00',
    event_type: event,
    resource_type: 'encrypt-resource',
    summary: '支付成功',
    resource: {
      original_type: 'transaction',
      ...encrypted(typeof plain === 'string' ? plain : JSON.stringify(plain), 'transaction', key),
    },
    ...change,
  })
export const messageOf = (body: string, signer: Signer = {}): Message => ({
  headers: { 'content-type': 'application/json', ...signedHeaders(body, signer) },
  body: Buffer.from(body),
})
export const paidMessage = (signer: Signer = {}) =>
  messageOf(messageBody('TRANSACTION.SUCCESS', transaction()), signer)
export const refundNotified = (change: object = {}) => {
  const { status, ...rest } = refundAnswer()
  return { ...rest, refund_status: status, mchid: MERCHANT, ...change }
}
export const refundMessage = () => messageOf(messageBody('REFUND.SUCCESS', refundNotified()))
export const whyNot = (message: Message, from: PayProvider = provider): Promise<string> =>
  from.readNotification(message).then(
    (input: Notification) => `taken: ${JSON.stringify(input)}`,
    (error: Error) => (error instanceof BadNotification ? error.why : `${error.name}: ${error.message}`),
  )
