/** The ledger as a table for an accountant: RFC 4180, with the mark by which spreadsheets know UTF-8. */
import { CSV_MARK, csvRow as rowOf } from '@guildhall/wire/csv.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import type { ExportedLine } from './bills.ts'

const COLUMNS = [
  'entry',
  'time (Beijing)',
  'kind',
  'reference',
  'order',
  'account',
  'account kind',
  'debit (yuan)',
  'credit (yuan)',
]

export const CSV_HEAD = `${CSV_MARK}${rowOf(COLUMNS)}`

/** A sum in yuan, `12.30`. */
function yuan(fen: number): string {
  const rest = fen % 100
  return `${(fen - rest) / 100}.${String(rest).padStart(2, '0')}`
}

const timeOf = (at: number): string => new Date(at + 8 * HOUR_MS).toISOString().slice(0, 19).replace('T', ' ')

/** One row with its end of line. */
export function csvRow(it: ExportedLine): string {
  const debit = it.amount > 0 ? yuan(it.amount) : ''
  const credit = it.amount < 0 ? yuan(-it.amount) : ''
  const words = [it.entry_id, timeOf(it.at), it.kind, it.ref, it.order_id ?? '', it.account, it.account_kind]
  return rowOf([...words, debit, credit])
}
