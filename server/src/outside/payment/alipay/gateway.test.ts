import { generateKeyPairSync } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AlipayConfig } from '../../../config/pay.ts'
import {
  alipay,
  answers,
  application,
  asked,
  BACK,
  BILL,
  bare,
  CLOSE,
  configOf,
  FACT,
  failure,
  GIVEN_BACK,
  isSignedByApplication,
  nameOf,
  ok,
  PAID,
  PAYMENT,
  PRECREATE,
  provider,
  QUERY,
  REFUND,
  REFUND_QUERY,
  raw,
  refusal,
  say,
  signed,
  soon,
  stranger,
  url,
  useAlipay,
} from '../../../testing/pay/alipaySide.ts'
import { openAlipay } from './alipay.ts'
import { membersOf } from './gateway.ts'

useAlipay()

describe('an answer that nobody may believe', () => {
  const query = () => failure(provider.query('T100', soon()))
  const paid = JSON.stringify(ok(PAID))
  const name = nameOf(QUERY)
  const right = signed(paid)
  const faultModes: readonly (readonly [string, string | Buffer, number, string])[] = [
    ['a page', '<html>busy</html>', 200, 'answers with something else than an answer'],
    ['no object', '[]', 200, 'answers with something else than an answer'],
    ['nothing', '', 200, 'answers with something else than an answer'],
    [
      'bytes that are no text',
      Buffer.from([0x7b, 0xff, 0x7d]),
      200,
      'answers with something else than an answer',
    ],
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
  it.each(faultModes)('%s', async (_, body, status, message) => {
    raw(QUERY, body, status)
    expect(await query()).toMatch(/^PayFailed: alipay /)
    expect(await query()).toContain(message)
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
    [{ total_amount: '12.305' }, 'total_amount that is no amount'],
    [{ total_amount: 12.305 }, 'total_amount that is no amount'],
    [{ total_amount: 1e21 }, 'total_amount that is no amount'],
    [{ total_amount: null }, 'without total_amount'],
    [{ total_amount: ['12.30'] }, 'without total_amount'],
    [{ out_trade_no: null }, 'about another out_trade_no'],
    [{ trade_no: 2026080122001400 }, 'without trade_no'],
    [{ trade_status: null }, 'a state that is not known'],
    [{ trade_status: 'trade_success' }, 'a state that is not known'],
    [{ total_amount: '-12.30' }, 'total_amount that is no amount'],
    [{ trade_no: '' }, 'without trade_no'],
    [{ send_pay_date: 'yesterday' }, 'send_pay_date that is no time'],
    [{ trade_status: 'TRADE_DREAMT' }, 'a state that is not known'],
    [{ trans_currency: 7 }, 'without trans_currency'],
  ])('%j', async (change, message) => {
    say(QUERY, ok({ ...PAID, ...change }))
    expect(await query()).toContain(message)
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
      query(),
      failure(provider.close('T100', soon())),
      failure(provider.refund(BACK, soon())),
      failure(provider.queryRefund({ tradeNo: 'T100', refundNo: 'R200' }, soon())),
      failure(provider.start({ ...PAYMENT, scene: 'qr' }, soon())),
      failure(provider.bill('2026-07-31', soon())),
    ])
    expect(new Set(said)).toEqual(new Set([`PayFailed: alipay answers ${sub}`]))
  })
})

describe('what Alipay answers otherwise than documented', () => {
  const name = nameOf(QUERY)
  const text = JSON.stringify(ok(PAID))
  const envelope = (content: string, more = '') => `{"${name}":${content},"sign":"${signed(content)}"${more}}`
  const fact = { state: 'paid', fact: FACT }

  it.each([
    ['its signature first', `{"sign":"${signed(text)}","${name}":${text}}`],
    ['the number of a certificate', envelope(text, ',"alipay_cert_sn":"1"')],
    ['a mark of the byte order', `\uFEFF${envelope(text)}`],
    ['space and ends of lines', `\r\n { "${name}" : ${text} , "sign" : "${signed(text)}" }\n`],
    [
      'escaped letters and slashes',
      envelope(JSON.stringify(ok({ ...PAID, store: '你/' })).replace('你/', '\\u4f60\\/')),
    ],
    [
      'slashes that were escaped after signing',
      envelope(JSON.stringify(ok({ ...PAID, a: '/' }))).replace('"/"', '"\\/"'),
    ],
    [
      'members in another order',
      envelope(JSON.stringify(Object.fromEntries(Object.entries(ok(PAID)).reverse()))),
    ],
    ['its code as a number', envelope(JSON.stringify({ ...ok(PAID), code: 10_000 }))],
    ['its amount as a number', envelope(JSON.stringify(ok({ ...PAID, total_amount: 12.3 })))],
    ['one decimal', envelope(JSON.stringify(ok({ ...PAID, total_amount: '12.3' })))],
    [
      'null for what is not there',
      envelope(JSON.stringify(ok({ ...PAID, trans_currency: null, store_id: null }))),
    ],
    ['members of a later version', envelope(JSON.stringify(ok({ ...PAID, new_one: { a: [1] } })))],
  ])('is understood: %s', async (_what, body) => {
    raw(QUERY, body)
    expect(await provider.query('T100', soon())).toEqual(fact)
  })

  it('is understood: compressed, of another type and status text', async () => {
    answers.set(QUERY, (reply) => {
      const headers = { 'content-type': 'text/html;charset=GBK', 'content-encoding': 'gzip' }
      reply.writeHead(200, 'ok', headers).end(gzipSync(envelope(text)))
    })
    expect(await provider.query('T100', soon())).toEqual(fact)
  })

  /** 系统 and 会员 in GBK, in an answer that is signed as these bytes. */
  const inGbk = (method: string, content: string) => {
    const bytes = Buffer.from(content, 'latin1')
    const before = Buffer.from(`{"${nameOf(method)}":`)
    raw(method, Buffer.concat([before, bytes, Buffer.from(`,"sign":"${signed(bytes)}"}`)]))
  }

  it('is understood: in GBK, whatever was asked for', async () => {
    inGbk(QUERY, JSON.stringify(ok({ ...PAID, store_name: '\xbb\xe1\xd4\xb1' })))
    expect(await provider.query('T100', soon())).toEqual(fact)
    inGbk(QUERY, JSON.stringify({ ...refusal('ACQ.TRADE_NOT_EXIST'), sub_msg: '\xcf\xb5\xcd\xb3' }))
    expect(await provider.query('T100', soon())).toEqual({ state: 'unknown' })
    inGbk(REFUND, JSON.stringify({ ...refusal('ACQ.SELLER_BALANCE_NOT_ENOUGH'), sub_msg: '\xcf\xb5' }))
    expect(await provider.refund(BACK, soon())).toEqual({
      state: 'refused',
      why: 'ACQ.SELLER_BALANCE_NOT_ENOUGH',
    })
  })

  it('is not known: in GBK, that it is busy, and bytes of no charset', async () => {
    inGbk(QUERY, JSON.stringify({ ...refusal('aop.unknow-error', '20000'), sub_msg: '\xcf\xb5\xcd\xb3' }))
    expect(await failure(provider.query('T100', soon()))).toBe('PayFailed: alipay answers aop.unknow-error')
    inGbk(QUERY, '{"code":"10000","a":"\xff')
    expect(await failure(provider.query('T100', soon()))).toMatch(/^PayFailed/)
    // A letter whose second byte is a backslash.
    inGbk(QUERY, '{"code":"40004","sub_code":"ACQ.TRADE_NOT_EXIST","sub_msg":"\x81\x5c"}')
    expect(await failure(provider.query('T100', soon()))).toMatch(/^PayFailed/)
  })

  it.each([
    ['nothing', ''],
    ['null', 'null'],
    ['a page', '<html>busy</html>'],
    ['an empty answer', envelope('{}')],
    ['null in it', envelope('null')],
    ['a code that is none', envelope('{"code":null,"sub_code":null}')],
    ['a code of a later version', envelope('{"code":"40099","sub_code":"isv.new"}')],
  ])('is not known: %s', async (_what, body) => {
    for (const method of [QUERY, CLOSE, REFUND, REFUND_QUERY]) raw(method, body.replace(name, nameOf(method)))
    const asked = { tradeNo: 'T100', refundNo: 'R200' }
    const works: readonly Promise<unknown>[] = [
      provider.query('T100', soon()),
      provider.close('T100', soon()),
      provider.refund(BACK, soon()),
      provider.queryRefund(asked, soon()),
    ]
    for (const said of await Promise.all(works.map(failure))) expect(said).toMatch(/^PayFailed/)
  })

  it.each([
    [
      'null for a refund that was not made',
      { refund_amount: null, refund_status: null, out_request_no: null },
      'unknown',
    ],
    ['nothing for one', { refund_amount: '', refund_status: '' }, 'unknown'],
    ['a sum without a state', { ...GIVEN_BACK, refund_status: undefined }, 'waiting'],
    ['a sum with no state', { ...GIVEN_BACK, refund_status: null }, 'waiting'],
    ['a state of a later version', { ...GIVEN_BACK, refund_status: 'REFUND_PROCESSING' }, 'waiting'],
    ['a sum as a number', { ...GIVEN_BACK, refund_amount: 5 }, 'done'],
    ['no time', { ...GIVEN_BACK, gmt_refund_pay: null }, 'done'],
  ])('of a refund: %s', async (_what, content, state) => {
    say(REFUND_QUERY, ok({ out_trade_no: 'T100', ...content }))
    expect(await provider.queryRefund({ tradeNo: 'T100', refundNo: 'R200' }, soon())).toMatchObject({ state })
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
