import { emojiPicture } from '@guildhall/wire/emoji/emoji.ts'
import { emojiCharacters } from '@guildhall/wire/message/emoji.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useText } from '../kit/i18n.ts'
import { suppressGhostClick } from '../ui/suppressGhostClick.ts'
import { CELL, type Cell, keepFocus, type Section } from './cell.ts'
import styles from './EmojiGrid.module.css'
import { text } from './text.ts'

/** Long press: delay before the skin tones are shown, ms, and maximum movement, px. */
const HOLD_MS = 400
const STRAY_PX = 10
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
  const [columns, setColumns] = useState(8)
  const rows = useMemo(() => rowsOf(sections, columns), [sections, columns])
  /** The focused cell (roving tabindex). */
  const [at, setAt] = useState<readonly [row: number, column: number]>([1, 0])
  const moved = useRef(false)

  useLayoutEffect(() => {
    const here = scroll.current
    if (!here) return
    const fit = () => setColumns(Math.max(5, Math.floor((here.clientWidth - 16) / CELL)))
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(here)
    return () => observer.disconnect()
  }, [])

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
    const spot = (event.target as HTMLElement).dataset.at
    if (spot === undefined) return
    const [row = 0, column = 0] = spot.split(':').map(Number)
    const length = (index: number) => {
      const it = rows[index]
      return it?.kind === 'cells' ? it.cells.length : 0
    }
    /** The nearest row of emoji in a direction; titles are skipped. */
    const next = (step: 1 | -1) => (length(row + step) > 0 ? row + step : row + 2 * step)
    const moves: Readonly<Record<string, () => void>> = {
      ArrowRight: () => (column + 1 < length(row) ? focusCell(row, column + 1) : focusCell(next(1), 0)),
      ArrowLeft: () => (column > 0 ? focusCell(row, column - 1) : focusCell(next(-1), columns)),
      ArrowDown: () => focusCell(next(1), column),
      ArrowUp: () => focusCell(next(-1), column),
      Home: () => focusCell(row, 0),
      End: () => focusCell(row, columns),
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
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
        <CellButton
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

function CellButton(props: {
  cell: Cell
  at: string
  column: number
  isStop: boolean
  on: { readonly pick: (it: Emoji) => void; readonly tones: (of: Cell, from: HTMLElement) => void }
}) {
  const { cell, on } = props
  const t = useText(text)
  const longPress = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  /** A long press showed the tones; some browsers then fire `contextmenu` as well. */
  const isByFinger = useRef(false)
  const end = () => {
    if (longPress.current) clearTimeout(longPress.current.timer)
    longPress.current = null
  }
  const show = (from: HTMLElement) => {
    end()
    on.tones(cell, from)
  }
  const holding = cell.hasTones && {
    onPointerMove(event: PointerEvent) {
      const start = longPress.current
      if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > STRAY_PX) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    onPointerLeave: end,
    onContextMenu(event: { preventDefault(): void; currentTarget: HTMLElement }) {
      event.preventDefault()
      if (!isByFinger.current) show(event.currentTarget)
      isByFinger.current = false
    },
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <button
      type="button"
      role="gridcell"
      className={styles.cell}
      data-at={props.at}
      data-tones={cell.hasTones || undefined}
      aria-colindex={props.column + 1}
      aria-label={cell.label}
      aria-haspopup={cell.hasTones || undefined}
      title={cell.hasTones ? t.withTones(cell.label) : cell.label}
      tabIndex={props.isStop ? 0 : -1}
      onPointerDown={(event) => {
        keepFocus(event)
        isByFinger.current = false
        if (!cell.hasTones || event.button !== 0) return
        const from = event.currentTarget
        longPress.current = {
          timer: setTimeout(() => {
            isByFinger.current = true
            suppressGhostClick()
            show(from)
          }, HOLD_MS),
          x: event.clientX,
          y: event.clientY,
        }
      }}
      onClick={() => {
        end()
        on.pick(cell)
      }}
      {...holding}
    >
      <EmojiFace it={cell} />
    </button>
  )
}

/** An emoji in a cell: its characters, or its picture. */
function EmojiFace({ it }: { it: Emoji }) {
  const characters = emojiCharacters(it.id)
  const [isGone, setIsGone] = useState(false)
  if (characters !== null) return characters
  if (isGone) return <span className={styles.cellName}>{it.name}</span>
  return (
    <img
      className={styles.cellPicture}
      src={emojiPicture(it.id)}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setIsGone(true)}
    />
  )
}
