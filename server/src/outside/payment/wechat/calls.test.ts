import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { describe, expect, it } from 'vitest'
import {
  type Answer,
  answers,
  FACT,
  failure,
  now,
  open,
  provider,
  QUERY,
  REFUND,
  refundAnswer,
  refusal,
  signed,
  signedHeaders,
  soon,
  stranger,
  TRADE,
  transaction,
  useWechat,
  wechat,
} from '../../../testing/pay/wechatSide.ts'

useWechat()

describe('a merchant’s own keys', () => {
  it.each([
    [{ privateKey: 'no key' }, 'the private key for WeChat Pay must be an RSA key as PEM'],
    [{ apiV3Key: 'short' }, 'the APIv3 key must have 32 characters'],
  ])('that are none are refused, and not told: %j', (change, message) => {
    expect(() => open(change)).toThrow(message)
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
  it.each(cases)('%s', async (_name, answer, message) => {
    answers.set(`GET ${QUERY}`, answer)
    expect(await failure(provider.query(TRADE, soon()))).toBe(`PayFailed: wechat ${message}`)
  })

  it('that takes too long', async () => {
    answers.set(`GET ${QUERY}`, () => Promise.reject(new DOMException('aborted', 'AbortError')))
    expect(await failure(provider.query(TRADE, AbortSignal.abort()))).toBe(
      'PayFailed: wechat does not answer in time',
    )
  })
})

describe('what WeChat answers otherwise than documented', () => {
  const { success_time: _time, ...untimed } = transaction()
  const { payer: _payer, bank_type: _bank, ...short } = transaction()
  const paid = { state: 'paid', fact: FACT }
  const bytes = (text: string) =>
    new Response(text, { headers: { 'content-type': 'text/plain;charset=GBK', ...signedHeaders(text) } })

  it.each([
    [
      'a mark of the byte order, space, and another type',
      () => bytes(`\uFEFF ${JSON.stringify(transaction())}\r\n`),
    ],
    [
      'names of headers in capitals',
      () => {
        const body = JSON.stringify(transaction())
        const headers = Object.entries(signedHeaders(body)).map(([name, it]) => [name.toUpperCase(), it])
        return new Response(body, { headers: Object.fromEntries(headers) })
      },
    ],
    ['members of a later version', () => signed(200, transaction({ new_one: { a: [1] } }))],
    ['without what nobody needs', () => signed(200, short)],
    ['null for what is not there', () => signed(200, transaction({ attach: null, promotion_detail: null }))],
    [
      'members in another order',
      () => signed(200, Object.fromEntries(Object.entries(transaction()).reverse())),
    ],
    ['no currency', () => signed(200, transaction({ amount: { total: 1_800 } }))],
    ['null for the currency', () => signed(200, transaction({ amount: { total: 1_800, currency: null } }))],
    ['fen with a point', () => bytes(JSON.stringify(transaction()).replace('1800', '1800.0'))],
    ['a time of another zone', () => signed(200, transaction({ success_time: '2026-08-01T03:59:58Z' }))],
    [
      'a time with a part of a second',
      () => signed(200, transaction({ success_time: '2026-08-01T11:59:58.000+08:00' })),
    ],
    ['that it was given back since', () => signed(200, transaction({ trade_state: 'REFUND' }))],
  ] as [string, Answer][])('is understood: %s', async (_what, answer) => {
    answers.set(`GET ${QUERY}`, answer)
    expect(await provider.query(TRADE, soon())).toEqual(paid)
  })

  it.each([
    ['no time', untimed],
    ['null', transaction({ success_time: null })],
    ['an empty one', transaction({ success_time: '' })],
  ])('is a payment of now: %s for when it was made', async (_what, content) => {
    answers.set(`GET ${QUERY}`, () => signed(200, content))
    expect(await provider.query(TRADE, soon())).toEqual({ state: 'paid', fact: { ...FACT, paidAt: now } })
  })

  const unreadable: [string, Answer][] = [
    ['nothing', () => signed(200, '')],
    ['nothing, with 204', () => signed(204, '')],
    ['null', () => signed(200, 'null')],
    ['a page', () => signed(200, '<html>busy</html>')],
    ['a page that nobody signed', () => new Response('<html>busy</html>')],
    ['a refusal without a word', () => signed(404, '')],
    ['a refusal with a page', () => signed(400, '<html>bad</html>')],
    ['a refusal with null', () => signed(403, { code: null, message: null })],
    ['a refusal with a number', () => signed(400, { code: 404 })],
    [
      'a signature that only tests whether it is verified',
      () => {
        const body = JSON.stringify(transaction())
        const headers = signedHeaders(body)
        return new Response(body, {
          headers: {
            ...headers,
            'wechatpay-signature': `WECHATPAY/SIGNTEST/${headers['wechatpay-signature']}`,
          },
        })
      },
    ],
    ['an amount in text', () => signed(200, transaction({ amount: { total: '1800', currency: 'CNY' } }))],
    ['a part of a fen', () => signed(200, transaction({ amount: { total: 1_800.5, currency: 'CNY' } }))],
    ['no state', () => signed(200, transaction({ trade_state: null }))],
    ['a state in small letters', () => signed(200, transaction({ trade_state: 'success' }))],
    ['a state that every object has', () => signed(200, transaction({ trade_state: 'constructor' }))],
  ]
  it.each(unreadable)('is not known, and asked again: %s', async (_what, answer) => {
    const asked = ['/v3/pay/transactions/native', '/v3/refund/domestic/refunds'] as const
    answers.set(`GET ${QUERY}`, answer)
    for (const path of asked) answers.set(`POST ${path}`, answer)
    answers.set(`GET ${asked[1]}/R0001`, answer)
    const works: readonly Promise<unknown>[] = [
      provider.query(TRADE, soon()),
      provider.refund(REFUND, soon()),
      provider.queryRefund(REFUND, soon()),
    ]
    for (const said of await Promise.all(works.map(failure))) expect(said).toMatch(/^PayFailed/)
  })

  it.each([
    ['PROCESSING', { state: 'waiting' }],
    ['CLOSED', { state: 'refused', why: 'CLOSED' }],
    ['ABNORMAL', { state: 'refused', why: 'ABNORMAL' }],
  ])('of a refund that is %s: null, or nothing, for when it was made', async (status, answer) => {
    for (const success_time of [null, '', undefined]) {
      answers.set('GET /v3/refund/domestic/refunds/R0001', () =>
        signed(200, refundAnswer({ status, success_time })),
      )
      expect(await provider.queryRefund(REFUND, soon())).toEqual(answer)
    }
  })
})
