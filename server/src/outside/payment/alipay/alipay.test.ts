import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AT,
  asked,
  BACK,
  CLOSE,
  configOf,
  contentOf,
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
  url,
  useAlipay,
} from '../../../testing/pay/alipaySide.ts'
import { openAlipay } from './alipay.ts'

useAlipay()

const COMMON = {
  app_id: '2021000000000001',
  sign_type: 'RSA2',
  charset: 'utf-8',
  version: '1.0',
  timestamp: '2026-08-01 12:00:00',
  notify_url: 'https://hall.example/notify',
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
      out_trade_no: 'T100',
      total_amount: '12.30',
      subject: 'BUFF 年度会员',
      time_expire: '2026-08-01 12:15:00',
      product_code: 'QUICK_MSECURITY_PAY',
    })
    expect(asked).toEqual([])
  })

  it('in a phone’s browser is an address of the gateway', async () => {
    const data = await provider.start({ ...PAYMENT, scene: 'phone' }, soon())
    const address = new URL(data.kind === 'redirect' ? data.url : '')
    expect(address.origin + address.pathname).toBe(`${url}/gateway.do`)
    expect(isSignedByApplication(address.searchParams)).toBe(true)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      ...COMMON,
      method: 'alipay.trade.wap.pay',
      return_url: PAYMENT.returnUrl,
    })
    expect(contentOf(address.searchParams)).toMatchObject({
      quit_url: PAYMENT.returnUrl,
      product_code: 'QUICK_WAP_WAY',
      total_amount: '12.30',
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
        kind: 'qr',
        code: 'https://qr.alipay.com/bax1',
      })
    }
    // What is read is what was signed, not what was sent.
    const escaped = text.replaceAll('/', '\\/')
    raw(
      PRECREATE,
      `{"${nameOf(PRECREATE)}":${escaped.replaceAll('\\/', '\\\\/')},"sign":"${signed(escaped)}"}`,
    )
    expect(await provider.start({ ...PAYMENT, scene: 'qr' }, soon())).toEqual({
      kind: 'qr',
      code: 'https://qr.alipay.com/bax1',
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
        const content = (contentOf(params) as { readonly subject: string }).subject
        expect(isSignedByApplication(params)).toBe(true)
        expect(content).toMatch(/^[^/=&,"\r\n\0]+$/)
        expect([...content].length).toBeLessThanOrEqual(128)
        expect(content.isWellFormed()).toBe(true)
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

const DONE = {
  state: 'done',
  providerRefundNo: `${PAID.trade_no}-R200`,
  fee: 500,
  at: AT + 1_800_000,
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
    { refund_amount: '5.005' },
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
      out_trade_no: 'T100',
      trade_no: PAID.trade_no,
      out_request_no: 'R200',
      refund_amount: '5.00',
      refund_reason: '买错了 换一个',
    })
    expect(contentOf(asked[1]?.params ?? new URLSearchParams())).toEqual({
      out_trade_no: 'T100',
      out_request_no: 'R200',
      query_options: ['gmt_refund_pay'],
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
