import { type Column, DataTable } from './DataTable.tsx'
import styles from './parts.module.css'
import { fixedRows } from './useStaffPages.ts'

/** A table inside of a card, of rows that are all there. Without any, one line says so. */
export function FixedTable<Row>(props: {
  caption: string
  columns: readonly Column<Row>[]
  items: readonly Row[]
  keyOf: (row: Row) => string
  empty: string
}) {
  const { items, empty, ...table } = props
  if (items.length === 0) return <p className={styles.note}>{empty}</p>
  return <DataTable {...table} rows={fixedRows(items)} />
}
