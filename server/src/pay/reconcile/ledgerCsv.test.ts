import { expect, test } from 'vitest'
import { CSV_HEAD, csvRow } from './ledgerCsv.ts'

const line = {
  entry_id: '7',
  at: Date.parse('2026-11-23T16:00:05Z'),
  kind: 'receive',
  ref: 'P01',
  order_id: '100',
  account: 'clearing:wechat',
  account_kind: 'asset',
  amount: 1805,
}

test('begins with the mark of UTF-8, and every line ends as RFC 4180 wants it', () => {
  expect(CSV_HEAD.startsWith('\ufeffentry,')).toBe(true)
  expect(CSV_HEAD.endsWith('\r\n')).toBe(true)
  expect(csvRow(line).endsWith('\r\n')).toBe(true)
})
test('a debit and a credit stand in columns of their own, in yuan, at the time of Beijing', () => {
  expect(csvRow(line)).toBe('7,2026-11-24 00:00:05,receive,P01,100,clearing:wechat,asset,18.05,\r\n')
  expect(csvRow({ ...line, amount: -5, order_id: null })).toBe(
    '7,2026-11-24 00:00:05,receive,P01,,clearing:wechat,asset,,0.05\r\n',
  )
})
test.each([
  ['=1+1', "'=1+1"],
  ['@sum', "'@sum"],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['-2\r\n3', '"\'-2\r\n3"'],
])('a spreadsheet neither computes nor splits %j', (ref, cell) => {
  expect(csvRow({ ...line, ref })).toContain(`,receive,${cell},100,`)
})
