/** The ledger as a table for an accountant: RFC 4180, with the mark by which spreadsheets know UTF-8. */
import { beijingTime } from '@guildhall/wire/beijing.ts'
import { CSV_MARK, csvRow as rowOf } from '@guildhall/wire/csv.ts'
import { yuanOf } from '@guildhall/wire/money.ts'
import type { ExportedLine } from './providerBillSql.ts'

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

/** One row with its end of line. */
export function csvRow(input: ExportedLine): string {
  const debit = input.amount > 0 ? yuanOf(input.amount) : ''
  const credit = input.amount < 0 ? yuanOf(-input.amount) : ''
  const cells = [
    input.entry_id,
    beijingTime(input.at),
    input.kind,
    input.ref,
    input.order_id ?? '',
    input.account,
    input.account_kind,
  ]
  return rowOf([...cells, debit, credit])
}
