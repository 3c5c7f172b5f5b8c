/** WeChat Pay's bills: applied for, then downloaded as CSV. */
import { createHash } from 'node:crypto'
import { clock } from '@guildhall/server/kit/clock.ts'
import { beijingDaySpan, beijingTime } from '@guildhall/wire/beijing.ts'
import { yuanOf } from '@guildhall/wire/money.ts'
import { DAY_MS, type Fen, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { Addresses } from '../addresses.ts'
import type { DialogueDeps, SandboxAnswer } from '../dialogue.ts'
import type { Keys } from '../keys.ts'
import type { BillEntry } from '../tradeStore.ts'
import { answerJson, WechatRefused } from './wechatCall.ts'
import { REFUND_STATES } from './wechatRefunds.ts'
import { TRADE_TYPES } from './wechatTrades.ts'

const ADDRESS_LIVES_MS = 5 * MINUTE_MS
const KEPT_MS = 90 * DAY_MS
const HEADER =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
const SUMS_HEADER =
  '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'

export class WechatBills {
  readonly #deps: DialogueDeps
  readonly #bills = new Addresses<string>(ADDRESS_LIVES_MS)

  constructor(deps: DialogueDeps) {
    this.#deps = deps
  }

  /** @throws WechatRefused */
  apply(query: URLSearchParams): SandboxAnswer {
    const { store, keys, url } = this.#deps
    const day = query.get('bill_date') ?? ''
    const span = beijingDaySpan(day)
    if (!span || span.to < clock.now() - KEPT_MS || (query.get('bill_type') ?? 'ALL') !== 'ALL')
      throw new WechatRefused(400, 'PARAM_ERROR', '账单参数错误')
    if (span.to > clock.now()) throw new WechatRefused(400, 'STATEMENT_CREATING', '账单生成中')
    const lines = store.billOf('wechat', day)
    if (lines.length === 0) throw new WechatRefused(400, 'NO_STATEMENT_EXIST', '账单文件不存在')
    const bill = billText(keys.now, lines)
    return answerJson(200, {
      hash_type: 'SHA1',
      hash_value: createHash('sha1').update(bill).digest('hex'),
      download_url: `${url}/v3/billdownload/file?token=${this.#bills.add(bill)}`,
    })
  }

  /** @throws WechatRefused */
  download(query: URLSearchParams): SandboxAnswer {
    const body = this.#bills.find(query.get('token') ?? '')
    if (body === null) throw new WechatRefused(400, 'PARAM_ERROR', '下载链接已失效')
    return { status: 200, headers: { 'content-type': 'text/plain' }, body }
  }
}

/** Newest first; of a kind of text that spreadsheets do not take for numbers. */
function billText(keys: Keys, lines: readonly BillEntry[]): string {
  const rows = lines.map((each) => rowOf(keys, each)).reverse()
  const sum = (kind: 'payment' | 'refund', field: 'fee' | 'charge'): Fen =>
    lines.reduce((total, { line }) => (line.kind === kind ? total + line[field] : total), 0)
  const [paid, back] = [yuanOf(sum('payment', 'fee')), yuanOf(sum('refund', 'fee'))]
  const charges = yuanOf(sum('payment', 'charge') + sum('refund', 'charge'))
  const sums = [lines.length, paid, back, '0.00', `${charges}000`, paid, back]
  const write = (row: readonly unknown[]) => row.map((field) => `\`${field}`).join(',')
  return `${[HEADER, ...rows.map(write), SUMS_HEADER, write(sums)].join('\r\n')}\r\n`
}

function rowOf({ wechat }: Keys, { line, trade, refund }: BillEntry): readonly unknown[] {
  const isRefund = line.kind === 'refund'
  const [fee, back] = isRefund ? ['0.00', yuanOf(line.fee)] : [yuanOf(line.fee), '0.00']
  return [
    beijingTime(line.at),
    trade?.app ?? wechat.appId,
    wechat.merchant,
    '0',
    '',
    line.providerNo,
    line.tradeNo,
    trade?.more.openid ?? '',
    TRADE_TYPES[trade?.scene ?? 'qr'],
    isRefund ? 'REFUND' : 'SUCCESS',
    'OTHERS',
    'CNY',
    fee,
    '0.00',
    ...(refund ? [refund.providerRefundNo, refund.refundNo] : ['0', '0']),
    back,
    '0.00',
    isRefund ? 'ORIGINAL' : '',
    refund ? REFUND_STATES[refund.state] : '',
    trade?.subject ?? '',
    '',
    `${yuanOf(line.charge)}000`,
    '0.60%',
    fee,
    back,
    '',
  ]
}
