/** Tables as text, as RFC 4180 has them, for spreadsheets. Begins with the mark by which they know UTF-8. */

/** Before the first row. */
export const CSV_MARK = '\ufeff'

/**
 * A cell. A spreadsheet would compute what begins like a formula, so that it gets a quotation mark in front.
 */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A row with its end of line. Numbers are written as they are. */
export const csvRow = (cells: readonly (string | number)[]): string =>
  `${cells.map((it) => (typeof it === 'number' ? String(it) : csvCell(it))).join(',')}\r\n`
