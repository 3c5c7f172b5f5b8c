/** Alipay's bill of a day ("业务明细"): a ZIP with CSV files in GBK. */

import { fromBeijingTime } from '@guildhall/wire/beijing.ts'
import { readFen } from '@guildhall/wire/money.ts'
import { unzipSync } from 'fflate'
import { type BillLine, PayFailed } from '../payProvider.ts'

/** The longest file that is unpacked, bytes. */
const UNPACKED_MAX = 256 * 1024 * 1024
const TITLE = '#支付宝业务明细查询'
const END = /^#-+业务明细列表结束-+$/
const COLUMNS = {
  providerNo: '支付宝交易号',
  tradeNo: '商户订单号',
  kind: '业务类型',
  created: '创建时间',
  finished: '完成时间',
  fee: '订单金额',
  refundNo: '退款批次号/请求号',
  charge: '服务费',
} as const
type Column = keyof typeof COLUMNS

/** @throws PayFailed */
export function readAlipayBill(zip: Uint8Array): readonly BillLine[] {
  const text = detailsOf(zip)
  if (text === null) throw unreadable('without the list of trades')
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const header = lines.findIndex((line) => line !== '' && !line.startsWith('#'))
  const end = lines.findIndex((line) => END.test(line))
  if (header === -1 || end < header) throw unreadable('that is cut off')
  const columns = columnsOf(lines[header] ?? '')
  return lines
    .slice(header + 1, end)
    .filter((line) => line !== '')
    .map((line) => lineOf(fieldsOf(line), columns))
}

/**
 * The file with the trades; the other one has sums. Their names are in GBK, which the archive does not tell.
 */
function detailsOf(zip: Uint8Array): string | null {
  try {
    const files = unzipSync(zip, { filter: ({ originalSize }) => originalSize <= UNPACKED_MAX })
    for (const bytes of Object.values(files)) {
      const text = new TextDecoder('gbk').decode(bytes)
      if (text.startsWith(TITLE)) return text
    }
    return null
  } catch {
    throw unreadable('that is no archive')
  }
}

/** Where each column is. @throws PayFailed */
function columnsOf(header: string): ReadonlyMap<Column, number> {
  const names = fieldsOf(header).map((name) => name.replace(/[（(]元[）)]$/, ''))
  return new Map(
    Object.entries(COLUMNS).map(([column, name]) => {
      const index = names.indexOf(name)
      if (index === -1) throw unreadable(`without ${name}`)
      return [column as Column, index]
    }),
  )
}

/** The fields of a line; numbers end with a tab, so that spreadsheets take them for text. */
const fieldsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  )

/** @throws PayFailed */
function lineOf(fields: readonly string[], columns: ReadonlyMap<Column, number>): BillLine {
  const created = columns.get('created') ?? 0
  // What was bought stands before the times, in any words: a comma in it shifts what follows.
  const shift = fields.slice(created).findIndex((field) => fromBeijingTime(field) !== null)
  const at = (column: Column): string => {
    const index = columns.get(column) ?? -1
    return fields[index < created ? index : index + shift] ?? ''
  }
  const kind = { 交易: 'payment', 退款: 'refund' }[at('kind')] as BillLine['kind'] | undefined
  const [fee, charge, time] = [readFen(at('fee')), readFen(at('charge')), fromBeijingTime(at('finished'))]
  if (shift === -1 || kind === undefined || fee === null || charge === null || time === null)
    throw unreadable('with a line of another form')
  return {
    kind,
    tradeNo: at('tradeNo'),
    providerNo: at('providerNo'),
    refundNo: kind === 'refund' ? at('refundNo') : '',
    // Both are written as they change the account: a refund and what is kept of a payment are negative.
    fee: Math.abs(fee),
    charge: charge === 0 ? 0 : -charge,
    at: time,
  }
}

const unreadable = (how: string): PayFailed => new PayFailed('alipay', `answers with a bill ${how}`)
