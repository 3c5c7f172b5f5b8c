import { createCipheriv, createHash, randomBytes, sign, verify, X509Certificate } from 'node:crypto'
import { MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WechatPayConfig } from '../config/pay.ts'
import { replaceClock } from '../kit/clock.ts'
import { type Certified, makeCertified } from '../sandbox/certificate.ts'
import { BadNotification, type NewPayment, type Notification, type PayProvider } from './payProvider.ts'
import { openWechatPay } from './payWechat.ts'
import { fromWechatTime, wechatTime } from './payWechatFacts.ts'

const AT = Date.UTC(2026, 7, 1, 4, 0, 0)
let now = AT
const restoreClock = replaceClock(() => now)
afterAll(restoreClock)

const SECRET = 'of-the-merchant-0123456789abcdef'
const [MERCHANT, APP, OPEN_APP] = ['1900000109', 'wx00000000000000a1', 'wx00000000000000c3']
const NOTIFY = 'https://hall.example/api/pay/notify/wechat'
let merchant: Certified
let wechat: Certified
let newer: Certified
let stranger: Certified
/** The certificates that WeChat hands out. */
let handedOut: Certified[] = []
let provider: PayProvider

// WeChat, which answers what a test says.

interface Said {
  readonly target: string
  readonly method: string
  readonly headers: Headers
  readonly body: string
}
type Answer = (said: Said) => Response | Promise<Response>
const answers = new Map<string, Answer>()
let asked: Said[] = []

const ask: typeof fetch = async (input, init) => {
  const url = new URL(String(input))
  const method = init?.method ?? 'GET'
  const said = {
    ...{ target: `${url.pathname}${url.search}`, method },
    ...{ headers: new Headers(init?.headers), body: String(init?.body ?? '') },
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

interface Signer {
  readonly by?: Certified
  readonly serial?: string
  readonly at?: number
}

/** The headers of something that WeChat signs. */
function signedHeaders(body: string, { by = wechat, serial = by.serial, at = now }: Signer = {}) {
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
const signed = (status: number, content: object | string, signer: Signer = {}): Response => {
  const body = typeof content === 'string' ? content : JSON.stringify(content)
  return new Response(status === 204 ? null : body, { status, headers: signedHeaders(body, signer) })
}
const refusal =
  (status: number, code: string): Answer =>
  () =>
    signed(status, { code, message: '不行' })

function encrypted(plain: string, associated_data = 'certificate', key = SECRET) {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associated_data))
  const bytes = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { algorithm: 'AEAD_AES_256_GCM', nonce, associated_data, ciphertext: bytes.toString('base64') }
}
const certificatesBody = (certified: readonly Certified[], key = SECRET) => ({
  data: certified.map(({ serial, certificate }) => ({
    ...{ serial_no: serial, effective_time: '2026-01-01T00:00:00+08:00' },
    expire_time: '2031-01-01T00:00:00+08:00',
    encrypt_certificate: encrypted(certificate, 'certificate', key),
  })),
})

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

const configOf = (change: Partial<WechatPayConfig> = {}): WechatPayConfig => ({
  ...{ merchant: MERCHANT, appId: APP, openAppId: OPEN_APP, serial: merchant.serial },
  ...{ privateKey: merchant.privateKey, apiV3Key: SECRET, publicKey: null, endpoint: null },
  ...{ planId: null, apiV2Key: null, ...change },
})
const open = (change: Partial<WechatPayConfig> = {}): PayProvider =>
  openWechatPay(configOf(change), { notifyUrl: NOTIFY, ask })
const soon = () => AbortSignal.timeout(5_000)
const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    (it) => new Error(`it went well: ${JSON.stringify(it)}`),
    (thrown: Error) => thrown,
  )
  return `${error.name}: ${error.message}`
}
const times = (target: string): number => asked.filter((said) => said.target === target).length

// A payment and a refund, as WeChat tells them.

const TRADE = 'G20260801120000001'
const QUERY = `/v3/pay/transactions/out-trade-no/${TRADE}`
const transaction = (change: object = {}) => ({
  ...{ mchid: MERCHANT, appid: APP, out_trade_no: TRADE, trade_type: 'JSAPI', trade_state: 'SUCCESS' },
  ...{ transaction_id: '4200001234202608011234567890', trade_state_desc: '支付成功', bank_type: 'OTHERS' },
  ...{ success_time: '2026-08-01T11:59:58+08:00', payer: { openid: 'oBuyer' } },
  // A coupon of WeChat paid a part.
  amount: { total: 1_800, payer_total: 1_300, currency: 'CNY', payer_currency: 'CNY' },
  ...change,
})
const FACT = {
  ...{ tradeNo: TRADE, providerNo: '4200001234202608011234567890', merchant: MERCHANT, app: APP },
  ...{ fee: 1_800, currency: 'CNY', paidAt: Date.UTC(2026, 7, 1, 3, 59, 58) },
}
const REFUND = {
  ...{ tradeNo: TRADE, providerNo: FACT.providerNo, refundNo: 'R0001', fee: 600, total: 1_800 },
  reason: '重复支付',
}
const refundAnswer = (change: object = {}) => ({
  ...{
    refund_id: '50300000012026080112345',
    out_refund_no: 'R0001',
    out_trade_no: TRADE,
    channel: 'ORIGINAL',
  },
  ...{ transaction_id: FACT.providerNo, user_received_account: '零钱', status: 'SUCCESS' },
  ...{ create_time: '2026-08-01T12:00:00+08:00', success_time: '2026-08-01T12:00:01+08:00' },
  amount: { total: 1_800, refund: 600, payer_total: 1_300, payer_refund: 433, currency: 'CNY' },
  ...change,
})
const DONE = {
  ...{ state: 'done', providerRefundNo: '50300000012026080112345', fee: 600 },
  at: Date.UTC(2026, 7, 1, 4, 0, 1),
}

interface Message {
  readonly headers: Record<string, string | string[]>
  readonly body: Buffer
}
const messageBody = (event: string, plain: object | string, key = SECRET, change: object = {}): string =>
  JSON.stringify({
    ...{ id: 'EV-2018022511223320873', create_time: '2026-08-01T12:00:00+08:00', event_type: event },
    ...{ resource_type: 'encrypt-resource', summary: '支付成功' },
    resource: {
      original_type: 'transaction',
      ...encrypted(typeof plain === 'string' ? plain : JSON.stringify(plain), 'transaction', key),
    },
    ...change,
  })
const messageOf = (body: string, signer: Signer = {}): Message => ({
  headers: { 'content-type': 'application/json', ...signedHeaders(body, signer) },
  body: Buffer.from(body),
})
const paidMessage = (signer: Signer = {}) =>
  messageOf(messageBody('TRANSACTION.SUCCESS', transaction()), signer)
const refundTold = (change: object = {}) => {
  const { status, ...rest } = refundAnswer()
  return { ...rest, refund_status: status, mchid: MERCHANT, ...change }
}
const refundMessage = () => messageOf(messageBody('REFUND.SUCCESS', refundTold()))
const whyNot = (message: Message, from: PayProvider = provider): Promise<string> =>
  from.readNotification(message).then(
    (it: Notification) => `taken: ${JSON.stringify(it)}`,
    (error: Error) => (error instanceof BadNotification ? error.why : `${error.name}: ${error.message}`),
  )

describe('a message is refused', () => {
  it.each([
    ['without a signature', () => messageOf('{}'), 'signature'],
    ['without a time', () => paidMessage(), 'timestamp'],
    ['without a nonce', () => paidMessage(), 'nonce'],
    ['without a serial', () => paidMessage(), 'serial'],
  ])('%s', async (_name, make, header) => {
    const message = make()
    delete message.headers[`wechatpay-${header}`]
    expect(await whyNot(message)).toBe('form')
  })

  it.each(['timestamp', 'nonce', 'signature', 'serial'])('with two of %s', async (header) => {
    const message = paidMessage()
    const value = message.headers[`wechatpay-${header}`]
    message.headers[`wechatpay-${header}`] = [String(value), String(value)]
    expect(await whyNot(message)).toBe('form')
  })

  it('that is longer than any message', async () => {
    const body = messageBody('TRANSACTION.SUCCESS', transaction(), SECRET, { summary: 'x'.repeat(65_000) })
    expect(await whyNot(messageOf(body))).toBe('form')
  })

  it.each([
    ['of another key', () => paidMessage({ by: stranger, serial: wechat.serial }), 'signature'],
    ['signed in another way', () => paidMessage(), 'signature'],
    ['of a certificate that nobody knows', () => paidMessage({ by: stranger }), 'serial'],
    ['of the merchant itself', () => paidMessage({ by: merchant }), 'serial'],
    ['of more than five minutes ago', () => paidMessage({ at: AT - 5 * MINUTE_MS - 1 }), 'stale'],
    ['of more than five minutes later', () => paidMessage({ at: AT + 5 * MINUTE_MS + 1_000 }), 'stale'],
  ])('%s', async (name, make, why) => {
    const message = make()
    if (name === 'signed in another way')
      message.headers['wechatpay-signature-type'] = 'WECHATPAY2-SM2-WITH-SM3'
    expect(await whyNot(message)).toBe(why)
  })

  it('when WeChat only tests whether it is verified', async () => {
    const message = paidMessage()
    message.headers['wechatpay-signature'] = `WECHATPAY/SIGNTEST/${message.headers['wechatpay-signature']}`
    expect(await whyNot(message)).toBe('probe')
  })

  it('whose body was changed after it was signed', async () => {
    const { headers, body } = paidMessage()
    expect(
      await whyNot({ headers, body: Buffer.from(body.toString().replace('支付成功', '支付失败')) }),
    ).toBe('signature')
  })

  it('that is encrypted with another key', async () => {
    const body = messageBody('TRANSACTION.SUCCESS', transaction(), 'of-somebody-else-0123456789abcde')
    expect(await whyNot(messageOf(body))).toBe('secret')
  })

  it.each([
    ['no JSON', 'no JSON'],
    ['no object', '[]'],
    ['nothing in it', '{}'],
    ['no id', messageBody('TRANSACTION.SUCCESS', transaction(), SECRET, { id: '' })],
    [
      'another encryption',
      messageBody('TRANSACTION.SUCCESS', transaction(), SECRET, {
        resource: { ...encrypted('{}'), algorithm: 'AEAD_SM4_GCM' },
      }),
    ],
    ['a resource that is no JSON', messageBody('TRANSACTION.SUCCESS', 'paid')],
    [
      'a payment that was not made',
      messageBody('TRANSACTION.SUCCESS', transaction({ trade_state: 'NOTPAY' })),
    ],
    ['a payment without a number', messageBody('TRANSACTION.SUCCESS', transaction({ out_trade_no: '' }))],
    ['a payment without a time', messageBody('TRANSACTION.SUCCESS', transaction({ success_time: 'today' }))],
    [
      'only what the buyer paid',
      messageBody('TRANSACTION.SUCCESS', transaction({ amount: { payer_total: 1_800, currency: 'CNY' } })),
    ],
    ['no currency', messageBody('TRANSACTION.SUCCESS', transaction({ amount: { total: 1_800 } }))],
    [
      'an amount in text',
      messageBody('TRANSACTION.SUCCESS', transaction({ amount: { total: '1800', currency: 'CNY' } })),
    ],
    [
      'an amount below nothing',
      messageBody('TRANSACTION.SUCCESS', transaction({ amount: { total: -1, currency: 'CNY' } })),
    ],
    ['a refund in another state', messageBody('REFUND.SUCCESS', refundTold({ refund_status: 'NEW' }))],
    [
      'a refund that is done at no time',
      messageBody('REFUND.SUCCESS', refundTold({ success_time: undefined })),
    ],
    ['a refund that is no object', messageBody('REFUND.SUCCESS', 'null')],
  ])('that is signed and has %s', async (_name, body) => {
    expect(await whyNot(messageOf(body))).toBe('form')
  })

  it('later, when there are no certificates to verify it with', async () => {
    answers.set('GET /v3/certificates', () => new Response('busy', { status: 502 }))
    expect(await whyNot(paidMessage())).toBe('PayFailed: wechat answers status 502 without certificates')
    expect(await whyNot(paidMessage())).toBe('PayFailed: wechat has given no certificates')
  })
})

/** Small, seeded, and the same on every machine. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const HEADERS = ['timestamp', 'nonce', 'signature', 'serial'] as const
/** Kinds of bytes of a body. */
const CLASSES: readonly RegExp[] = [/[a-z]/, /[A-Z]/, /\d/, /["{}[\]:,]/, /[+/=]/, /[^\x20-\x7e]/, /./s]

/** A genuine message with one thing changed. */
function mutated(draw: () => number, genuine: Message): Message {
  const below = (count: number) => Math.floor(draw() * count)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  const headers = { ...genuine.headers }
  if (below(2) === 0) {
    const name = `wechatpay-${pick(HEADERS)}`
    const value = String(headers[name])
    const at = below(value.length)
    const char = String.fromCharCode(33 + below(94))
    headers[name] = pick([
      value.slice(0, at) + char + value.slice(at + 1),
      value.slice(0, at) + value.slice(at + 1),
      value.slice(0, at) + char + value.slice(at),
      value + char,
      value.slice(0, at).toLowerCase() + value.slice(at).toUpperCase(),
      [...value].reverse().join(''),
      ` ${value}`,
      '',
    ])
    return { headers, body: genuine.body }
  }
  const text = genuine.body.toString('latin1')
  const wanted = pick(CLASSES)
  const places = [...text].flatMap((char, at) => (wanted.test(char) ? [at] : []))
  const at = places.length === 0 ? below(text.length) : pick(places)
  const byte = String.fromCharCode(below(256))
  const body = pick([
    text.slice(0, at) + byte + text.slice(at + 1),
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + byte + text.slice(at),
    text.slice(0, at),
    `${text.slice(0, at)}${text[at]}${text.slice(at)}`,
    `${text}${pick(['\n', ' ', '\0', '{}'])}`,
    text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << below(8))) + text.slice(at + 1),
  ])
  return { headers, body: Buffer.from(body, 'latin1') }
}

const isSame = (a: Message, b: Message): boolean =>
  a.body.equals(b.body) &&
  HEADERS.every((name) => a.headers[`wechatpay-${name}`] === b.headers[`wechatpay-${name}`])

it('none of twelve thousand changed messages is taken, and none whose time is over', async () => {
  const draw = random(20_260_801)
  const genuine = [paidMessage(), refundMessage()]
  for (const message of genuine) expect(await whyNot(message)).toMatch(/^taken/)
  const whys = new Map<string, number>()
  const taken: Message[] = []
  for (let count = 0; count < 12_000; ) {
    const message = mutated(draw, genuine[count % genuine.length]!)
    if (genuine.some((it) => isSame(it, message))) continue
    count += 1
    const why = await whyNot(message)
    if (why.startsWith('taken') || why.includes(':')) taken.push(message)
    whys.set(why, (whys.get(why) ?? 0) + 1)
  }
  expect(taken).toEqual([])
  expect([...whys.keys()].sort()).toEqual(['form', 'serial', 'signature', 'stale'])
  // Whoever sends serials that nobody knows does not make the server ask WeChat each time.
  expect(times('/v3/certificates')).toBe(1)

  now = AT + 5 * MINUTE_MS + 1_000
  for (const message of genuine) expect(await whyNot(message)).toBe('stale')
})

describe('a genuine message', () => {
  it('tells of a payment, with its whole amount', async () => {
    expect(await provider.readNotification(paidMessage())).toEqual({
      ...{ kind: 'paid', id: 'EV-2018022511223320873', fact: FACT },
    })
  })

  it('is read up to five minutes late', async () => {
    expect(await whyNot(paidMessage({ at: AT - 5 * MINUTE_MS }))).toMatch(/^taken/)
  })

  it.each([
    ['SUCCESS', DONE],
    ['CLOSED', { state: 'refused', why: 'CLOSED' }],
    ['ABNORMAL', { state: 'refused', why: 'ABNORMAL' }],
    ['PROCESSING', { state: 'waiting' }],
  ])('tells of a refund that is %s', async (refund_status, answer) => {
    const message = messageOf(messageBody(`REFUND.${refund_status}`, refundTold({ refund_status })))
    expect(await provider.readNotification(message)).toEqual({
      ...{ kind: 'refund', id: 'EV-2018022511223320873', tradeNo: TRADE, refundNo: 'R0001', answer },
    })
  })

  it('may be about something else', async () => {
    const message = messageOf(messageBody('PAYSCORE.USER_OPEN_SERVICE', { openid: 'oBuyer' }))
    expect(await provider.readNotification(message)).toEqual({ kind: 'other', id: 'EV-2018022511223320873' })
  })

  it('is answered as WeChat asks', () => {
    expect(provider.reply('taken', paidMessage())).toEqual({ status: 204, type: 'json', body: '' })
    for (const [result, status] of [
      ['refused', 401],
      ['later', 500],
    ] as const) {
      const reply = provider.reply(result, paidMessage())
      expect([reply.status, reply.type, JSON.parse(reply.body).code]).toEqual([status, 'json', 'FAIL'])
    }
  })
})

describe('certificates', () => {
  const ofCertificates = async (answer: Answer): Promise<string> => {
    answers.set('GET /v3/certificates', answer)
    return whyNot(paidMessage(), open())
  }

  it.each([
    [
      'for another key',
      () => signed(200, certificatesBody([wechat], 'of-somebody-else-0123456789abcde')),
      'wechat answers with certificates for another APIv3 key',
    ],
    [
      'under another serial',
      () => signed(200, certificatesBody([{ ...wechat, certificate: stranger.certificate }])),
      'wechat answers with something else than certificates',
    ],
    [
      'that are none',
      () => signed(200, certificatesBody([{ ...wechat, certificate: 'certificate' }])),
      'wechat answers with something else than certificates',
    ],
    ['in another form', () => signed(200, '[]'), 'wechat answers with something else than certificates'],
    [
      'that none of them signed',
      () => signed(200, certificatesBody([wechat]), { by: stranger, serial: wechat.serial }),
      'wechat answers with a signature that is not its own',
    ],
    [
      'signed by another one',
      () => signed(200, certificatesBody([wechat]), { by: stranger }),
      'wechat answers with a signature that is not its own',
    ],
    [
      'without a signature',
      () => new Response(JSON.stringify(certificatesBody([wechat]))),
      'wechat answers status 200 without a signature',
    ],
    [
      'of yesterday',
      () => signed(200, certificatesBody([wechat]), { at: now - 24 * 60 * MINUTE_MS }),
      'wechat answers with a signature of another time',
    ],
  ])('%s verify nothing', async (_name, answer, words) => {
    expect(await ofCertificates(answer)).toBe(`PayFailed: ${words}`)
  })

  it('are asked for once, for many messages at the same time', async () => {
    await Promise.all(
      [paidMessage(), refundMessage(), paidMessage()].map((it) => provider.readNotification(it)),
    )
    expect(times('/v3/certificates')).toBe(1)
  })

  it('may change in the middle, and both count', async () => {
    const before = paidMessage()
    expect(await whyNot(before)).toMatch(/^taken/)
    handedOut = [wechat, newer]
    now += MINUTE_MS
    expect(await whyNot(paidMessage({ by: newer }))).toMatch(/^taken/)
    expect(await whyNot(before)).toMatch(/^taken/)
    expect(times('/v3/certificates')).toBe(2)
  })

  it('are asked for again a minute after they were, and not before', async () => {
    await provider.readNotification(paidMessage())
    now += MINUTE_MS - 1
    expect(await whyNot(paidMessage({ by: newer }))).toBe('serial')
    expect(times('/v3/certificates')).toBe(1)
    now += 1
    handedOut = [newer]
    expect(await whyNot(paidMessage({ by: newer }))).toMatch(/^taken/)
    // WeChat has taken the old one back.
    expect(await whyNot(paidMessage())).toBe('serial')
  })

  it('end', async () => {
    await provider.readNotification(paidMessage())
    now = new Date(new X509Certificate(wechat.certificate).validTo).getTime()
    expect(await whyNot(paidMessage())).toBe('serial')
  })

  it('that count are kept while WeChat hands none out', async () => {
    await provider.readNotification(paidMessage())
    answers.set('GET /v3/certificates', () => new Response('busy', { status: 502 }))
    now += MINUTE_MS
    expect(await whyNot(paidMessage({ by: newer }))).toBe('serial')
    expect(await whyNot(paidMessage())).toMatch(/^taken/)
  })
})

describe('WeChat’s public key', () => {
  const id = 'PUB_KEY_ID_0119000001092026080100000000000000'
  const withKey = () => open({ publicKey: { id, pem: newer.publicKey } })

  it('is no key', () => {
    expect(() => open({ publicKey: { id, pem: 'no key' } })).toThrow()
  })

  it.each([
    ['of another id', () => paidMessage({ by: newer, serial: `${id}1` }), 'serial'],
    ['of another key', () => paidMessage({ by: stranger, serial: id }), 'signature'],
  ])('does not verify a message %s', async (_name, make, why) => {
    expect(await whyNot(make(), withKey())).toBe(why)
    expect(asked).toEqual([])
  })

  it('verifies messages and answers, and is asked for', async () => {
    const keyed = withKey()
    expect(await whyNot(paidMessage({ by: newer, serial: id }), keyed)).toMatch(/^taken/)
    answers.set(`GET ${QUERY}`, () => signed(200, transaction(), { by: newer, serial: id }))
    expect(await keyed.query(TRADE, soon())).toEqual({ state: 'paid', fact: FACT })
    expect(asked.map(({ headers }) => headers.get('wechatpay-serial'))).toEqual([id])
  })

  it('counts beside certificates, from which a merchant changes to it', async () => {
    expect(await whyNot(paidMessage(), withKey())).toMatch(/^taken/)
    answers.set('GET /v3/certificates', refusal(404, 'RESOURCE_NOT_EXISTS'))
    expect(await whyNot(paidMessage(), withKey())).toBe('serial')
  })
})

describe('a merchant’s own keys', () => {
  it.each([
    [{ privateKey: 'no key' }, 'the private key for WeChat Pay must be an RSA key as PEM'],
    [{ apiV3Key: 'short' }, 'the APIv3 key must have 32 characters'],
  ])('that are none are refused, and not told: %j', (change, words) => {
    expect(() => open(change)).toThrow(words)
  })
})

describe('an answer is not believed', () => {
  const paid = () => JSON.stringify(transaction())
  const cases: [string, Answer, string][] = [
    ['without a signature', () => new Response(paid()), 'answers status 200 without a signature'],
    [
      'that refuses without a signature',
      () => new Response('{"code":"ORDER_NOT_EXIST"}', { status: 404 }),
      'answers ORDER_NOT_EXIST without a signature',
    ],
    [
      'that is for somebody else',
      () => new Response('{"code":"SIGN_ERROR"}', { status: 401 }),
      'answers SIGN_ERROR without a signature',
    ],
    [
      'of another key',
      () => signed(200, paid(), { by: stranger, serial: wechat.serial }),
      'answers with a signature that is not its own',
    ],
    [
      'of a certificate that nobody knows',
      () => signed(200, paid(), { by: stranger }),
      'answers with a signature that is not its own',
    ],
    [
      'with another body',
      () => new Response(paid().replace('1800', '1900'), { headers: signedHeaders(paid()) }),
      'answers with a signature that is not its own',
    ],
    [
      'of ten minutes ago',
      () => signed(200, paid(), { at: now - 10 * MINUTE_MS }),
      'answers with a signature of another time',
    ],
    [
      'about another payment',
      () => signed(200, transaction({ out_trade_no: 'G2' })),
      'answers with something else than a payment',
    ],
    [
      'about another merchant’s payment',
      () => signed(200, transaction({ mchid: '1' })),
      'answers with something else than a payment',
    ],
    [
      'in a state that is none',
      () => signed(200, transaction({ trade_state: 'GIFT' })),
      'answers with something else than a payment',
    ],
    [
      'about a payment without an amount',
      () => signed(200, transaction({ amount: undefined })),
      'answers with something else than a payment',
    ],
    ['that is no JSON', () => signed(200, 'paid'), 'answers with something else than a payment'],
    ['that is too long', () => new Response('x'.repeat(300_000)), 'answers with too much'],
    [
      'of a busy provider',
      () => new Response('{"code":"SYSTEM_ERROR"}', { status: 500 }),
      'answers SYSTEM_ERROR',
    ],
    ['of a gateway', () => new Response('<html>', { status: 502 }), 'answers status 502'],
    [
      'to too many calls',
      () => new Response('{"code":"FREQUENCY_LIMITED"}', { status: 429 }),
      'answers FREQUENCY_LIMITED',
    ],
    ['that refuses', refusal(400, 'PARAM_ERROR'), 'answers PARAM_ERROR'],
    ['with a code that is none', refusal(400, 'a secret: 1'), 'answers status 400'],
    ['that does not come', () => Promise.reject(new TypeError('fetch failed: wx')), 'cannot be reached'],
  ]
  it.each(cases)('%s', async (_name, answer, words) => {
    answers.set(`GET ${QUERY}`, answer)
    expect(await failure(provider.query(TRADE, soon()))).toBe(`PayFailed: wechat ${words}`)
  })

  it('that takes too long', async () => {
    answers.set(`GET ${QUERY}`, () => Promise.reject(new DOMException('aborted', 'AbortError')))
    expect(await failure(provider.query(TRADE, AbortSignal.abort()))).toBe(
      'PayFailed: wechat does not answer in time',
    )
  })
})

const payment = (change: Partial<NewPayment> = {}): NewPayment => ({
  ...{
    scene: 'inside',
    tradeNo: TRADE,
    fee: 1_800,
    subject: 'BUFF 会员 30 天',
    expiresAt: AT + 15 * MINUTE_MS,
  },
  ...{ clientIp: '203.0.113.7', returnUrl: 'https://hall.example/account/buff?from=h5&x=1', payer: 'oBuyer' },
  ...change,
})
const content = (): Record<string, unknown> => JSON.parse(asked.find(({ method }) => method === 'POST')!.body)

describe('a payment', () => {
  it('is not started inside of WeChat for nobody, nor in an app that is none', async () => {
    const { payer: _nobody, ...nobody } = payment()
    expect(await failure(provider.start(nobody, soon()))).toBe('PayRefused: wechat refuses: NO_PAYER')
    const without = open({ openAppId: null })
    expect(await failure(without.start(payment({ scene: 'app' }), soon()))).toBe(
      'PayRefused: wechat refuses: NO_APP',
    )
    expect(asked).toEqual([])
    expect([without.scenes, without.apps]).toEqual([['inside', 'phone', 'qr'], [APP]])
    expect([provider.scenes, provider.apps]).toEqual([
      ['inside', 'phone', 'qr', 'app'],
      [APP, OPEN_APP],
    ])
    expect([provider.way, provider.merchant]).toEqual(['wechat', MERCHANT])
  })

  it.each([
    [refusal(403, 'OUT_TRADE_NO_USED'), 'PayRefused: wechat refuses: OUT_TRADE_NO_USED'],
    [refusal(400, 'PARAM_ERROR'), 'PayRefused: wechat refuses: PARAM_ERROR'],
    [refusal(403, 'RULELIMIT'), 'PayFailed: wechat answers RULELIMIT'],
    [() => new Response('', { status: 500 }), 'PayFailed: wechat answers status 500'],
    [() => signed(200, {}), 'PayFailed: wechat answers without prepay_id'],
  ] as [Answer, string][])('that WeChat does not start is refused or fails: %#', async (answer, words) => {
    answers.set('POST /v3/pay/transactions/jsapi', answer)
    expect(await failure(provider.start(payment(), soon()))).toBe(words)
  })

  it.each(['javascript:alert(1)', 'http://wx.tenpay.com/pay', 'no address'])(
    'does not send a browser to %s',
    async (h5_url) => {
      answers.set('POST /v3/pay/transactions/h5', () => signed(200, { h5_url }))
      expect(await failure(provider.start(payment({ scene: 'phone' }), soon()))).toBe(
        'PayFailed: wechat answers with an address that is not its own',
      )
    },
  )

  it('inside of WeChat is opened by signed parameters', async () => {
    answers.set('POST /v3/pay/transactions/jsapi', () => signed(200, { prepay_id: 'wx201410272009' }))
    const data = await provider.start(payment(), soon())
    if (data.kind !== 'weixin') throw new Error(data.kind)
    expect(data.params).toMatchObject({
      ...{ appId: APP, timeStamp: String(AT / 1_000), package: 'prepay_id=wx201410272009', signType: 'RSA' },
    })
    const { appId, timeStamp, nonceStr, package: packed, paySign = '' } = data.params
    const text = `${appId}\n${timeStamp}\n${nonceStr}\n${packed}\n`
    const { publicKey } = new X509Certificate(merchant.certificate)
    expect(verify('sha256', Buffer.from(text), publicKey, Buffer.from(paySign, 'base64'))).toBe(true)
    expect(content()).toEqual({
      ...{
        appid: APP,
        mchid: MERCHANT,
        out_trade_no: TRADE,
        notify_url: NOTIFY,
        payer: { openid: 'oBuyer' },
      },
      ...{ description: 'BUFF 会员 30 天', time_expire: '2026-08-01T12:15:00+08:00' },
      ...{ amount: { total: 1_800, currency: 'CNY' }, scene_info: { payer_client_ip: '203.0.113.7' } },
    })
  })

  it('on another phone is an address that leads back', async () => {
    const h5_url = 'https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx1&package=2'
    answers.set('POST /v3/pay/transactions/h5', () => signed(200, { h5_url }))
    const data = await provider.start(payment({ scene: 'phone' }), soon())
    expect(data).toEqual({
      kind: 'redirect',
      url: `${h5_url}&redirect_url=https%3A%2F%2Fhall.example%2Faccount%2Fbuff%3Ffrom%3Dh5%26x%3D1`,
    })
    expect(content().scene_info).toEqual({ payer_client_ip: '203.0.113.7', h5_info: { type: 'Wap' } })
    expect(content()).not.toHaveProperty('payer')
  })

  it('on a desk is a code', async () => {
    const code_url = 'weixin://wxpay/bizpayurl?pr=JyC91EIz1'
    answers.set('POST /v3/pay/transactions/native', () => signed(200, { code_url }))
    expect(await provider.start(payment({ scene: 'qr' }), soon())).toEqual({ kind: 'qr', code: code_url })
  })

  it('in the native app is of that app', async () => {
    answers.set('POST /v3/pay/transactions/app', () => signed(200, { prepay_id: 'wx201410272009' }))
    const data = await provider.start(payment({ scene: 'app' }), soon())
    expect(data).toMatchObject({
      kind: 'weixin_app',
      params: {
        appId: OPEN_APP,
        partnerId: MERCHANT,
        prepayId: 'wx201410272009',
        packageValue: 'Sign=WXPay',
      },
    })
    expect(content().appid).toBe(OPEN_APP)
  })

  it.each([
    ['a'.repeat(200), 'a'.repeat(127)],
    ['会'.repeat(100), '会'.repeat(42)],
    ['  \n公会\t币\u0000 ', '公会 币'],
    ['\n', TRADE],
  ])('is called by as much of its words as fits: %j', async (subject, description) => {
    answers.set('POST /v3/pay/transactions/native', () => signed(200, { code_url: 'weixin://wxpay' }))
    await provider.start(payment({ scene: 'qr', subject }), soon())
    expect(content().description).toBe(description)
  })
})

describe('asked for a payment, WeChat', () => {
  it.each(['ORDER_NOT_EXIST', 'ORDERNOTEXIST', 'RESOURCE_NOT_EXISTS'])(
    'does not know it: %s',
    async (code) => {
      answers.set(`GET ${QUERY}`, refusal(404, code))
      expect(await provider.query(TRADE, soon())).toEqual({ state: 'unknown' })
    },
  )

  it.each([
    ['NOTPAY', 'waiting'],
    ['USERPAYING', 'waiting'],
    ['ACCEPT', 'waiting'],
    ['PAYERROR', 'waiting'],
    ['CLOSED', 'closed'],
    ['REVOKED', 'closed'],
  ])('says %s', async (trade_state, state) => {
    const { mchid, appid, out_trade_no } = transaction()
    answers.set(`GET ${QUERY}`, () => signed(200, { mchid, appid, out_trade_no, trade_state }))
    expect(await provider.query(TRADE, soon())).toEqual({ state })
  })

  it.each(['SUCCESS', 'REFUND'])('says that it is paid: %s', async (trade_state) => {
    answers.set(`GET ${QUERY}`, () => signed(200, transaction({ trade_state })))
    expect(await provider.query(TRADE, soon())).toEqual({ state: 'paid', fact: FACT })
    expect(asked.find(({ target }) => target.startsWith(QUERY))?.target).toBe(`${QUERY}?mchid=${MERCHANT}`)
  })
})

describe('closing a payment', () => {
  const CLOSE = `POST ${QUERY}/close`

  it.each([
    [refusal(400, 'SYSTEMERROR'), 'PayFailed: wechat answers SYSTEMERROR'],
    [refusal(403, 'TRADE_ERROR'), 'PayFailed: wechat answers TRADE_ERROR'],
    [() => new Response(null, { status: 204 }), 'PayFailed: wechat answers status 204 without a signature'],
  ] as [Answer, string][])('fails: %#', async (answer, words) => {
    answers.set(CLOSE, answer)
    answers.set(`GET ${QUERY}`, () => signed(200, transaction({ trade_state: 'NOTPAY' })))
    expect(await failure(provider.close(TRADE, soon()))).toBe(words)
  })

  it.each(['ORDERPAID', 'ORDER_PAID'])('that was paid says so: %s', async (code) => {
    answers.set(CLOSE, refusal(400, code))
    expect(await provider.close(TRADE, soon())).toBe('paid')
  })

  it.each([
    ['SUCCESS', 'paid'],
    ['CLOSED', 'closed'],
  ])('that is refused by another code is what a query says: %s', async (trade_state, state) => {
    answers.set(CLOSE, refusal(400, 'INVALID_REQUEST'))
    answers.set(`GET ${QUERY}`, () => signed(200, transaction({ trade_state })))
    expect(await provider.close(TRADE, soon())).toBe(state)
  })

  it.each(['ORDER_CLOSED', 'ORDER_NOT_EXIST'])('again, or one that is unknown, is done: %s', async (code) => {
    answers.set(CLOSE, refusal(400, code))
    expect(await provider.close(TRADE, soon())).toBe('closed')
  })

  it('is done', async () => {
    answers.set(CLOSE, () => signed(204, ''))
    expect(await provider.close(TRADE, soon())).toBe('closed')
    expect(content()).toEqual({ mchid: MERCHANT })
  })
})

describe('a refund', () => {
  const REFUNDS = '/v3/refund/domestic/refunds'

  it.each([
    [refusal(403, 'FREQUENCY_LIMITED'), 'answers FREQUENCY_LIMITED'],
    [() => signed(200, refundAnswer({ out_refund_no: 'R2' })), 'answers with something else than a refund'],
    [() => signed(200, refundAnswer({ out_trade_no: 'G2' })), 'answers with something else than a refund'],
    [() => signed(200, refundAnswer({ status: 'NEW' })), 'answers with something else than a refund'],
    [() => signed(200, refundAnswer({ success_time: '' })), 'answers with something else than a refund'],
    [() => new Response('', { status: 503 }), 'answers status 503'],
  ] as [Answer, string][])('fails: %#', async (answer, words) => {
    answers.set(`POST ${REFUNDS}`, answer)
    answers.set(`GET ${REFUNDS}/R0001`, answer)
    expect(await failure(provider.refund(REFUND, soon()))).toBe(`PayFailed: wechat ${words}`)
    expect(await failure(provider.queryRefund(REFUND, soon()))).toBe(`PayFailed: wechat ${words}`)
  })

  it.each(['NOT_ENOUGH', 'USER_ACCOUNT_ABNORMAL', 'RESOURCE_NOT_EXISTS'])(
    'is refused for a person to look at: %s',
    async (why) => {
      answers.set(`POST ${REFUNDS}`, refusal(403, why))
      expect(await provider.refund(REFUND, soon())).toEqual({ state: 'refused', why })
    },
  )

  it.each([
    ['PROCESSING', { state: 'waiting' }],
    ['CLOSED', { state: 'refused', why: 'CLOSED' }],
    ['ABNORMAL', { state: 'refused', why: 'ABNORMAL' }],
    ['SUCCESS', DONE],
  ])('is %s', async (status, answer) => {
    const said = () => signed(200, refundAnswer({ status }))
    answers.set(`POST ${REFUNDS}`, said)
    answers.set(`GET ${REFUNDS}/R0001`, said)
    expect(await provider.refund(REFUND, soon())).toEqual(answer)
    expect(await provider.queryRefund(REFUND, soon())).toEqual(answer)
    expect(content()).toEqual({
      ...{ transaction_id: FACT.providerNo, out_refund_no: 'R0001', reason: '重复支付', notify_url: NOTIFY },
      amount: { refund: 600, total: 1_800, currency: 'CNY' },
    })
  })

  it('of a payment whose number is not known names ours, and needs no reason', async () => {
    answers.set(`POST ${REFUNDS}`, () => signed(200, refundAnswer()))
    await provider.refund({ ...REFUND, providerNo: '', reason: '' }, soon())
    expect(content()).toMatchObject({ out_trade_no: TRADE })
    expect(content()).not.toHaveProperty('transaction_id')
    expect(content()).not.toHaveProperty('reason')
  })

  it('that WeChat does not know is unknown', async () => {
    answers.set(`GET ${REFUNDS}/R0001`, refusal(404, 'RESOURCE_NOT_EXISTS'))
    expect(await provider.queryRefund(REFUND, soon())).toEqual({ state: 'unknown' })
  })
})

describe('a bill', () => {
  const APPLY = 'GET /v3/bill/tradebill'
  const FILE = '/v3/billdownload/file'
  const HEADER =
    '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
  const PAYMENT =
    '`2026-07-31 23:59:59,`wx81be3101902f7cb2,`1601959334,`0,`,`4200000925202101284997714292,`S20210128170702357723,`ofyak5qR,`NATIVE,`SUCCESS,`OTHERS,`CNY,`5.00,`1.00,`0,`0,`0.00,`0.00,`,`,`卡,`a`b,`,`0.04000,`0.60%,`6.00,`0.00,`'
  const REFUNDED =
    '`2026-07-31 12:00:00,`wxapp,`1900000001,`0,`,`420000001,`PAY-1,`openid,`JSAPI,`REFUND,`OTHERS,`CNY,`0.00,`0.00,`503000001,`RF-1,`1.00,`0.00,`ORIGINAL,`SUCCESS,`测试,`,`-0.01000,`0.60%,`0.00,`1.23,`'
  const SUMS = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'
  const text = (rows: readonly string[], count = rows.length): string =>
    [HEADER, ...rows, SUMS, `\`${count},\`6.00,\`1.23,\`0.00,\`0.03000,\`6.00,\`1.23`, ''].join('\r\n')

  function billIs(bytes: string | Uint8Array, change: object = {}): void {
    const hash_value = createHash('sha1').update(bytes).digest('hex').toUpperCase()
    const download_url = `https://api.mch.weixin.qq.com${FILE}?token=a-b_c`
    answers.set(APPLY, () => signed(200, { hash_type: 'SHA1', hash_value, download_url, ...change }))
    // WeChat does not sign files.
    answers.set(`GET ${FILE}`, () => new Response(bytes as unknown as string))
  }

  it.each([
    ['of another hash', text([PAYMENT]), { hash_value: '0'.repeat(40) }, 'with a bill of another hash'],
    [
      'at another host',
      text([]),
      { download_url: 'https://evil.example/' },
      'with an address that is not its own',
    ],
    [
      'at a host that is almost WeChat’s',
      text([]),
      { download_url: 'https://xmch.weixin.qq.com.evil.example/' },
      'with an address that is not its own',
    ],
    [
      'at an address without encryption',
      text([]),
      { download_url: `http://api.mch.weixin.qq.com${FILE}` },
      'with an address that is not its own',
    ],
    ['of another kind of hash', text([]), { hash_type: 'MD5' }, 'with something else than a bill'],
    ['that is cut off before its sums', text([PAYMENT]).split(SUMS)[0]!, {}, 'with a bill that is cut off'],
    ['with a line less than it says', text([PAYMENT], 2), {}, 'with a bill that is cut off'],
    ['without a column', text([]).replace('手续费,', ''), {}, 'with a bill without 手续费'],
    [
      'with a field less',
      text([PAYMENT.replace(',`NATIVE', '')]),
      {},
      'with a bill with a line of another form',
    ],
    [
      'with an amount that is none',
      text([PAYMENT.replace('`6.00', '`6,00')]),
      {},
      'with a bill with a line of another form',
    ],
    [
      'with a part of a fen',
      text([PAYMENT.replace('`6.00', '`6.001')]),
      {},
      'with a bill with a line of another form',
    ],
    [
      'with an amount below nothing',
      text([PAYMENT.replace('`6.00', '`-6.00')]),
      {},
      'with a bill with a line of another form',
    ],
    [
      'with a time that is none',
      text([PAYMENT.replace('07-31', '02-30')]),
      {},
      'with a bill with a line of another form',
    ],
    [
      'with another state',
      text([PAYMENT.replace('SUCCESS', 'GIFT')]),
      {},
      'with a bill with a line of another form',
    ],
    ['that is no text', Buffer.from([0xff, 0xfe]), {}, 'with a bill that is no text'],
  ])('%s is not read', async (_name, bytes, change, words) => {
    billIs(bytes, change)
    expect(await failure(provider.bill('2026-07-31', soon()))).toBe(`PayFailed: wechat answers ${words}`)
  })

  it.each([
    [refusal(400, 'PARAM_ERROR'), 'PayFailed: wechat answers PARAM_ERROR'],
    [() => new Response('', { status: 500 }), 'PayFailed: wechat answers status 500'],
  ] as [Answer, string][])('fails: %#', async (answer, words) => {
    answers.set(APPLY, answer)
    expect(await failure(provider.bill('2026-07-31', soon()))).toBe(words)
  })

  it('of no day, and one whose file is gone', async () => {
    expect(await failure(provider.bill('2026-7-31', soon()))).toContain('is no day')
    billIs(text([]))
    answers.set(`GET ${FILE}`, refusal(400, 'PARAM_ERROR'))
    expect(await failure(provider.bill('2026-07-31', soon()))).toBe(
      'PayFailed: wechat answers PARAM_ERROR without the bill',
    )
  })

  it.each(['NO_STATEMENT_EXIST', 'STATEMENT_CREATING'])(
    'of a day that has none is none: %s',
    async (code) => {
      answers.set(APPLY, refusal(400, code))
      expect(await provider.bill('2026-07-31', soon())).toBeNull()
    },
  )

  it('has payments and refunds in fen, at times of Beijing', async () => {
    const failed = REFUNDED.replace('`RF-1', '`RF-2').replace('ORIGINAL,`SUCCESS', 'ORIGINAL,`FAIL')
    const revoked = PAYMENT.replace('SUCCESS', 'REVOKED')
    // Real ones begin with a mark of their bytes' order.
    billIs(`\ufeff${text([PAYMENT, REFUNDED, failed, revoked])}`)
    expect(await provider.bill('2026-07-31', soon())).toEqual([
      {
        ...{ kind: 'payment', tradeNo: 'S20210128170702357723', providerNo: '4200000925202101284997714292' },
        ...{ refundNo: '', fee: 600, charge: 4, at: Date.UTC(2026, 6, 31, 15, 59, 59) },
      },
      {
        ...{ kind: 'refund', tradeNo: 'PAY-1', providerNo: '420000001', refundNo: 'RF-1' },
        ...{ fee: 123, charge: -1, at: Date.UTC(2026, 6, 31, 4, 0, 0) },
      },
    ])
    expect(asked.map(({ target }) => target)).toEqual([
      ...['/v3/bill/tradebill?bill_date=2026-07-31&bill_type=ALL', '/v3/certificates'],
      `${FILE}?token=a-b_c`,
    ])
  })

  it('without lines has none', async () => {
    billIs(text([]))
    expect(await provider.bill('2026-07-31', soon())).toEqual([])
  })
})

describe('times', () => {
  it.each(['', '2026-08-01', '2026-08-01 12:00:00', '2026-02-30T12:00:00+08:00', '2026-08-01T12:00:00'])(
    '%j is none',
    (text) => {
      expect(fromWechatTime(text)).toBeNull()
    },
  )

  it('have a zone', () => {
    expect(wechatTime(AT)).toBe('2026-08-01T12:00:00+08:00')
    for (const text of ['2026-08-01T12:00:00+08:00', '2026-08-01T04:00:00Z', '2026-08-01T12:00:00.000+08:00'])
      expect(fromWechatTime(text)).toBe(AT)
  })
})
