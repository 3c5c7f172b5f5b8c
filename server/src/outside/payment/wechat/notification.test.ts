import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { describe, expect, it } from 'vitest'
import {
  AT,
  answers,
  DONE,
  encrypted,
  FACT,
  type Message,
  merchant,
  messageBody,
  messageOf,
  paidMessage,
  provider,
  refundMessage,
  refundNotified,
  SECRET,
  setNow,
  stranger,
  TRADE,
  times,
  transaction,
  useWechat,
  wechat,
  whyNot,
} from '../../../testing/pay/wechatSide.ts'

useWechat()

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
    [
      'a currency that is none',
      messageBody('TRANSACTION.SUCCESS', transaction({ amount: { total: 1_800, currency: 1 } })),
    ],
    [
      'an amount in text',
      messageBody('TRANSACTION.SUCCESS', transaction({ amount: { total: '1800', currency: 'CNY' } })),
    ],
    [
      'an amount below nothing',
      messageBody('TRANSACTION.SUCCESS', transaction({ amount: { total: -1, currency: 'CNY' } })),
    ],
    ['a refund in another state', messageBody('REFUND.SUCCESS', refundNotified({ refund_status: 'NEW' }))],
    [
      'a refund that is done at no time',
      messageBody('REFUND.SUCCESS', refundNotified({ success_time: undefined })),
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
  const indexes = [...text].flatMap((char, at) => (wanted.test(char) ? [at] : []))
  const at = indexes.length === 0 ? below(text.length) : pick(indexes)
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

  setNow(AT + 5 * MINUTE_MS + 1_000)
  for (const message of genuine) expect(await whyNot(message)).toBe('stale')
})

describe('a genuine message', () => {
  it('tells of a payment, with its whole amount', async () => {
    expect(await provider.readNotification(paidMessage())).toEqual({
      kind: 'paid',
      id: 'EV-2018022511223320873',
      fact: FACT,
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
    const message = messageOf(messageBody(`REFUND.${refund_status}`, refundNotified({ refund_status })))
    expect(await provider.readNotification(message)).toEqual({
      kind: 'refund',
      id: 'EV-2018022511223320873',
      tradeNo: TRADE,
      refundNo: 'R0001',
      answer,
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

describe('what WeChat sends otherwise than documented', () => {
  const paid = (change: object = {}) => messageBody('TRANSACTION.SUCCESS', transaction(change))
  const resource = (change: object) =>
    messageBody('TRANSACTION.SUCCESS', '', SECRET, {
      resource: { ...encrypted(JSON.stringify(transaction()), ''), ...change },
    })

  it.each([
    ['a mark of the byte order', () => messageOf(`\uFEFF${paid()}`)],
    ['space and ends of lines', () => messageOf(` \r\n${paid()}\n`)],
    ['no data that is authenticated', () => messageOf(resource({ associated_data: undefined }))],
    ['null for it', () => messageOf(resource({ associated_data: null }))],
    ['nothing in it', () => messageOf(resource({ associated_data: '' }))],
    ['no currency', () => messageOf(paid({ amount: { total: 1_800 } }))],
    ['null for the currency', () => messageOf(paid({ amount: { total: 1_800, currency: null } }))],
    ['members of a later version', () => messageOf(paid({ new_one: [null] }))],
  ] as [string, () => Message][])('tells of the payment: %s', async (_what, make) => {
    expect(await provider.readNotification(make())).toEqual({
      kind: 'paid',
      id: 'EV-2018022511223320873',
      fact: FACT,
    })
  })

  it('without a kind of signature, which some merchants are not told', async () => {
    const message = paidMessage()
    delete message.headers['wechatpay-signature-type']
    expect(await whyNot(message)).toMatch(/^taken/)
  })

  it.each(['PROCESSING', 'CLOSED', 'ABNORMAL'])(
    'a refund that is %s, with null for when it was made',
    async (refund_status) => {
      const body = messageBody(
        `REFUND.${refund_status}`,
        refundNotified({ refund_status, success_time: null }),
      )
      expect(await provider.readNotification(messageOf(body))).toMatchObject({ kind: 'refund' })
    },
  )

  it.each(['REFUND.NEW', 'TRANSACTION.PAYSCORE', 'MCHTRANSFER.BATCH.FINISHED', 'constructor', ''])(
    'an event of a later version changes nothing: %j',
    async (event) => {
      const why = await whyNot(messageOf(messageBody(event, { new_one: 1 })))
      expect(why).toBe(
        event.startsWith('REFUND.') ? 'form' : 'taken: {"kind":"other","id":"EV-2018022511223320873"}',
      )
    },
  )
})
