import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { AlipayConfig } from '../config/pay.ts'
import { replaceClock } from '../kit/clock.ts'
import { gbk } from '../sandbox/gbk.ts'
import { openAlipay } from './payAlipay.ts'
import { membersOf } from './payAlipayGateway.ts'
import type { NewPayment, Notification, PayProvider } from './payProvider.ts'

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2_048 })
const [alipay, application, stranger] = [keyPair(), keyPair(), keyPair()]
const bare = (key: KeyObject): string =>
  key
    .export(key.type === 'private' ? { type: 'pkcs8', format: 'der' } : { type: 'spki', format: 'der' })
    .toString('base64')
const signed = (text: string, key: KeyObject = alipay.privateKey, hash = 'RSA-SHA256'): string =>
  sign(hash, Buffer.from(text), key).toString('base64')

const AT = Date.UTC(2026, 7, 1, 4, 0, 0)
const restoreClock = replaceClock(() => AT)
afterAll(restoreClock)

// A gateway that answers what a test says.

type Said = { readonly method: string; readonly params: URLSearchParams }
type Answer = (reply: ServerResponse, said: Said) => void
let server: Server
let url: string
let provider: PayProvider
const answers = new Map<string, Answer>()
const asked: Said[] = []

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
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
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

const configOf = (change: Partial<AlipayConfig> = {}): AlipayConfig => ({
  ...{ appId: '2021000000000001', merchant: '2088000000000001', endpoint: `${url}/gateway.do` },
  ...{ privateKey: bare(application.privateKey), alipayPublicKey: bare(alipay.publicKey) },
  signScene: null,
  ...change,
})
const soon = () => AbortSignal.timeout(5_000)
const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    (it) => new Error(`it went well: ${JSON.stringify(it)}`),
    (thrown: Error) => thrown,
  )
  return `${error.name}: ${error.message}`
}

const QUERY = 'alipay.trade.query'
const CLOSE = 'alipay.trade.close'
const REFUND = 'alipay.trade.refund'
const REFUND_QUERY = 'alipay.trade.fastpay.refund.query'
const PRECREATE = 'alipay.trade.precreate'
const BILL = 'alipay.data.dataservice.bill.downloadurl.query'
const nameOf = (method: string) => `${method.replaceAll('.', '_')}_response`
const say = (method: string, content: string | object, key?: KeyObject): void => {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  answers.set(method, (reply) => reply.end(`{"${nameOf(method)}":${text},"sign":"${signed(text, key)}"}`))
}
const raw = (method: string, body: string | Buffer, status = 200): void => {
  answers.set(method, (reply) => reply.writeHead(status).end(body))
}
const ok = (more: object) => ({ code: '10000', msg: 'Success', ...more })
const refusal = (sub_code: string, code = '40004') => ({
  code,
  msg: 'Business Failed',
  sub_code,
  sub_msg: '…',
})

const PAID = {
  ...{ buyer_logon_id: '159****5620', buyer_pay_amount: '0.00', out_trade_no: 'T100', total_amount: '12.30' },
  ...{ send_pay_date: '2026-08-01 11:59:59', trade_no: '2026080122001400000000000001' },
  ...{ receipt_amount: '0.00', trade_status: 'TRADE_SUCCESS' },
}
const FACT = {
  ...{ tradeNo: 'T100', providerNo: '2026080122001400000000000001', merchant: '2088000000000001' },
  ...{ app: '2021000000000001', fee: 1_230, currency: 'CNY', paidAt: AT - 1_000 },
}

// Notifications, as Alipay's gateway sends them.

type Params = Readonly<Record<string, string>>
const TRADE: Params = {
  ...{ gmt_create: '2026-08-01 11:59:50', charset: 'utf-8', subject: '年度会员（一年）', version: '1.0' },
  ...{ buyer_id: '2088102000000001', invoice_amount: '12.30', notify_type: 'trade_status_sync' },
  ...{ notify_id: '2026080100222115959000000000000001', notify_time: '2026-08-01 12:00:00' },
  ...{ out_trade_no: 'T100', total_amount: '12.30', trade_no: PAID.trade_no, buyer_pay_amount: '12.30' },
  ...{ auth_app_id: '2021000000000001', app_id: '2021000000000001', seller_id: '2088000000000001' },
  ...{ receipt_amount: '12.30', point_amount: '0.00', buyer_logon_id: '159****5620' },
  ...{ fund_bill_list: '[{"amount":"12.30","fundChannel":"ALIPAYACCOUNT"}]' },
  ...{ gmt_payment: '2026-08-01 11:59:59', trade_status: 'TRADE_SUCCESS' },
}
const without = (params: Params, ...names: string[]): Params =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
const REFUNDED: Params = {
  ...without(TRADE, 'invoice_amount', 'receipt_amount', 'point_amount'),
  ...{ refund_fee: '5.00', gmt_refund: '2026-08-01 12:30:00.320', out_biz_no: 'R200' },
}
const CLOSED: Params = {
  ...without(TRADE, 'gmt_payment', 'fund_bill_list', 'buyer_pay_amount', 'receipt_amount'),
  ...{ trade_status: 'TRADE_CLOSED', gmt_close: '2026-08-01 12:15:00', refund_fee: '0.00' },
}
const GENUINE: readonly Params[] = [
  TRADE,
  { ...TRADE, trade_status: 'TRADE_FINISHED' },
  REFUNDED,
  { ...REFUNDED, trade_status: 'TRADE_CLOSED', refund_fee: '12.30', gmt_close: '2026-08-01 12:30:00' },
  CLOSED,
]

/** Java's form encoding, which Alipay's is. */
const encode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()~]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
const formOf = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
const textOf = (params: Params): string =>
  Object.keys(params)
    .sort()
    .map((name) => `${name}=${params[name]}`)
    .join('&')
const pairsOf = (params: Params, key?: KeyObject): [string, string][] => [
  ...Object.entries(params),
  ['sign', signed(textOf(params), key)],
  ['sign_type', 'RSA2'],
]
const read = (body: string | Buffer): Promise<Notification> =>
  provider.readNotification({ headers: {}, body: Buffer.from(body) })
const NO_BODY = { body: Buffer.alloc(0) }
const genuine = (params: Params): string => formOf(pairsOf(params))

describe('a message that nobody may believe', () => {
  const kept = (...names: string[]) => formOf(pairsOf(TRADE).filter(([name]) => !names.includes(name)))
  const swapped = (name: string, value: string) =>
    formOf(pairsOf(TRADE).map(([each, before]) => [each, each === name ? value : before]))
  const signature = signed(textOf(TRADE))
  const messages: readonly (readonly [string, string, string])[] = [
    ['nothing', '', 'form'],
    ['no form', '{"trade_status":"TRADE_SUCCESS"}', 'form'],
    ['a form that is too long', `${genuine(TRADE)}&a=${'x'.repeat(65_536)}`, 'form'],
    ['bytes that no form has', genuine(TRADE).replace('utf-8', 'utf-8\u0001'), 'form'],
    ['an empty parameter', `${genuine(TRADE)}&`, 'form'],
    ['a half escape', `${genuine(TRADE)}&a=%3`, 'form'],
    ['an escape that is no UTF-8', `${genuine(TRADE)}&a=%C3%28`, 'form'],
    ['the same parameter twice', `${genuine(TRADE)}&out_trade_no=T100`, 'form'],
    ['the signature twice', `${genuine(TRADE)}&sign=${encode(signature)}`, 'form'],
    ['the type of the signature twice', `${genuine(TRADE)}&sign_type=RSA2`, 'form'],
    ['no signature', kept('sign'), 'signature'],
    ['an empty signature', swapped('sign', ''), 'signature'],
    ['no type of the signature', kept('sign_type'), 'signature'],
    ['a signature in lower case', swapped('sign_type', 'rsa2'), 'signature'],
    ['a signature with a space', swapped('sign', `${signature} `), 'signature'],
    ['a signature without its end', swapped('sign', signature.replace(/=+$/, '')), 'signature'],
    [
      'a signature for addresses',
      swapped('sign', signature.replace(/\+/g, '-').replace(/\//g, '_')),
      'signature',
    ],
    ['a stranger’s signature', formOf(pairsOf(TRADE, stranger.privateKey)), 'signature'],
    ['the application’s own signature', formOf(pairsOf(TRADE, application.privateKey)), 'signature'],
    ['another amount', swapped('total_amount', '12.31'), 'signature'],
    ['another trade', swapped('out_trade_no', 'T101'), 'signature'],
    ['another state', swapped('trade_status', 'TRADE_FINISHED'), 'signature'],
    ['a parameter more', `${genuine(TRADE)}&refund_fee=0.01`, 'signature'],
    ['an empty parameter more', `${genuine(TRADE)}&body=`, 'signature'],
  ]
  it.each(messages.filter(([, body]) => body !== kept()))('%s', async (_, body, why) => {
    await expect(read(body)).rejects.toMatchObject({ name: 'BadNotification', why })
  })

  it('signed by the weaker type, even rightly', async () => {
    const pairs = Object.entries(TRADE)
    const body = formOf([
      ...pairs,
      ['sign', signed(textOf(TRADE), alipay.privateKey, 'RSA-SHA1')],
      ['sign_type', 'RSA'],
    ])
    await expect(read(body)).rejects.toMatchObject({ why: 'signature' })
  })

  it('that signs the type of its signature as well, which is another kind of message', async () => {
    const params = { ...TRADE, sign_type: 'RSA2' }
    const body = formOf([...Object.entries(params), ['sign', signed(textOf(params))]])
    await expect(read(body)).rejects.toMatchObject({ why: 'signature' })
  })

  it('whose parameters are joined into one, though the signed text is the same', async () => {
    const names = Object.keys(TRADE).sort()
    for (const [index, name] of names.slice(0, -1).entries()) {
      const next = names[index + 1] ?? ''
      const joined = { ...without(TRADE, next), [name]: `${TRADE[name]}&${next}=${TRADE[next]}` }
      expect(textOf(joined)).toBe(textOf(TRADE))
      await expect(read(genuine(joined))).rejects.toMatchObject({ why: 'form' })
    }
  })

  it('with parameters in the name of one', async () => {
    const text = textOf(TRADE)
    const cut = text.lastIndexOf('=')
    const body = formOf([
      [text.slice(0, cut), text.slice(cut + 1)],
      ['sign', signature],
      ['sign_type', 'RSA2'],
    ])
    await expect(read(body)).rejects.toMatchObject({ why: 'form' })
  })

  it.each([
    ...['notify_id', 'trade_status', 'out_trade_no', 'trade_no', 'app_id', 'seller_id', 'total_amount'],
    'gmt_payment',
  ])('genuine, but without %s', async (name) => {
    await expect(read(genuine(without(TRADE, name)))).rejects.toMatchObject({ why: 'form' })
    await expect(read(genuine({ ...TRADE, [name]: '' }))).rejects.toMatchObject({ why: 'form' })
  })

  it.each([
    ...['12.3', '12', '12.300', '012.30', '-12.30', '1e1', '12,30', ' 12.30', '１２.３０', '0x10.00', 'NaN'],
  ])('genuine, but of %s yuan', async (total_amount) => {
    await expect(read(genuine({ ...TRADE, total_amount }))).rejects.toMatchObject({ why: 'form' })
    await expect(
      read(genuine({ ...REFUNDED, gmt_refund: '', refund_fee: total_amount })),
    ).resolves.toBeDefined()
    await expect(
      read(genuine({ ...without(REFUNDED, 'gmt_refund'), refund_fee: total_amount })),
    ).rejects.toMatchObject({ why: 'form' })
  })

  it.each(['2026-02-30 10:00:00', '2026-08-01', 'now', '1785556799'])(
    'genuine, but paid at %s',
    async (gmt_payment) => {
      await expect(read(genuine({ ...TRADE, gmt_payment }))).rejects.toMatchObject({ why: 'form' })
    },
  )

  it('genuine, but in another charset', async () => {
    await expect(read(genuine({ ...TRADE, charset: 'GBK' }))).rejects.toMatchObject({ why: 'form' })
  })

  it('of any bytes at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        await expect(read(Buffer.from(bytes))).rejects.toMatchObject({ name: 'BadNotification' })
      }),
      { numRuns: 500 },
    )
  })
})

/** A small generator of numbers that is the same in every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

describe('a genuine message that was changed', () => {
  const CLASSES = [
    '0123456789',
    'abcdef',
    'ABCDEF',
    'xyz_',
    '&',
    '=',
    '%',
    '+',
    '.-:*',
    ' \t\r\n',
    '\0\u0001',
    'ÿ\u0080é',
  ]
  type Random = (below: number) => number
  const byteOf = (kind: string, random: Random) => kind[random(kind.length)] ?? ''
  /** Changes of the bytes of a parameter, by class of byte. */
  const edits: readonly ((text: string, byte: string, random: Random) => string)[] = [
    (text, byte, random) => {
      const at = random(text.length)
      return text.slice(0, at) + byte + text.slice(at + 1)
    },
    (text, byte, random) => {
      const at = random(text.length + 1)
      return text.slice(0, at) + byte + text.slice(at)
    },
    (text, byte) => text + byte,
    (text, byte) => byte + text,
  ]
  /** Changes of whole parameters. */
  const reshapes: readonly ((pairs: [string, string][], at: number, random: Random) => [string, string][])[] =
    [
      (pairs, at) => pairs.filter((_, index) => index !== at),
      (pairs, at) => [...pairs, pairs[at] ?? ['', '']],
      (pairs, at, random) => [...pairs, [pairs[at]?.[0] ?? '', String(random(1_000))]],
      (pairs, at) => pairs.map(([name, value], index) => [name, index === at ? '' : value]),
      (pairs, at) => pairs.map(([name, value], index) => [index === at ? name.toUpperCase() : name, value]),
      (pairs, at) => pairs.map(([name, value], index) => [index === at ? `${name}_` : name, value]),
      (pairs, at, random) => {
        const other = random(pairs.length)
        return pairs.map(([name, value], index) => [
          name,
          (index === at ? pairs[other]?.[1] : index === other ? pairs[at]?.[1] : value) ?? '',
        ])
      },
      (pairs, at, random) =>
        pairs.map(([name, value], index) => [
          name,
          index === at ? value.slice(0, random(value.length + 1)) : value,
        ]),
      (pairs, at) =>
        pairs.map(([name, value], index) => [name, index === at ? [...value].reverse().join('') : value]),
      (pairs, _, random) => [...pairs, [`extra_${random(1_000)}`, '1']],
      (pairs, at) => pairs.map(([name, value], index) => [name, index === at ? `${value}&a=1` : value]),
      (pairs, at) => pairs.map(([name, value], index) => [name, index === at ? encode(value) : value]),
    ]
  /** What a reader of forms makes of it, in order of names: a change that it does not see is none. */
  const meaning = (body: string): string =>
    JSON.stringify([...new URLSearchParams(body)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))

  it('is refused, each of ten thousand and more', async () => {
    const random = seeded(20_260_801)
    const counts = { changed: 0, same: 0 }
    const accepted: string[] = []
    const refusals = new Set<string>()
    const tryOut = async (before: string, after: string) => {
      const isChanged = meaning(after) !== meaning(before)
      counts[isChanged ? 'changed' : 'same'] += 1
      await read(Buffer.from(after, 'latin1')).then(
        () => isChanged && accepted.push(after),
        (error: { name: string; why: string }) => refusals.add(`${error.name} ${error.why}`),
      )
    }
    for (const params of GENUINE) {
      const pairs = pairsOf(params)
      const before = formOf(pairs)
      const parts = before.split('&')
      for (const [index, part] of parts.entries()) {
        const put = (text: string) => parts.map((each, at) => (at === index ? text : each)).join('&')
        for (const kind of CLASSES)
          for (const edit of edits)
            for (let round = 0; round < 3; round += 1)
              await tryOut(before, put(edit(part, byteOf(kind, random), random)))
        for (const reshape of reshapes) await tryOut(before, formOf(reshape(pairs, index, random)))
        await tryOut(before, before.slice(0, random(before.length)))
      }
    }
    expect(accepted).toEqual([])
    expect(counts.changed).toBeGreaterThan(10_000)
    expect(counts.same).toBeLessThan(counts.changed / 10)
    expect([...refusals].sort()).toEqual(['BadNotification form', 'BadNotification signature'])
  })
})

describe('a genuine message', () => {
  it('of a payment has what pay compares with the order', async () => {
    const fact = { ...FACT, fee: 1_230 }
    const id = TRADE.notify_id
    expect(await read(genuine(TRADE))).toEqual({ kind: 'paid', id, fact })
    expect(await read(genuine({ ...TRADE, trade_status: 'TRADE_FINISHED' }))).toEqual({
      kind: 'paid',
      id,
      fact,
    })
  })

  it('may be read again, and in any order of parameters', async () => {
    const pairs = pairsOf(TRADE)
    const first = await read(formOf(pairs))
    expect(await read(formOf(pairs))).toEqual(first)
    expect(await read(formOf(pairs.toReversed()))).toEqual(first)
  })

  it('tells of another application, seller and currency: pay refuses them', async () => {
    const other = { ...TRADE, app_id: '2021999', seller_id: '2088999', trans_currency: 'USD' }
    expect(await read(genuine(other))).toMatchObject({
      fact: { app: '2021999', merchant: '2088999', currency: 'USD' },
    })
  })

  it('of a refund names ours, and how much is to be asked: it has only the sum of all', async () => {
    const refund = { kind: 'refund', tradeNo: 'T100', refundNo: 'R200', answer: { state: 'waiting' } }
    for (const trade_status of ['TRADE_SUCCESS', 'TRADE_CLOSED'])
      expect(await read(genuine({ ...REFUNDED, trade_status }))).toMatchObject(refund)
    expect(await read(genuine(without(REFUNDED, 'gmt_refund')))).toMatchObject(refund)
    expect(await read(genuine(without(REFUNDED, 'refund_fee')))).toMatchObject(refund)
  })

  it('of a refund that is not ours changes nothing', async () => {
    const { kind } = await read(genuine(without(REFUNDED, 'out_biz_no')))
    expect(kind).toBe('other')
  })

  it.each([
    ['of a trade that was closed without a payment', CLOSED],
    ['of a trade that waits', { ...CLOSED, trade_status: 'WAIT_BUYER_PAY' }],
    ['of a state that is new', { ...TRADE, trade_status: 'TRADE_DREAMT' }],
    ['of another kind', { ...TRADE, notify_type: 'servicemarket_order_notify' }],
  ])('%s changes nothing', async (_, params) => {
    expect(await read(genuine(params))).toEqual({ kind: 'other', id: TRADE.notify_id })
  })

  it('with every letter there is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 40 }), async (subject) => {
        fc.pre(!/&\w+=/.test(subject))
        expect((await read(genuine({ ...TRADE, subject: subject.toWellFormed() }))).kind).toBe('paid')
      }),
      { numRuns: 300 },
    )
  })

  it('is answered with the one word that Alipay knows', () => {
    expect(provider.reply('taken', NO_BODY)).toEqual({ status: 200, type: 'text', body: 'success' })
    for (const result of ['refused', 'later'] as const)
      expect(provider.reply(result, NO_BODY).body).not.toContain('success')
  })
})

describe('an answer that nobody may believe', () => {
  const query = () => failure(provider.query('T100', soon()))
  const paid = JSON.stringify(ok(PAID))
  const name = nameOf(QUERY)
  const right = signed(paid)
  const moods: readonly (readonly [string, string | Buffer, number, string])[] = [
    ['a page', '<html>busy</html>', 200, 'answers with something else than an answer'],
    ['no object', '[]', 200, 'answers with something else than an answer'],
    ['nothing', '', 200, 'answers with something else than an answer'],
    ['bytes that are no text', Buffer.from([0x7b, 0xff, 0x7d]), 200, 'answers with something else than text'],
    [
      'another answer',
      `{"alipay_trade_close_response":${paid},"sign":"${right}"}`,
      200,
      'answers with something else',
    ],
    ['no signature', `{"${name}":${paid}}`, 200, 'answers without a signature: 10000'],
    ['a signature that is no text', `{"${name}":${paid},"sign":1}`, 200, 'answers without a signature'],
    ['an empty signature', `{"${name}":${paid},"sign":""}`, 200, 'a signature that is not its own'],
    [
      'a signature with spaces',
      `{"${name}":${paid},"sign":"${right} "}`,
      200,
      'a signature that is not its own',
    ],
    [
      'another text',
      `{"${name}":${paid.replace('12.30', '12.31')},"sign":"${right}"}`,
      200,
      'that is not its own',
    ],
    [
      'two answers',
      `{"${name}":${paid},"${name}":${paid},"sign":"${right}"}`,
      200,
      'something else than an answer',
    ],
    [
      'two signatures',
      `{"sign":"","${name}":${paid},"sign":"${right}"}`,
      200,
      'something else than an answer',
    ],
    [
      'an answer under a name that is written in two ways',
      `{"${name}":${paid},"alipay_trade_query\\u005fresponse":{"code":"10000"},"sign":"${right}"}`,
      ...([200, 'something else than an answer'] as const),
    ],
    [
      'an error without a signature',
      '{"error_response":{"code":"40002","sub_code":"isv.invalid-signature"}}',
      ...([200, 'answers without a signature: isv.invalid-signature'] as const),
    ],
    [
      'an error of many words',
      '{"error_response":{"code":"40002","sub_code":"two words"}}',
      ...([200, 'answers without a signature: no code'] as const),
    ],
    ['a broken gateway', paid, 502, 'answers with status 502'],
    ['a gateway that is not there', paid, 404, 'answers with status 404'],
    ['too much', ' '.repeat(300_000), 200, 'answers with too much'],
  ]
  it.each(moods)('%s', async (_, body, status, words) => {
    raw(QUERY, body, status)
    expect(await query()).toMatch(/^PayFailed: alipay /)
    expect(await query()).toContain(words)
  })

  it.each([
    ['a stranger', () => stranger.privateKey],
    ['the application', () => application.privateKey],
  ])('signed by %s', async (_, key) => {
    say(QUERY, ok(PAID), key())
    expect(await query()).toContain('a signature that is not its own')
  })

  it('about another trade, or another refund', async () => {
    say(QUERY, ok({ ...PAID, out_trade_no: 'T999' }))
    expect(await query()).toBe('PayFailed: alipay answers about another out_trade_no')
    say(PRECREATE, ok({ out_trade_no: 'T999', qr_code: 'https://qr.alipay.com/other' }))
    expect(await failure(provider.start({ ...PAYMENT, scene: 'qr' }, soon()))).toContain(
      'another out_trade_no',
    )
    say(REFUND_QUERY, ok({ ...GIVEN_BACK, out_request_no: 'R999' }))
    expect(await failure(provider.queryRefund({ tradeNo: 'T100', refundNo: 'R200' }, soon()))).toContain(
      'another out_request_no',
    )
    say(REFUND, ok({ out_trade_no: 'T999', fund_change: 'Y' }))
    expect(await failure(provider.refund(BACK, soon()))).toContain('another out_trade_no')
  })

  it.each([
    [{ total_amount: '12.3' }, 'total_amount that is no amount'],
    [{ total_amount: 12.3 }, 'without total_amount'],
    [{ total_amount: '-12.30' }, 'total_amount that is no amount'],
    [{ trade_no: '' }, 'without trade_no'],
    [{ send_pay_date: 'yesterday' }, 'send_pay_date that is no time'],
    [{ trade_status: 'TRADE_DREAMT' }, 'a state that is not known'],
    [{ trans_currency: 7 }, 'without trans_currency'],
  ])('%j', async (change, words) => {
    say(QUERY, ok({ ...PAID, ...change }))
    expect(await query()).toContain(words)
  })

  it('none at all, none in time, and one from elsewhere', async () => {
    answers.set(QUERY, (reply) => void reply.socket?.destroy())
    expect(await query()).toBe('PayFailed: alipay cannot be reached')
    answers.set(QUERY, (reply) => void reply.writeHead(302, { location: `${url}/elsewhere` }).end())
    expect(await query()).toBe('PayFailed: alipay cannot be reached')
    answers.set(QUERY, (reply) => void reply.writeHead(200).write('{'))
    expect(await failure(provider.query('T100', AbortSignal.timeout(50)))).toBe(
      'PayFailed: alipay does not answer in time',
    )
    const nowhere = openAlipay(configOf({ endpoint: 'http://127.0.0.1:1/gateway.do' }), { notifyUrl: url })
    expect(await failure(nowhere.query('T100', soon()))).toBe('PayFailed: alipay cannot be reached')
  })

  it.each([
    ['20000', 'isp.unknow-error'],
    ['20000', 'aop.unknow-error'],
    ['40004', 'ACQ.SYSTEM_ERROR'],
    ['40004', 'aop.ACQ.SYSTEM_ERROR'],
    ['40005', 'isv.app-call-limited'],
    ['40004', 'isv.method-call-limited'],
  ])('busy: %s, %s', async (code, sub) => {
    for (const method of [QUERY, CLOSE, REFUND, REFUND_QUERY, PRECREATE, BILL])
      say(method, refusal(sub, code))
    const said = await Promise.all([
      ...[query(), failure(provider.close('T100', soon())), failure(provider.refund(BACK, soon()))],
      failure(provider.queryRefund({ tradeNo: 'T100', refundNo: 'R200' }, soon())),
      failure(provider.start({ ...PAYMENT, scene: 'qr' }, soon())),
      failure(provider.bill('2026-07-31', soon())),
    ])
    expect(new Set(said)).toEqual(new Set([`PayFailed: alipay answers ${sub}`]))
  })
})

describe('a key that is none', () => {
  const open = (change: Partial<AlipayConfig>) => () => openAlipay(configOf(change), { notifyUrl: url })
  const short = generateKeyPairSync('rsa', { modulusLength: 1_024 })
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  it.each([
    ['no key', { privateKey: 'secret-of-the-test' }],
    ['an empty one', { privateKey: '' }],
    ['a public one', { privateKey: bare(application.publicKey) }],
    ['a short one', { privateKey: bare(short.privateKey) }],
    ['one of another kind', { privateKey: bare(curve.privateKey) }],
    ['a short one of Alipay', { alipayPublicKey: bare(short.publicKey) }],
  ])('%s', (_, change) => {
    expect(open(change)).toThrow('a key for Alipay must be an RSA key of 2048 bits, as PEM or base64')
  })

  it('the application’s own instead of Alipay’s', () => {
    for (const key of [application.publicKey, application.privateKey])
      expect(open({ alipayPublicKey: bare(key) })).toThrow('must be Alipay’s')
  })

  it('but PEM and base64, old and new, with and without ends of lines, all are', async () => {
    say(QUERY, ok(PAID))
    const forms = (['pkcs8', 'pkcs1'] as const).flatMap((type) => {
      const pem = application.privateKey.export({ type, format: 'pem' }).toString()
      const base64 = application.privateKey.export({ type, format: 'der' }).toString('base64')
      return [pem, pem.trim(), pem.replaceAll('\n', '\r\n'), base64]
    })
    const publicForms = (['spki', 'pkcs1'] as const).flatMap((type) => [
      alipay.publicKey.export({ type, format: 'pem' }).toString(),
      alipay.publicKey.export({ type, format: 'der' }).toString('base64'),
    ])
    for (const privateKey of forms)
      for (const alipayPublicKey of publicForms) {
        const opened = openAlipay(configOf({ privateKey, alipayPublicKey }), { notifyUrl: url })
        expect((await opened.query('T100', soon())).state).toBe('paid')
      }
    expect(asked.every(({ params }) => isSignedByApplication(params))).toBe(true)
  })
})

/** As Alipay does: every parameter but the signature, in order, without empty ones. */
function isSignedByApplication(params: URLSearchParams): boolean {
  const text = [...params]
    .filter(([name, value]) => name !== 'sign' && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const signature = Buffer.from(params.get('sign') ?? '', 'base64')
  return verify('RSA-SHA256', Buffer.from(text), application.publicKey, signature)
}

const PAYMENT: NewPayment = {
  ...{ scene: 'inside', tradeNo: 'T100', fee: 1_230, subject: 'BUFF 年度会员', expiresAt: AT + 900_999 },
  ...{ clientIp: '203.0.113.7', returnUrl: 'https://hall.example/order/1?a=b&c=%E4%BD%A0' },
}
const contentOf = (params: URLSearchParams): unknown => JSON.parse(params.get('biz_content') ?? '')
const COMMON = {
  ...{ app_id: '2021000000000001', sign_type: 'RSA2', charset: 'utf-8', version: '1.0' },
  ...{ timestamp: '2026-08-01 12:00:00', notify_url: 'https://hall.example/notify' },
}

describe('a new payment', () => {
  it('is refused with the code of Alipay', async () => {
    for (const [code, sub] of [
      ['40004', 'ACQ.TRADE_HAS_SUCCESS'],
      ['40002', 'isv.invalid-app-id'],
      ['40006', 'isv.insufficient-isv-permissions'],
    ] as const) {
      say(PRECREATE, refusal(sub, code))
      expect(await failure(provider.start({ ...PAYMENT, scene: 'qr' }, soon()))).toBe(
        `PayRefused: alipay refuses: ${sub}`,
      )
    }
  })

  it.each(['inside', 'app'] as const)('%s is a signed string', async (scene) => {
    const data = await provider.start({ ...PAYMENT, scene }, soon())
    const params = new URLSearchParams(data.kind === 'alipay' ? data.orderStr : '')
    expect(isSignedByApplication(params)).toBe(true)
    expect(Object.fromEntries(params)).toMatchObject({ ...COMMON, method: 'alipay.trade.app.pay' })
    expect(contentOf(params)).toEqual({
      ...{ out_trade_no: 'T100', total_amount: '12.30', subject: 'BUFF 年度会员' },
      ...{ time_expire: '2026-08-01 12:15:00', product_code: 'QUICK_MSECURITY_PAY' },
    })
    expect(asked).toEqual([])
  })

  it('in a phone’s browser is an address of the gateway', async () => {
    const data = await provider.start({ ...PAYMENT, scene: 'phone' }, soon())
    const address = new URL(data.kind === 'redirect' ? data.url : '')
    expect(address.origin + address.pathname).toBe(`${url}/gateway.do`)
    expect(isSignedByApplication(address.searchParams)).toBe(true)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      ...{ ...COMMON, method: 'alipay.trade.wap.pay', return_url: PAYMENT.returnUrl },
    })
    expect(contentOf(address.searchParams)).toMatchObject({
      ...{ quit_url: PAYMENT.returnUrl, product_code: 'QUICK_WAP_WAY', total_amount: '12.30' },
    })
    const real = await openAlipay(configOf({ endpoint: null }), { notifyUrl: url }).start(
      { ...PAYMENT, scene: 'phone' },
      soon(),
    )
    expect(real.kind === 'redirect' && real.url).toMatch(/^https:\/\/openapi\.alipay\.com\/gateway\.do\?/)
  })

  it('to be scanned is a code of the gateway', async () => {
    // Slashes are escaped after the signature, as some answers of the gateway are.
    const text = JSON.stringify(ok({ out_trade_no: 'T100', qr_code: 'https://qr.alipay.com/bax1' }))
    for (const written of [text, text.replaceAll('/', '\\/')]) {
      raw(PRECREATE, `{"${nameOf(PRECREATE)}":${written},"sign":"${signed(text)}"}`)
      expect(await provider.start({ ...PAYMENT, scene: 'qr' }, soon())).toEqual({
        ...{ kind: 'qr', code: 'https://qr.alipay.com/bax1' },
      })
    }
    // What is read is what was signed, not what was sent.
    const escaped = text.replaceAll('/', '\\/')
    raw(
      PRECREATE,
      `{"${nameOf(PRECREATE)}":${escaped.replaceAll('\\/', '\\\\/')},"sign":"${signed(escaped)}"}`,
    )
    expect(await provider.start({ ...PAYMENT, scene: 'qr' }, soon())).toEqual({
      ...{ kind: 'qr', code: 'https://qr.alipay.com/bax1' },
    })
    const [said] = asked
    expect(said && isSignedByApplication(said.params)).toBe(true)
    expect(Object.fromEntries(said?.params ?? [])).toMatchObject({ ...COMMON, method: PRECREATE })
  })

  it('has words that Alipay takes, whatever is bought', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 400 }), async (subject) => {
        const data = await provider.start({ ...PAYMENT, subject }, soon())
        const params = new URLSearchParams(data.kind === 'alipay' ? data.orderStr : '')
        const words = (contentOf(params) as { readonly subject: string }).subject
        expect(isSignedByApplication(params)).toBe(true)
        expect(words).toMatch(/^[^/=&,"\r\n\0]+$/)
        expect([...words].length).toBeLessThanOrEqual(128)
        expect(words.isWellFormed()).toBe(true)
      }),
      { numRuns: 200 },
    )
    const data = await provider.start({ ...PAYMENT, subject: '\r\n&=' }, soon())
    expect(data.kind === 'alipay' && data.orderStr).toContain(encodeURIComponent('"subject":"T100"'))
  })
})

describe('a payment that is asked for', () => {
  const query = () => provider.query('T100', soon())
  it.each([
    ['ACQ.INVALID_PARAMETER', '40004'],
    ['isv.invalid-signature', '40002'],
  ])('is not known when Alipay refuses to tell: %s', async (sub, code) => {
    say(QUERY, refusal(sub, code))
    expect(await failure(query())).toBe(`PayFailed: alipay answers ${sub}`)
  })

  it('is unknown before the buyer opened it', async () => {
    say(QUERY, refusal('ACQ.TRADE_NOT_EXIST'))
    expect(await query()).toEqual({ state: 'unknown' })
  })

  it.each(['TRADE_SUCCESS', 'TRADE_FINISHED'])('is paid: %s', async (trade_status) => {
    say(QUERY, ok({ ...PAID, trade_status }))
    expect(await query()).toEqual({ state: 'paid', fact: FACT })
    expect(contentOf(asked[0]?.params ?? new URLSearchParams())).toEqual({ out_trade_no: 'T100' })
  })

  it('waits', async () => {
    say(QUERY, ok({ ...PAID, trade_status: 'WAIT_BUYER_PAY', send_pay_date: undefined }))
    expect(await query()).toEqual({ state: 'waiting' })
  })

  it('is closed without a payment', async () => {
    const closed = { ...PAID, trade_status: 'TRADE_CLOSED', send_pay_date: undefined }
    for (const more of [{}, { fund_bill_list: [] }, { buyer_pay_amount: undefined }]) {
      say(QUERY, ok({ ...closed, ...more }))
      expect(await query()).toEqual({ state: 'closed' })
    }
  })

  it('was paid when it is closed since all of it was given back', async () => {
    say(QUERY, ok({ ...PAID, trade_status: 'TRADE_CLOSED' }))
    expect(await query()).toEqual({ state: 'paid', fact: FACT })
    const fund_bill_list = [{ fund_channel: 'ALIPAYACCOUNT', amount: '12.30' }]
    for (const more of [{ fund_bill_list }, { buyer_pay_amount: '12.30' }, { receipt_amount: '0.01' }]) {
      say(QUERY, ok({ ...PAID, send_pay_date: undefined, trade_status: 'TRADE_CLOSED', ...more }))
      expect(await query()).toEqual({ state: 'paid', fact: { ...FACT, paidAt: AT } })
    }
  })

  it('is read where the signature stands first, and with any text in it', async () => {
    const text = JSON.stringify(ok({ ...PAID, subject: '{"sign":"no"},}] \\" \\\\' }), null, 1)
    raw(QUERY, ` {"sign": "${signed(text)}" ,"${nameOf(QUERY)}":${text}} `)
    expect((await query()).state).toBe('paid')
  })

  it('is in the currency that was asked for', async () => {
    say(QUERY, ok({ ...PAID, trans_currency: 'USD' }))
    expect(await query()).toMatchObject({ fact: { currency: 'USD' } })
  })
})

describe('a payment that is closed', () => {
  const close = () => provider.close('T100', soon())
  it('is not, when Alipay does not do it and it still waits', async () => {
    say(CLOSE, refusal('ACQ.REASON_TRADE_STATUS_INVALID'))
    say(QUERY, ok({ ...PAID, trade_status: 'WAIT_BUYER_PAY', send_pay_date: undefined }))
    expect(await failure(close())).toBe('PayFailed: alipay answers ACQ.REASON_TRADE_STATUS_INVALID')
    say(CLOSE, ok({ out_trade_no: 'T999' }))
    expect(await failure(close())).toContain('about another trade')
  })

  it('is not, when Alipay does not take the application', async () => {
    say(CLOSE, refusal('isv.invalid-app-id', '40002'))
    expect(await failure(close())).toBe('PayFailed: alipay answers isv.invalid-app-id')
  })

  it('was paid before', async () => {
    say(CLOSE, refusal('ACQ.REASON_TRADE_STATUS_INVALID'))
    for (const trade_status of ['TRADE_SUCCESS', 'TRADE_FINISHED', 'TRADE_CLOSED']) {
      say(QUERY, ok({ ...PAID, trade_status }))
      expect(await close()).toBe('paid')
    }
  })

  it('is closed: now, before, or never opened', async () => {
    say(CLOSE, ok({ out_trade_no: 'T100', trade_no: PAID.trade_no }))
    expect(await close()).toBe('closed')
    say(CLOSE, refusal('ACQ.REASON_TRADE_STATUS_INVALID'))
    say(QUERY, ok({ ...PAID, trade_status: 'TRADE_CLOSED', send_pay_date: undefined }))
    expect(await close()).toBe('closed')
    say(QUERY, refusal('ACQ.TRADE_NOT_EXIST'))
    expect(await close()).toBe('closed')
    say(CLOSE, refusal('ACQ.TRADE_NOT_EXIST'))
    expect(await close()).toBe('closed')
  })
})

const BACK = {
  ...{ tradeNo: 'T100', providerNo: PAID.trade_no, refundNo: 'R200', fee: 500, total: 1_230 },
  reason: '买错了 & 换一个',
}
const GIVEN_BACK = {
  ...{ out_trade_no: 'T100', trade_no: PAID.trade_no, out_request_no: 'R200', total_amount: '12.30' },
  ...{ refund_amount: '5.00', refund_status: 'REFUND_SUCCESS', gmt_refund_pay: '2026-08-01 12:30:00' },
}
const DONE = {
  ...{ state: 'done', providerRefundNo: `${PAID.trade_no}-R200`, fee: 500, at: AT + 1_800_000 },
}

describe('a refund', () => {
  const refund = () => provider.refund(BACK, soon())
  const ask = () => provider.queryRefund({ tradeNo: 'T100', refundNo: 'R200' }, soon())
  it.each(['ACQ.SELLER_BALANCE_NOT_ENOUGH', 'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL', 'ACQ.TRADE_HAS_FINISHED'])(
    'is refused: %s',
    async (why) => {
      say(REFUND, refusal(why))
      expect(await refund()).toEqual({ state: 'refused', why })
    },
  )

  it('is not refused when it is the application that Alipay does not take', async () => {
    say(REFUND, refusal('isv.invalid-signature', '40002'))
    expect(await failure(refund())).toBe('PayFailed: alipay answers isv.invalid-signature')
    say(REFUND_QUERY, refusal('isv.invalid-signature', '40002'))
    expect(await failure(ask())).toBe('PayFailed: alipay answers isv.invalid-signature')
  })

  it('is refused later', async () => {
    say(REFUND_QUERY, ok({ ...GIVEN_BACK, refund_status: 'REFUND_FAIL' }))
    expect(await ask()).toEqual({ state: 'refused', why: 'REFUND_FAIL' })
  })

  it.each([
    { refund_amount: '5' },
    { refund_amount: undefined },
    { trade_no: undefined },
    { gmt_refund_pay: 'soon' },
  ])('is not done with %j', async (change) => {
    say(REFUND_QUERY, ok({ ...GIVEN_BACK, ...change }))
    expect(await failure(ask())).toMatch(/^PayFailed: alipay answers with/)
  })

  it('is as much as the query says, not the sum of all that the call answers', async () => {
    say(REFUND, ok({ out_trade_no: 'T100', trade_no: PAID.trade_no, fund_change: 'Y', refund_fee: '12.30' }))
    say(REFUND_QUERY, ok(GIVEN_BACK))
    expect(await refund()).toEqual(DONE)
    expect(contentOf(asked[0]?.params ?? new URLSearchParams())).toEqual({
      ...{ out_trade_no: 'T100', trade_no: PAID.trade_no, out_request_no: 'R200' },
      ...{ refund_amount: '5.00', refund_reason: '买错了 换一个' },
    })
    expect(contentOf(asked[1]?.params ?? new URLSearchParams())).toEqual({
      ...{ out_trade_no: 'T100', out_request_no: 'R200', query_options: ['gmt_refund_pay'] },
    })
  })

  it('is done once when it is asked for again', async () => {
    say(REFUND, ok({ out_trade_no: 'T100', trade_no: PAID.trade_no, fund_change: 'N', refund_fee: '5.00' }))
    say(REFUND_QUERY, ok(GIVEN_BACK))
    expect(await refund()).toEqual(DONE)
  })

  it('waits when Alipay took it and does not tell of it yet', async () => {
    say(REFUND, ok({ out_trade_no: 'T100', fund_change: 'Y' }))
    say(REFUND_QUERY, ok({}))
    expect(await refund()).toEqual({ state: 'waiting' })
    raw(REFUND_QUERY, 'no', 502)
    expect(await refund()).toEqual({ state: 'waiting' })
    for (const refund_status of ['REFUND_PROCESSING', undefined]) {
      say(REFUND_QUERY, ok({ ...GIVEN_BACK, refund_status }))
      expect(await refund()).toEqual({ state: 'waiting' })
      expect(await ask()).toEqual({ state: 'waiting' })
    }
  })

  it('is unknown where there is none', async () => {
    say(REFUND_QUERY, ok({}))
    expect(await ask()).toEqual({ state: 'unknown' })
    for (const code of ['ACQ.TRADE_NOT_EXIST', 'ACQ.REFUND_NOT_EXIST']) {
      say(REFUND_QUERY, refusal(code))
      expect(await ask()).toEqual({ state: 'unknown' })
    }
  })
})

describe('a bill', () => {
  const HEAD =
    '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'
  const line = (kind: string, words: string, fee: string, refundNo: string, charge: string) =>
    `${PAID.trade_no}\t,T100\t,${kind}\t,${words},2026-07-31 10:00:00,2026-07-31 10:00:05,\t,\t,\t,\t,*林(137****2600)\t,${fee},${fee},0.00,0.00,0.00,0.00,0.00,,0.00\t,0.00,${refundNo}\t,${charge},0.00,备,注`
  const fileOf = (lines: readonly string[], head = HEAD) =>
    [
      '#支付宝业务明细查询',
      '#账号：[20880000000000010156]',
      '#起始日期：[2026年07月31日 00:00:00]   终止日期：[2026年08月01日 00:00:00]',
      '#-----------------------------------------业务明细列表----------------------------------------',
      head,
      ...lines,
      '#-----------------------------------------业务明细列表结束------------------------------------',
      '#交易合计：1笔，商家实收共12.30元，商家优惠共0.00元',
    ].join('\r\n')
  const sums = gbk('#支付宝业务汇总查询\r\n#账号：[20880000000000010156]\r\n')
  const zipOf = (text: string) => zipSync({ 'sums.csv': sums, 'details.csv': gbk(text) })
  const serve = (bytes: Uint8Array | string, address = `${url}/bill.zip?token=secret`) => {
    say(BILL, ok({ bill_download_url: address }))
    answers.set('/bill.zip', (reply) => reply.end(bytes))
  }
  const bill = () => provider.bill('2026-07-31', soon())
  const PAYMENT_LINE = {
    ...{ kind: 'payment', tradeNo: 'T100', providerNo: PAID.trade_no, refundNo: '', fee: 1_230, charge: 7 },
    at: Date.UTC(2026, 6, 31, 2, 0, 5),
  }
  const REFUND_LINE = { ...PAYMENT_LINE, kind: 'refund', refundNo: 'R200', fee: 500, charge: -3 }
  const LINES = [
    line('交易', '年度会员', '12.30', '', '-0.07'),
    line('退款', '年度会员', '-5.00', 'R200', '0.03'),
  ]

  it.each([
    ['no archive', () => strToU8('not a zip'), 'a bill that is no archive'],
    ['half an archive', () => zipOf(fileOf(LINES)).slice(0, 200), 'a bill that is no archive'],
    [
      'an archive of something else',
      () => zipSync({ 'a.csv': strToU8('a,b') }),
      'without the list of trades',
    ],
    [
      'a list that is cut off',
      () => zipOf(fileOf(LINES).split('#----')[1] ?? ''),
      'without the list of trades',
    ],
    ['a list without its end', () => zipOf(fileOf(LINES).replace(/结束.*/s, '')), 'a bill that is cut off'],
    ['a list without a column', () => zipOf(fileOf(LINES, HEAD.replace('服务费', '费'))), 'without 服务费'],
    [
      'a line of a kind that is new',
      () => zipOf(fileOf([line('奇怪', '', '1.00', '', '0.00')])),
      'another form',
    ],
    ['a line without an amount', () => zipOf(fileOf([line('交易', '', '', '', '0.00')])), 'another form'],
    ['a line of a fraction', () => zipOf(fileOf([line('交易', '', '1.005', '', '0.00')])), 'another form'],
    ['a line without a time', () => zipOf(fileOf(['1,2,交易,x,y,z'])), 'another form'],
  ])('is not read from %s', async (_, bytes, words) => {
    serve(bytes())
    expect(await failure(bill())).toMatch(/^PayFailed: alipay answers with a bill /)
    expect(await failure(bill())).toContain(words)
  })

  it.each([
    ...[
      'https://evil.example/bill.zip',
      'file:///etc/passwd',
      'https://alipay.com.evil.example/',
      'bill.zip',
    ],
    ...['https://evilalipay.com/bill.zip', 'http://127.0.0.1:1/bill.zip', 'ftp://dw.alipay.com/bill.zip'],
  ])('is not fetched from %s', async (address) => {
    serve(zipOf(fileOf(LINES)), address)
    expect(await failure(bill())).toBe('PayFailed: alipay answers with an address that is not its own')
  })

  it('is not there when it cannot be fetched, and no secret is told', async () => {
    serve('')
    answers.set('/bill.zip', (reply) => reply.writeHead(503).end())
    expect(await failure(bill())).toBe('PayFailed: alipay answers with status 503')
    answers.set('/bill.zip', (reply) => void reply.socket?.destroy())
    expect(await failure(bill())).toBe('PayFailed: alipay cannot be reached')
    say(BILL, ok({}))
    expect(await failure(bill())).toBe('PayFailed: alipay answers without bill_download_url')
    say(BILL, refusal('isv.invalid_arguments'))
    expect(await failure(bill())).toBe('PayFailed: alipay answers isv.invalid_arguments')
  })

  it.each(['isp.bill_not_exist', 'BILL_NOT_EXIST', 'isv.bill-not-exist'])(
    'that does not exist is none: %s',
    async (code) => {
      say(BILL, refusal(code))
      expect(await bill()).toBeNull()
    },
  )

  it('of a day that is not over is none, and is not asked for', async () => {
    expect(await provider.bill('2026-08-01', soon())).toBeNull()
    expect(asked).toEqual([])
    say(BILL, refusal('isv.invalid_arguments'))
    expect(await failure(provider.bill('2026-02-30', soon()))).toContain('isv.invalid_arguments')
  })

  it('has payments and refunds, each with what is kept of it', async () => {
    serve(zipOf(fileOf(LINES)))
    expect(await bill()).toEqual([PAYMENT_LINE, REFUND_LINE])
    expect(contentOf(asked[0]?.params ?? new URLSearchParams())).toEqual({
      ...{ bill_type: 'trade', bill_date: '2026-07-31' },
    })
  })

  it('of a day without trade is empty', async () => {
    serve(zipOf(fileOf([])))
    expect(await bill()).toEqual([])
  })

  it('is read by the names of its columns, and past commas and quotes in what was bought', async () => {
    serve(
      zipOf(
        fileOf([
          line('交易', '一,二,"三"', '12.30', '', '-0.07'),
          line('退款', '"一,""二"""', '-5.00', 'R200', '0.03'),
        ]),
      ),
    )
    expect(await bill()).toEqual([PAYMENT_LINE, REFUND_LINE])
    const [first, second] = [HEAD.split(','), LINES.map((it) => it.split(','))]
    const turned = (fields: readonly string[]) =>
      [fields[22], ...fields.slice(0, 22), ...fields.slice(23, 25)].join(',')
    expect(turned(first)).toMatch(/^服务费（元）,支付宝交易号/)
    serve(zipOf(fileOf(second.map(turned), turned(first)).replace('（元）', '(元)')))
    expect(await bill()).toEqual([PAYMENT_LINE, REFUND_LINE])
  })
})

describe('the members of an object, as they are written', () => {
  it.each(['', 'x', '[]', '"a"', 'null', '{', '{"a":1}}', '{"a":1,"a":2}', '{"a":1,"\\u0061":2}'])(
    '%j has none',
    (text) => {
      expect(membersOf(text)).toBeNull()
    },
  )

  it('are what they are read as', () => {
    const spaces = fc.constantFrom(undefined, 1, '\t')
    const names = fc.string({ unit: fc.constantFrom(...'ab"\\{}[],:é ') })
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), spaces, (object, space) => {
        const text = JSON.stringify(object, null, space)
        const members = membersOf(text)
        expect([...(members?.keys() ?? [])]).toEqual(Object.keys(JSON.parse(text)))
        for (const [name, value] of members ?? []) {
          expect(text).toContain(value)
          expect(JSON.stringify(JSON.parse(value))).toBe(JSON.stringify(object[name]))
        }
      }),
    )
  })
})
