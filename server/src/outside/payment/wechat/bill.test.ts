import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  type Answer,
  answers,
  asked,
  failure,
  provider,
  refusal,
  signed,
  soon,
  useWechat,
} from '../../../testing/pay/wechatSide.ts'

useWechat()

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
  ])('%s is not read', async (_name, bytes, change, content) => {
    billIs(bytes, change)
    expect(await failure(provider.bill('2026-07-31', soon()))).toBe(`PayFailed: wechat answers ${content}`)
  })

  it.each([
    [refusal(400, 'PARAM_ERROR'), 'PayFailed: wechat answers PARAM_ERROR'],
    [() => new Response('', { status: 500 }), 'PayFailed: wechat answers status 500'],
  ] as [Answer, string][])('fails: %#', async (answer, content) => {
    answers.set(APPLY, answer)
    expect(await failure(provider.bill('2026-07-31', soon()))).toBe(content)
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
        kind: 'payment',
        tradeNo: 'S20210128170702357723',
        providerNo: '4200000925202101284997714292',
        refundNo: '',
        fee: 600,
        charge: 4,
        at: Date.UTC(2026, 6, 31, 15, 59, 59),
      },
      {
        kind: 'refund',
        tradeNo: 'PAY-1',
        providerNo: '420000001',
        refundNo: 'RF-1',
        fee: 123,
        charge: -1,
        at: Date.UTC(2026, 6, 31, 4, 0, 0),
      },
    ])
    expect(asked.map(({ target }) => target)).toEqual([
      '/v3/bill/tradebill?bill_date=2026-07-31&bill_type=ALL',
      '/v3/certificates',
      `${FILE}?token=a-b_c`,
    ])
  })

  it('without lines has none', async () => {
    billIs(text([]))
    expect(await provider.bill('2026-07-31', soon())).toEqual([])
  })
})
