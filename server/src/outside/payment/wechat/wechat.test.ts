import { verify, X509Certificate } from 'node:crypto'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { describe, expect, it } from 'vitest'
import {
  type Answer,
  APP,
  AT,
  answers,
  asked,
  DONE,
  FACT,
  failure,
  MERCHANT,
  merchant,
  NOTIFY,
  OPEN_APP,
  open,
  provider,
  QUERY,
  REFUND,
  refundAnswer,
  refusal,
  signed,
  soon,
  TRADE,
  transaction,
  useWechat,
} from '../../../testing/pay/wechatSide.ts'
import type { NewPayment } from '../payProvider.ts'

useWechat()

const payment = (change: Partial<NewPayment> = {}): NewPayment => ({
  scene: 'inside',
  tradeNo: TRADE,
  fee: 1_800,
  subject: 'BUFF 会员 30 天',
  expiresAt: AT + 15 * MINUTE_MS,
  clientIp: '203.0.113.7',
  returnUrl: 'https://hall.example/account/buff?from=h5&x=1',
  payer: 'oBuyer',
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
  ] as [Answer, string][])('that WeChat does not start is refused or fails: %#', async (answer, message) => {
    answers.set('POST /v3/pay/transactions/jsapi', answer)
    expect(await failure(provider.start(payment(), soon()))).toBe(message)
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
      appId: APP,
      timeStamp: String(AT / 1_000),
      package: 'prepay_id=wx201410272009',
      signType: 'RSA',
    })
    const { appId, timeStamp, nonceStr, package: packed, paySign = '' } = data.params
    const text = `${appId}\n${timeStamp}\n${nonceStr}\n${packed}\n`
    const { publicKey } = new X509Certificate(merchant.certificate)
    expect(verify('sha256', Buffer.from(text), publicKey, Buffer.from(paySign, 'base64'))).toBe(true)
    expect(content()).toEqual({
      appid: APP,
      mchid: MERCHANT,
      out_trade_no: TRADE,
      notify_url: NOTIFY,
      payer: { openid: 'oBuyer' },
      description: 'BUFF 会员 30 天',
      time_expire: '2026-08-01T12:15:00+08:00',
      amount: { total: 1_800, currency: 'CNY' },
      scene_info: { payer_client_ip: '203.0.113.7' },
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
  ] as [Answer, string][])('fails: %#', async (answer, message) => {
    answers.set(CLOSE, answer)
    answers.set(`GET ${QUERY}`, () => signed(200, transaction({ trade_state: 'NOTPAY' })))
    expect(await failure(provider.close(TRADE, soon()))).toBe(message)
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
  ] as [Answer, string][])('fails: %#', async (answer, message) => {
    answers.set(`POST ${REFUNDS}`, answer)
    answers.set(`GET ${REFUNDS}/R0001`, answer)
    expect(await failure(provider.refund(REFUND, soon()))).toBe(`PayFailed: wechat ${message}`)
    expect(await failure(provider.queryRefund(REFUND, soon()))).toBe(`PayFailed: wechat ${message}`)
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
      transaction_id: FACT.providerNo,
      out_refund_no: 'R0001',
      reason: '重复支付',
      notify_url: NOTIFY,
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
