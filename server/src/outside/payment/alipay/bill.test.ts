import { gbk } from '@guildhall/sandbox/alipay/gbk.ts'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import {
  answers,
  asked,
  BILL,
  contentOf,
  failure,
  ok,
  PAID,
  provider,
  refusal,
  say,
  soon,
  url,
  useAlipay,
} from '../../../testing/pay/alipaySide.ts'

useAlipay()

describe('a bill', () => {
  const HEAD =
    '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'
  const line = (kind: string, content: string, fee: string, refundNo: string, charge: string) =>
    `${PAID.trade_no}\t,T100\t,${kind}\t,${content},2026-07-31 10:00:00,2026-07-31 10:00:05,\t,\t,\t,\t,*林(137****2600)\t,${fee},${fee},0.00,0.00,0.00,0.00,0.00,,0.00\t,0.00,${refundNo}\t,${charge},0.00,备,注`
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
    kind: 'payment',
    tradeNo: 'T100',
    providerNo: PAID.trade_no,
    refundNo: '',
    fee: 1_230,
    charge: 7,
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
  ])('is not read from %s', async (_, bytes, content) => {
    serve(bytes())
    expect(await failure(bill())).toMatch(/^PayFailed: alipay answers with a bill /)
    expect(await failure(bill())).toContain(content)
  })

  it.each([
    'https://evil.example/bill.zip',
    'file:///etc/passwd',
    'https://alipay.com.evil.example/',
    'bill.zip',
    'https://evilalipay.com/bill.zip',
    'http://127.0.0.1:1/bill.zip',
    'ftp://dw.alipay.com/bill.zip',
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
      bill_type: 'trade',
      bill_date: '2026-07-31',
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
