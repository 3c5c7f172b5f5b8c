import { type CSSProperties, memo } from 'react'
import { type CellActions, EmojiCell } from '../EmojiCell.tsx'
import styles from './EmojiGrid.module.css'
import type { Row } from './gridRows.ts'

/** One row of the grid, memoized: scrolling must not render all rows again. */
export const GridRow = memo(function GridRow(props: {
  row: Row
  index: number
  top: number
  columns: number
  /** The column of the tab stop; -1: not in this row. */
  stop: number
  on: CellActions
}) {
  const { row, index, top, columns, stop, on } = props
  const style: CSSProperties = { transform: `translateY(${top}px)` }
  if (row.kind === 'title')
    return (
      // biome-ignore lint/a11y/useSemanticElements: see the grid
      <div className={styles.title} role="row" aria-rowindex={index + 1} tabIndex={-1} style={style}>
        {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
        <span role="rowheader" aria-colspan={columns} tabIndex={-1}>
          {row.title}
        </span>
      </div>
    )
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <div
      className={styles.row}
      role="row"
      aria-rowindex={index + 1}
      tabIndex={-1}
      style={{ ...style, gridTemplateColumns: `repeat(${columns}, 1fr)` }}
    >
      {row.cells.map((cell, column) => (
        <EmojiCell
          key={cell.id}
          cell={cell}
          at={`${index}:${column}`}
          column={column}
          isStop={stop === column}
          on={on}
        />
      ))}
    </div>
  )
})
