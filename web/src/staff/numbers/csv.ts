import { CSV_MARK, csvRow } from '@guildhall/wire/csv.ts'
import type { NumberDay } from '@guildhall/wire/staff/numbers.ts'

/** Sums in yuan, as numbers that a spreadsheet adds up. */
const inYuan = (fen: number): number => fen / 100

export const netOf = (it: NumberDay): number =>
  it.gross_wechat + it.gross_alipay - it.refunds_wechat - it.refunds_alipay

/** Days as a table for a spreadsheet, with some headings. */
export const numbersCsv = (days: readonly NumberDay[], headings: readonly string[]): string =>
  CSV_MARK +
  csvRow(headings) +
  days
    .map((it) =>
      csvRow([
        it.day,
        it.registrations,
        it.active,
        it.messages,
        it.orders,
        it.paid_orders,
        inYuan(it.gross_wechat),
        inYuan(it.gross_alipay),
        inYuan(it.refunds_wechat),
        inYuan(it.refunds_alipay),
        inYuan(netOf(it)),
      ]),
    )
    .join('')
