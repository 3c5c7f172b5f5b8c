import type { Emoji } from '@guildhall/wire/message/message.ts'
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useText } from '../../kit/i18n.ts'
import { CELL, type Cell, type Section } from '../cell.ts'
import type { CellActions } from '../EmojiCell.tsx'
import { text } from '../text.ts'
import styles from './EmojiGrid.module.css'
import { GridRow } from './GridRow.tsx'
import { cellAfterKey, type Row, rowsOf } from './gridRows.ts'

/** Height of a title row, px. */
const TITLE_HEIGHT = 30

export interface GridHandle {
  /** Moves the focus to the first emoji. */
  enter(): void
  show(section: string): void
}

interface GridActions {
  onPick: (emoji: Emoji) => void
  onTones: (of: Cell, from: HTMLElement) => void
}

/** Virtualized grid of emoji in titled groups, with arrow key navigation. */
export function EmojiGrid(
  props: GridActions & {
    handle: { current: GridHandle | null }
    sections: readonly Section[]
    onSeen: (section: string) => void
  },
) {
  const { handle, sections } = props
  const t = useText(text)
  const scroll = useRef<HTMLDivElement>(null)
  const columns = useColumns(scroll)
  const rows = useMemo(() => rowsOf(sections, columns), [sections, columns])
  const list = useRowList(scroll, rows)
  useSeenSection(list, rows, props.onSeen)
  const { stop, focusCell, onKeyDown } = useCellFocus(scroll, list, rows, columns)
  handle.current = {
    enter: () => focusCell(1, 0),
    show(wanted) {
      const row = rows.findIndex(({ kind, section }) => kind === 'title' && section === wanted)
      if (row >= 0) list.scrollToIndex(row, { align: 'start' })
    },
  }
  const on = useStableActions(props)
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
        {list.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index]
          if (!row) return null
          const stopColumn = stop[0] === index ? stop[1] : -1
          return (
            <GridRow
              key={key}
              row={row}
              index={index}
              top={start}
              columns={columns}
              stop={stopColumn}
              on={on}
            />
          )
        })}
      </div>
    </div>
  )
}

type List = Virtualizer<HTMLDivElement, Element>

/** Draws only the rows that are seen. */
function useRowList(scroll: RefObject<HTMLDivElement | null>, rows: readonly Row[]): List {
  const list: List = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => (rows[index]?.kind === 'title' ? TITLE_HEIGHT : CELL),
    overscan: 4,
  })
  // Heights depend on the kind of row, and the rows change with the columns.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights change with the rows
  useLayoutEffect(() => list.measure(), [list, rows])
  return list
}

/** Reports the group at the top of what is seen. */
function useSeenSection(list: List, rows: readonly Row[], onSeen: (section: string) => void): void {
  const top = list.scrollOffset ?? 0
  const first = list.getVirtualItems().find(({ end }) => end > top + TITLE_HEIGHT / 2)
  const section = first && rows[first.index]?.section
  useEffect(() => {
    if (section) onSeen(section)
  }, [section, onSeen])
}

/** The focus in the grid: one cell is its tab stop (roving tabindex), and keys move it. */
function useCellFocus(
  scroll: RefObject<HTMLElement | null>,
  list: List,
  rows: readonly Row[],
  columns: number,
) {
  /** The focused cell. */
  const [at, setAt] = useState<readonly [row: number, column: number]>([1, 0])
  const moved = useRef(false)
  const focusCell = (row: number, column: number) => {
    const found = rows[row]
    if (found?.kind !== 'cells') return
    moved.current = true
    setAt([row, Math.max(0, Math.min(column, found.cells.length - 1))])
    list.scrollToIndex(row)
  }
  useEffect(() => {
    if (!moved.current) return
    const cell = scroll.current?.querySelector<HTMLElement>(`[data-at="${at[0]}:${at[1]}"]`)
    if (!cell) return
    moved.current = false
    cell.focus({ preventScroll: true })
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const [row, column] = (event.target as HTMLElement).dataset.at?.split(':').map(Number) ?? []
    if (row === undefined || column === undefined) return
    const to = cellAfterKey(event.key, { rows, columns, row, column })
    if (!to) return
    event.preventDefault()
    focusCell(...to)
  }
  // When the focused cell is not drawn any more, the first drawn row takes the tab stop.
  const drawn = list.getVirtualItems()
  const isAtDrawn = drawn.some(({ index }) => index === at[0])
  const firstRow = drawn.find(({ index }) => rows[index]?.kind === 'cells')?.index
  const stop = isAtDrawn && rows[at[0]]?.kind === 'cells' ? at : ([firstRow ?? -1, 0] as const)
  return { stop, focusCell, onKeyDown }
}

/** The same object at every render: otherwise every row would be rendered again. */
function useStableActions(actions: GridActions): CellActions {
  const latest = useRef(actions)
  latest.current = actions
  return useMemo(
    () => ({
      pick: (emoji) => latest.current.onPick(emoji),
      tones: (of, from) => latest.current.onTones(of, from),
    }),
    [],
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
