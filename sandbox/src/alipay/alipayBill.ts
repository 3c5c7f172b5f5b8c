/** Alipay's bill of a day: a ZIP with two CSV files in GBK, the trades and their sums. */

import { clock } from '@guildhall/server/kit/clock.ts'
import { beijingDaySpan, beijingTime } from '@guildhall/wire/beijing.ts'
import { yuanOf } from '@guildhall/wire/money.ts'
import { DAY_MS, type Fen } from '@guildhall/wire/unit.ts'
import { zipSync } from 'fflate'
import type { BillEntry } from '../tradeStore.ts'
import { gbk } from './gbk.ts'

const COLUMNS =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'
const SUM_COLUMNS =
  '门店编号,门店名称,交易订单总笔数,退款订单总笔数,订单金额（元）,商家实收（元）,支付宝优惠（元）,商家优惠（元）,卡消费金额（元）,服务费（元）,分润（元）,实收净额（元）'

/** `merchant`: whose bill it is; `day`: of Beijing. */
export function writeAlipayBill(merchant: string, day: string, lines: readonly BillEntry[]): Uint8Array {
  const name = `${merchant}0156_${day.replaceAll('-', '')}`
  const head = headOf(merchant, day)
  return zipSync({
    [`${name}_业务明细(汇总).csv`]: gbk(sumsOf(head, lines)),
    [`${name}_业务明细.csv`]: gbk(detailsOf(head, lines)),
  })
}

function headOf(merchant: string, day: string): readonly string[] {
  const from = beijingDaySpan(day)?.from ?? clock.now()
  const [first, last] = [chinese(from), chinese(from + DAY_MS)]
  return [`#账号：[${merchant}0156]`, `#起始日期：[${first}]   终止日期：[${last}]`]
}

const chinese = (at: number): string => beijingTime(at).replace(/^(\d+)-(\d+)-(\d+)/, '$1年$2月$3日')

function detailsOf(head: readonly string[], lines: readonly BillEntry[]): string {
  const [payments, refunds] = [of('payment', lines), of('refund', lines)]
  return [
    '#支付宝业务明细查询',
    ...head,
    `#${'-'.repeat(41)}业务明细列表${'-'.repeat(40)}`,
    COLUMNS,
    ...lines.map(lineOf),
    `#${'-'.repeat(41)}业务明细列表结束${'-'.repeat(36)}`,
    `#交易合计：${payments.length}笔，商家实收共${yuanOf(sumOf(payments))}元，商家优惠共0.00元`,
    `#退款合计：${refunds.length}笔，商家实收退款共${yuanOf(-sumOf(refunds))}元，商家优惠退款共0.00元`,
    `#导出时间：[${chinese(clock.now())}]`,
    '',
  ].join('\r\n')
}

function sumsOf(head: readonly string[], lines: readonly BillEntry[]): string {
  const [payments, refunds] = [of('payment', lines), of('refund', lines)]
  const sum = yuanOf(sumOf(payments) - sumOf(refunds))
  const charge = yuanOf(-lines.reduce((all, { line }) => all + line.charge, 0))
  const counts = `${payments.length},${refunds.length}`
  return [
    '#支付宝业务汇总查询',
    ...head,
    `#${'-'.repeat(41)}业务汇总列表${'-'.repeat(40)}`,
    SUM_COLUMNS,
    `合计,,${counts},${sum},${sum},0.00,0.00,0.00,${charge},0.00,${sum}`,
    `#${'-'.repeat(41)}业务汇总列表结束${'-'.repeat(36)}`,
    '',
  ].join('\r\n')
}

/** What leaves the merchant's account is negative: a refund, and what is kept of a payment. */
function lineOf({ line, trade }: BillEntry): string {
  const amount = yuanOf(line.kind === 'payment' ? line.fee : -line.fee)
  const none = '0.00'
  return [
    `${line.providerNo}\t`,
    `${line.tradeNo}\t`,
    `${line.kind === 'payment' ? '交易' : '退款'}\t`,
    trade?.subject ?? '',
    beijingTime(trade?.madeAt ?? line.at),
    beijingTime(line.at),
    '\t',
    '\t',
    '\t',
    '\t',
    '*林(159****5620)\t',
    amount,
    amount,
    none,
    none,
    none,
    none,
    none,
    '',
    `${none}\t`,
    none,
    `${line.refundNo}\t`,
    yuanOf(line.charge === 0 ? 0 : -line.charge),
    none,
    '',
  ].join(',')
}

const of = (kind: 'payment' | 'refund', lines: readonly BillEntry[]): readonly BillEntry[] =>
  lines.filter(({ line }) => line.kind === kind)
const sumOf = (lines: readonly BillEntry[]): Fen => lines.reduce((sum, { line }) => sum + line.fee, 0)
