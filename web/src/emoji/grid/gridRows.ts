import type { Cell, Section } from '../cell.ts'

/** A row of the grid: the title of a group, or some of its emoji. */
export type Row =
  | { readonly kind: 'title'; readonly section: string; readonly title: string }
  | { readonly kind: 'cells'; readonly section: string; readonly cells: readonly Cell[] }

/** The groups as rows of so many columns. */
export function rowsOf(sections: readonly Section[], columns: number): Row[] {
  return sections.flatMap(({ id, title, cells }) => {
    const rows: Row[] = [{ kind: 'title', section: id, title }]
    for (let from = 0; from < cells.length; from += columns)
      rows.push({ kind: 'cells', section: id, cells: cells.slice(from, from + columns) })
    return rows
  })
}

/**
 * The cell that a navigation key moves to, or null for another key. A column beyond the end of the row means
 * its last cell; a row without cells is outside of the grid.
 */
export function cellAfterKey(
  key: string,
  at: { rows: readonly Row[]; columns: number; row: number; column: number },
): readonly [row: number, column: number] | null {
  const { rows, columns, row, column } = at
  const length = (index: number) => {
    const found = rows[index]
    return found?.kind === 'cells' ? found.cells.length : 0
  }
  /** The nearest row of emoji in a direction; titles are skipped. */
  const next = (step: 1 | -1) => (length(row + step) > 0 ? row + step : row + 2 * step)
  switch (key) {
    case 'ArrowRight':
      return column + 1 < length(row) ? [row, column + 1] : [next(1), 0]
    case 'ArrowLeft':
      return column > 0 ? [row, column - 1] : [next(-1), columns]
    case 'ArrowDown':
      return [next(1), column]
    case 'ArrowUp':
      return [next(-1), column]
    case 'Home':
      return [row, 0]
    case 'End':
      return [row, columns]
    default:
      return null
  }
}
