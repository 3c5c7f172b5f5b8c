import './emoji.css'
import { emojiPicture, type GuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { emojiCharacters, emojiId } from '@guildhall/wire/message/emoji.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { letters } from '@guildhall/wire/user/letter.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocale, useText } from '../kit/i18n.ts'
import { ClockIcon, CloseIcon, icon } from '../ui/icons.tsx'
import { type CatalogueEmoji, GROUPS } from './catalogue.ts'
import { notePicked, recentEmoji } from './recent.ts'
import { searchEmoji } from './search.ts'
import { text } from './text.ts'
import { TONES, toned } from './tone.ts'

/** How long after the last letter the search begins, ms. */
const SEARCH_AFTER_MS = 150
/** How long a finger rests on an emoji before its tones are shown, ms, and how far it may stray, px. */
const HOLD_MS = 400
const STRAY = 10
/** How long after the finger has left a browser may still make a tap of it, ms. */
const TAP_WITHIN_MS = 350
/** A cell is at least as wide, px, and exactly as high: a finger's target. */
const CELL = 44
const TITLE = 30
/** What the tabs of unicode's groups show. */
const FACES: Readonly<Record<number, string>> = {
  ...{ 0: '😀', 1: '👋', 3: '🐻', 4: '🍜', 5: '🚗', 6: '⚽', 7: '💡', 8: '❤️', 9: '🚩' },
}

const SearchIcon = icon(<path d="M11 18.500a7.500 7.500 0 1 0 0-15 7.500 7.500 0 0 0 0 15zm5.500-2 4 4" />)
const EraseIcon = icon(<path d="M9 5.500h11v13H9L3.500 12zm3 4 5 5m0-5-5 5" />)

interface Cell extends Emoji {
  /** How it is read aloud. */
  readonly label: string
  readonly hasTones: boolean
}
interface Section {
  readonly id: string
  readonly title: string
  readonly cells: readonly Cell[]
}
type Row =
  | { readonly kind: 'title'; readonly section: string; readonly title: string }
  | { readonly kind: 'cells'; readonly section: string; readonly cells: readonly Cell[] }

/**
 * Emoji to pick from: searched, or by kind. Draws what is seen of them. `onErase` and `onClose` where it stands in for a
 * keyboard.
 */
export default function EmojiPicker(props: {
  catalogue: readonly CatalogueEmoji[]
  /** The guild's own; null: they could not be loaded. */
  own: readonly GuildEmoji[] | null
  guildName: string
  onPick: (emoji: Emoji) => void
  onErase?: (() => void) | undefined
  onClose?: (() => void) | undefined
  onRetryOwn?: (() => void) | undefined
}) {
  const { catalogue, own, guildName } = props
  const t = useText(text)
  const english = useLocale() === 'en'
  // What was picked last stays where it is while one picks.
  const [recent] = useState(recentEmoji)
  const [typed, setTyped] = useState('')
  const wanted = useLater(typed.trim())
  const grid = useRef<GridHandle>(null)
  const [seen, setSeen] = useState('')
  const [tones, setTones] = useState<{ of: Cell; left: number; top: number; from: HTMLElement } | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)

  const cellOf = useMemo(() => {
    const known = new Map(catalogue.map((it) => [it.id, it]))
    return (it: Emoji): Cell => {
      const entry = known.get(it.id)
      const label = entry ? (english ? entry.en : entry.zh) : it.name
      return { id: it.id, name: it.name, label: label || it.name, hasTones: entry?.hasTones ?? false }
    }
  }, [catalogue, english])
  const sections = useMemo((): readonly Section[] => {
    const ownById = new Map(own?.map((it) => [it.id, it]))
    const usable = recent.flatMap((it) => (emojiCharacters(it.id) === null ? (ownById.get(it.id) ?? []) : it))
    return [
      { id: 'recent', title: t.recent, cells: usable.map(cellOf) },
      { id: 'own', title: guildName, cells: (own ?? []).map(cellOf) },
      ...GROUPS.map((group) => ({
        id: `group${group}`,
        title: t[`group${group}`],
        cells: catalogue.filter((it) => it.group === group).map(cellOf),
      })),
    ].filter(({ cells }) => cells.length > 0)
  }, [catalogue, own, recent, guildName, t, cellOf])
  const found = useMemo(
    () => (wanted === '' ? null : searchEmoji(catalogue, own ?? [], wanted).map(cellOf)),
    [catalogue, own, wanted, cellOf],
  )
  const shown = useMemo(
    () => (found ? [{ id: 'found', title: t.found, cells: found }] : sections),
    [found, sections, t],
  )

  const pick = (it: Emoji) => {
    notePicked(it)
    props.onPick({ id: it.id, name: it.name })
  }
  const closeTones = () => {
    tones?.from.focus({ preventScroll: true })
    setTones(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    if (tones) {
      event.stopPropagation()
      // A sheet around it hears of keys by itself.
      event.nativeEvent.stopImmediatePropagation()
      closeTones()
    } else if (props.onClose) {
      event.preventDefault()
      props.onClose()
    }
  }
  const active = found ? '' : seen || sections[0]?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is the active one
  useEffect(() => {
    const tab = box.current?.querySelector<HTMLElement>('.emoji-tab[aria-current]')
    const strip = tab?.parentElement
    if (!tab || !strip) return
    const [from, to] = [tab.offsetLeft - strip.offsetLeft, strip.clientWidth - tab.offsetWidth]
    if (from < strip.scrollLeft || from - strip.scrollLeft > to) strip.scrollLeft = from - to / 2
  }, [active])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes, wherever in it the focus is
    <div className="emoji" ref={box} onKeyDown={onKeyDown}>
      <div className="emoji-search">
        <SearchIcon size={18} />
        <input
          ref={search}
          className="emoji-search-input"
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          placeholder={t.search}
          aria-label={t.search}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || (event.key === 'Enter' && !event.nativeEvent.isComposing)) {
              event.preventDefault()
              grid.current?.enter()
            }
          }}
        />
        {typed !== '' && (
          <button
            type="button"
            className="emoji-clear"
            aria-label={t.clear}
            onClick={() => {
              setTyped('')
              search.current?.focus()
            }}
          >
            <CloseIcon size={16} />
          </button>
        )}
      </div>
      <p className="unseen" role="status">
        {found && found.length > 0 && t.foundCount(found.length)}
      </p>
      {found?.length === 0 ? (
        <p className="emoji-nothing" role="status">
          {t.nothing}
        </p>
      ) : (
        <Grid
          key={found ? 'found' : 'all'}
          handle={grid}
          sections={shown}
          onSeen={setSeen}
          onPick={pick}
          onTones={(of, from) => {
            const [at, all] = [from.getBoundingClientRect(), box.current?.getBoundingClientRect()]
            if (!all) return
            const width = (TONES.length + 1) * CELL + 8
            const left = Math.max(4, Math.min(at.left - all.left, all.width - width - 4))
            const above = at.top - all.top - CELL - 12
            setTones({ of, from, left, top: above < 4 ? at.bottom - all.top + 4 : above })
          }}
        />
      )}
      {own === null && (
        <p className="emoji-failed" role="alert">
          {t.ownFailed}
          <button type="button" onClick={props.onRetryOwn}>
            {t.retry}
          </button>
        </p>
      )}
      <div className="emoji-foot">
        <div className="emoji-tabs" role="toolbar" aria-label={t.groups} onKeyDown={alongTabs}>
          {sections.map(({ id, title }) => (
            <button
              key={id}
              type="button"
              className="emoji-tab"
              aria-label={title}
              title={title}
              aria-current={active === id ? 'true' : undefined}
              // One stop for the keyboard; the arrows go on from there.
              tabIndex={id === (active || sections[0]?.id) ? 0 : -1}
              onPointerDown={keepFocus}
              onClick={() => {
                setTyped('')
                setSeen(id)
                grid.current?.show(id)
              }}
            >
              {faceOfTab(id, guildName)}
            </button>
          ))}
        </div>
        {props.onErase && (
          <Repeating className="emoji-erase" label={t.erase} onPress={props.onErase}>
            <EraseIcon size={22} />
          </Repeating>
        )}
      </div>
      {tones && (
        <>
          <button
            type="button"
            className="emoji-tones-veil"
            aria-label={t.close}
            tabIndex={-1}
            onClick={closeTones}
          />
          <Tones
            of={tones.of}
            style={{ left: tones.left, top: tones.top }}
            onPick={(it) => {
              closeTones()
              pick(it)
            }}
          />
        </>
      )}
    </div>
  )
}

/** The arrows move from tab to tab. */
function alongTabs(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const tabs = [...event.currentTarget.querySelectorAll('button')]
  const here = tabs.indexOf(document.activeElement as HTMLButtonElement)
  tabs[(here + step + tabs.length) % tabs.length]?.focus()
}

function faceOfTab(id: string, guildName: string): ReactNode {
  if (id === 'recent') return <ClockIcon size={20} />
  if (id === 'own') return <span className="emoji-tab-guild">{letters(guildName)}</span>
  return <span className="emoji-tab-face">{FACES[Number(id.slice('group'.length))]}</span>
}

/** The focus stays where it is: on a phone the keyboard would come or go with it. */
const keepFocus = (event: PointerEvent) => event.preventDefault()

/** A value once it has not changed for a moment. */
function useLater(value: string): string {
  const [later, setLater] = useState(value)
  useEffect(() => {
    // What was emptied is empty at once.
    const timer = setTimeout(setLater, value === '' ? 0 : SEARCH_AFTER_MS, value)
    return () => clearTimeout(timer)
  }, [value])
  return later
}

interface GridHandle {
  /** The keyboard comes to the first emoji. */
  enter(): void
  show(section: string): void
}

function Grid(props: {
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
  /** Where the keyboard is, by row and column. */
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
    estimateSize: (index) => (rows[index]?.kind === 'title' ? TITLE : CELL),
    overscan: 4,
  })
  // The heights are known by the rows, and they change with the columns.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the rows that change them
  useLayoutEffect(() => list.measure(), [list, rows])

  const drawn = list.getVirtualItems()
  const top = list.scrollOffset ?? 0
  const first = drawn.find((it) => it.end > top + TITLE / 2)
  const section = first && rows[first.index]?.section
  const { onSeen } = props
  useEffect(() => {
    if (section) onSeen(section)
  }, [section, onSeen])

  const go = (row: number, column: number) => {
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
    enter: () => go(1, 0),
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
    /** The nearest row of emoji in a direction; titles are passed over. */
    const next = (step: 1 | -1) => (length(row + step) > 0 ? row + step : row + 2 * step)
    const moves: Readonly<Record<string, () => void>> = {
      ArrowRight: () => (column + 1 < length(row) ? go(row, column + 1) : go(next(1), 0)),
      ArrowLeft: () => (column > 0 ? go(row, column - 1) : go(next(-1), columns)),
      ArrowDown: () => go(next(1), column),
      ArrowUp: () => go(next(-1), column),
      Home: () => go(row, 0),
      End: () => go(row, columns),
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
  // The keyboard's way in, when the place it was at is not drawn any more.
  const isAtDrawn = drawn.some((it) => it.index === at[0])
  const entrance = drawn.find((it) => rows[it.index]?.kind === 'cells')?.index
  const stop = isAtDrawn && rows[at[0]]?.kind === 'cells' ? at : ([entrance ?? -1, 0] as const)
  return (
    <div className="emoji-scroll" ref={scroll}>
      {/* biome-ignore lint/a11y/useSemanticElements: rows that are not drawn have no place in a table */}
      <div
        className="emoji-grid"
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

/** The tap that a browser makes of the finger that rested would fall on what just opened, and close it. */
function withoutItsTap(): void {
  const swallow = (event: Event) => {
    event.stopPropagation()
    event.preventDefault()
  }
  const left = () => {
    window.removeEventListener('pointerup', left)
    window.removeEventListener('pointercancel', left)
    setTimeout(() => window.removeEventListener('click', swallow, true), TAP_WITHIN_MS)
  }
  window.addEventListener('click', swallow, true)
  window.addEventListener('pointerup', left)
  window.addEventListener('pointercancel', left)
}

/** One line of the grid. Drawn anew only when something of it changed: scrolling must cost little. */
const GridRow = memo(function GridRow(props: {
  row: Row
  index: number
  top: number
  columns: number
  /** The column where the keyboard comes in; -1: not in this row. */
  stop: number
  on: { readonly pick: (it: Emoji) => void; readonly tones: (of: Cell, from: HTMLElement) => void }
}) {
  const { row, index, top, columns, stop, on } = props
  const style: CSSProperties = { transform: `translateY(${top}px)` }
  if (row.kind === 'title')
    return (
      // biome-ignore lint/a11y/useSemanticElements: see the grid
      <div className="emoji-title" role="row" aria-rowindex={index + 1} tabIndex={-1} style={style}>
        {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
        <span role="rowheader" aria-colspan={columns} tabIndex={-1}>
          {row.title}
        </span>
      </div>
    )
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <div
      className="emoji-row"
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
  const held = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  /** A resting finger showed the tones; some browsers ask for a menu then as well. */
  const isByFinger = useRef(false)
  const end = () => {
    if (held.current) clearTimeout(held.current.timer)
    held.current = null
  }
  const show = (from: HTMLElement) => {
    end()
    on.tones(cell, from)
  }
  const holding = cell.hasTones && {
    onPointerMove(event: PointerEvent) {
      const start = held.current
      if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > STRAY) end()
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
      className="emoji-cell"
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
        held.current = {
          timer: setTimeout(() => {
            isByFinger.current = true
            withoutItsTap()
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
      <Face it={cell} />
    </button>
  )
}

/** An emoji in a cell: its characters, or its picture. */
function Face({ it }: { it: Emoji }) {
  const characters = emojiCharacters(it.id)
  const [isGone, setIsGone] = useState(false)
  if (characters !== null) return characters
  if (isGone) return <span className="emoji-cell-name">{it.name}</span>
  return (
    <img
      className="emoji-cell-picture"
      src={emojiPicture(it.id)}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setIsGone(true)}
    />
  )
}

function Tones(props: { of: Cell; style: CSSProperties; onPick: (it: Emoji) => void }) {
  const { of, onPick } = props
  const t = useText(text)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.querySelector('button')?.focus({ preventScroll: true })
  }, [])
  const names = [t.tone1, t.tone2, t.tone3, t.tone4, t.tone5]
  const all = [
    { name: of.name, label: t.tone0 },
    ...TONES.map((tone, i) => ({ name: toned(of.name, tone), label: names[i] })),
  ]
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    event.stopPropagation()
    const buttons = [...(box.current?.querySelectorAll('button') ?? [])]
    const here = buttons.indexOf(document.activeElement as HTMLButtonElement)
    buttons[(here + step + buttons.length) % buttons.length]?.focus({ preventScroll: true })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is of a form
    <div
      className="emoji-tones"
      role="group"
      aria-label={`${of.label} ${t.tones}`}
      ref={box}
      style={props.style}
      onKeyDown={onKeyDown}
    >
      {all.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          className="emoji-cell"
          aria-label={`${of.label} ${label}`}
          onClick={() => onPick({ id: emojiId(name), name })}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

/** Before a held key says its letter again, and between two of them, ms. */
const REPEAT_AFTER_MS = 400
const REPEAT_EVERY_MS = 70

/** A key that goes on while it is held, as that of a keyboard does. */
function Repeating(props: { className: string; label: string; onPress: () => void; children: ReactNode }) {
  const press = useRef(props.onPress)
  press.current = props.onPress
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const wasHeld = useRef(false)
  const end = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <button
      type="button"
      className={props.className}
      aria-label={props.label}
      title={props.label}
      onPointerDown={(event) => {
        keepFocus(event)
        wasHeld.current = false
        const again = () => {
          wasHeld.current = true
          press.current()
          timer.current = setTimeout(again, REPEAT_EVERY_MS)
        }
        timer.current = setTimeout(again, REPEAT_AFTER_MS)
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onPointerLeave={end}
      onContextMenu={(event) => event.preventDefault()}
      onClick={() => {
        if (!wasHeld.current) props.onPress()
        wasHeld.current = false
      }}
    >
      {props.children}
    </button>
  )
}
