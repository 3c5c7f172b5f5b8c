import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { describe, expect, it } from 'vitest'
import {
  type Answer,
  answers,
  failure,
  now,
  open,
  provider,
  QUERY,
  refusal,
  signed,
  signedHeaders,
  soon,
  stranger,
  TRADE,
  transaction,
  useWechat,
  wechat,
} from '../testing/wechatSide.ts'

useWechat()

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
