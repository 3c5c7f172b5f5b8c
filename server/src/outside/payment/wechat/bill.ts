/**
 * WeChat Pay's bill of a day ("交易账单", ALL): CSV in UTF-8 of which each field of data begins with a backtick.
 */

import { fromBeijingTime } from '@guildhall/wire/beijing.ts'
import { readFen } from '@guildhall/wire/money.ts'
import { type BillLine, PayFailed } from '../payProvider.ts'

const COLUMNS = {
  at: '交易时间',
  providerNo: '微信订单号',
  tradeNo: '商户订单号',
  state: '交易状态',
  refundNo: '商户退款单号',
  refundState: '退款状态',
  charge: '手续费',
  fee: '订单金额',
  refundFee: '申请退款金额',
} as const
type Column = keyof typeof COLUMNS
const SUBJECT = '商品名称'
/** The line above the sums. */
const SUMS = '总交易单数'
/** Refunds of these states give nothing back. */
const NO_REFUND = new Set(['FAIL', 'CLOSED'])
/** @throws PayFailed */
export function readWechatBill(bytes: Uint8Array): readonly BillLine[] {
  const lines = textOf(bytes).split(/\r?\n/)
  const sums = lines.findIndex((line) => line.startsWith(SUMS))
  if (sums === -1) throw unreadable('that is cut off')
  const names = (lines[0] ?? '').split(',')
  const columns = new Map(
    Object.entries(COLUMNS).map(([column, name]) => {
      const index = names.indexOf(name)
      if (index === -1) throw unreadable(`without ${name}`)
      return [column as Column, index]
    }),
  )
  const subject = names.indexOf(SUBJECT)
  const rows = lines.slice(1, sums).map((line) => withoutMore(fieldsOf(line), names.length, subject))
  if (rows.some(({ length }) => length !== names.length)) throw unreadable('with a line of another form')
  const count = fieldsOf(lines[sums + 1] ?? '')[0]
  if (Number(count) !== rows.length) throw unreadable('that is cut off')
  return rows.flatMap((row) => lineOf((column) => row[columns.get(column) ?? -1] ?? ''))
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unreadable('that is no text')
  }
}

/**
 * The fields with those that what was bought is in as one: it is in any words, also with a comma before a
 * backtick.
 */
const withoutMore = (fields: readonly string[], count: number, subject: number): readonly string[] =>
  subject === -1 || fields.length <= count
    ? fields
    : [...fields.slice(0, subject), '', ...fields.slice(fields.length - (count - subject - 1))]

const fieldsOf = (line: string): string[] => (line.startsWith('`') ? line.slice(1).split(',`') : [])

/** @throws PayFailed */
function lineOf(field: (column: Column) => string): BillLine[] {
  const state = field('state')
  const kind = { SUCCESS: 'payment', REFUND: 'refund' }[state] as BillLine['kind'] | undefined
  // `REVOKED`: a payment by the merchant's scanner that was taken back.
  if (state === 'REVOKED' || (kind === 'refund' && NO_REFUND.has(field('refundState')))) return []
  const at = fromBeijingTime(field('at'))
  const fee = readFen(field(kind === 'refund' ? 'refundFee' : 'fee'))
  const charge = readFen(field('charge'))
  if (kind === undefined || at === null || fee === null || fee < 0 || charge === null)
    throw unreadable('with a line of another form')
  const refundNo = kind === 'refund' ? field('refundNo') : ''
  return [{ kind, tradeNo: field('tradeNo'), providerNo: field('providerNo'), refundNo, fee, charge, at }]
}

const unreadable = (how: string): PayFailed => new PayFailed('wechat', `answers with a bill ${how}`)
