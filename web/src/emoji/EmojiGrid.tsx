import type { Emoji } from '@guildhall/wire/message/message.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useText } from '../kit/i18n.ts'
import { CELL, type Cell, type Section } from './cell.ts'
import { EmojiCell } from './EmojiCell.tsx'
import styles from './EmojiGrid.module.css'
import { text } from './text.ts'

/** Height of a title row, px. */
const TITLE_HEIGHT = 30

type Row =
  | { readonly kind: 'title'; readonly section: string; readonly title: string }
  | { readonly kind: 'cells'; readonly section: string; readonly cells: readonly Cell[] }

export interface GridHandle {
  /** Moves the focus to the first emoji. */
  enter(): void
  show(section: string): void
}

/** Virtualized grid of emoji in titled groups, with arrow key navigation. */
export function EmojiGrid(props: {
  handle: { current: GridHandle | null }
  sections: readonly Section[]
  onSeen: (section: string) => void
  onPick: (emoji: Emoji) => void
  onTones: (of: Cell, from: HTMLElement) => void
}) {
  const { handle, sections } = props
  const t = useText(text)
  const scroll = useRef<HTMLDivElement>(null)
  const columns = useColumns(scroll)
  const rows = useMemo(() => rowsOf(sections, columns), [sections, columns])
  /** The focused cell (roving tabindex). */
  const [at, setAt] = useState<readonly [row: number, column: number]>([1, 0])
  const moved = useRef(false)

  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => (rows[index]?.kind === 'title' ? TITLE_HEIGHT : CELL),
    overscan: 4,
  })
  // Heights depend on the kind of row, and the rows change with the columns.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights change with the rows
  useLayoutEffect(() => list.measure(), [list, rows])

  const drawn = list.getVirtualItems()
  const top = list.scrollOffset ?? 0
  const first = drawn.find((it) => it.end > top + TITLE_HEIGHT / 2)
  const section = first && rows[first.index]?.section
  const { onSeen } = props
  useEffect(() => {
    if (section) onSeen(section)
  }, [section, onSeen])

  const focusCell = (row: number, column: number) => {
    const cells = rows[row]
    if (cells?.kind !== 'cells') return
    moved.current = true
    setAt([row, Math.max(0, Math.min(column, cells.cells.length - 1))])
    list.scrollToIndex(row)
  }
  useEffect(() => {
    if (!moved.current) return
    const cell = scroll.current?.querySelector<HTMLElement>(`[data-at="${at[0]}:${at[1]}"]`)
    if (!cell) return
    moved.current = false
    cell.focus({ preventScroll: true })
  })
  handle.current = {
    enter: () => focusCell(1, 0),
    show(wanted) {
      const row = rows.findIndex((it) => it.kind === 'title' && it.section === wanted)
      if (row >= 0) list.scrollToIndex(row, { align: 'start' })
    },
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const [row, column] = (event.target as HTMLElement).dataset.at?.split(':').map(Number) ?? []
    if (row === undefined || column === undefined) return
    const to = cellAfterKey(event.key, { rows, columns, row, column })
    if (!to) return
    event.preventDefault()
    focusCell(...to)
  }

  const latest = useRef(props)
  latest.current = props
  const on = useMemo(
    () => ({
      pick: (it: Emoji) => latest.current.onPick(it),
      tones: (of: Cell, from: HTMLElement) => latest.current.onTones(of, from),
    }),
    [],
  )
  // When the focused cell is not drawn any more, the first drawn row takes the tab stop.
  const isAtDrawn = drawn.some((it) => it.index === at[0])
  const firstRow = drawn.find((it) => rows[it.index]?.kind === 'cells')?.index
  const stop = isAtDrawn && rows[at[0]]?.kind === 'cells' ? at : ([firstRow ?? -1, 0] as const)
  return (
    <div className={styles.scroll} ref={scroll}>
      {/* biome-ignore lint/a11y/useSemanticElements: a table cannot leave out rows that are not drawn */}
      <div
        className={styles.grid}
        role="grid"
        aria-label={t.emoji}
        aria-rowcount={rows.length}
        aria-colcount={columns}
        style={{ height: list.getTotalSize() }}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {drawn.map((it) => {
          const row = rows[it.index]
          if (!row) return null
          return (
            <GridRow
              key={it.key}
              row={row}
              index={it.index}
              top={it.start}
              columns={columns}
              stop={stop[0] === it.index ? stop[1] : -1}
              on={on}
            />
          )
        })}
      </div>
    </div>
  )
}

/** How many cells fit into a row. */
function useColumns(scroll: RefObject<HTMLElement | null>): number {
  const [columns, setColumns] = useState(8)
  useLayoutEffect(() => {
    const here = scroll.current
    if (!here) return
    const fit = () => setColumns(Math.max(5, Math.floor((here.clientWidth - 16) / CELL)))
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(here)
    return () => observer.disconnect()
  }, [scroll])
  return columns
}

/**
 * The cell that a navigation key moves to, or null for another key. A column beyond the end of the row means
 * its last cell; a row without cells is outside of the grid.
 */
function cellAfterKey(
  key: string,
  at: { rows: readonly Row[]; columns: number; row: number; column: number },
): readonly [row: number, column: number] | null {
  const { rows, columns, row, column } = at
  const length = (index: number) => {
    const it = rows[index]
    return it?.kind === 'cells' ? it.cells.length : 0
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

function rowsOf(sections: readonly Section[], columns: number): Row[] {
  return sections.flatMap(({ id, title, cells }) => {
    const rows: Row[] = [{ kind: 'title', section: id, title }]
    for (let from = 0; from < cells.length; from += columns)
      rows.push({ kind: 'cells', section: id, cells: cells.slice(from, from + columns) })
    return rows
  })
}

/** One row of the grid, memoized: scrolling must not render all rows again. */
const GridRow = memo(function GridRow(props: {
  row: Row
  index: number
  top: number
  columns: number
  /** The column of the tab stop; -1: not in this row. */
  stop: number
  on: { readonly pick: (it: Emoji) => void; readonly tones: (of: Cell, from: HTMLElement) => void }
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
      {row.cells.map((it, column) => (
        <EmojiCell
          key={it.id}
          cell={it}
          at={`${index}:${column}`}
          column={column}
          isStop={stop === column}
          on={on}
        />
      ))}
    </div>
  )
})
