import { expect, test } from 'vitest'
import { csvCell, csvRow } from './csv.ts'

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
  'what begins like a formula is computed by nobody: %j',
  (text) => {
    expect(csvCell(text).replaceAll('"', '')).toBe(`'${text}`)
  },
)

test('commas, quotation marks and ends of lines stay in their cell', () => {
  expect(csvRow(['a,b', 'say "x"', 'two\nlines', 'plain'])).toBe('"a,b","say ""x""","two\nlines",plain\r\n')
})

test('numbers are numbers, negative ones too', () => {
  expect(csvRow(['day', -12.5, 0])).toBe('day,-12.5,0\r\n')
})
