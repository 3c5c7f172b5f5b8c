import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useText } from '../../kit/i18n.ts'
import { LockIcon } from '../icon/channelIcons.tsx'
import { GripIcon, StepDownIcon, StepUpIcon } from '../icon/laterIcons.tsx'
import { isHeld, type Span, shiftOf } from './landing.ts'
import styles from './Sortable.module.css'
import { sortableText } from './sortableText.ts'
import { useDragSort } from './useDragSort.ts'

export interface SortableItem {
  readonly key: string
  readonly name: string
  /** It stays where it is, above or below those that move. */
  readonly isFixed?: boolean
  /** It names those below it, stays and is passed: nothing says that it is locked. */
  readonly isHeading?: boolean
}

interface Acts {
  readonly grip: (event: PointerEvent, at: number) => void
  readonly hold: (event: PointerEvent, at: number) => void
  readonly move: (from: number, to: number) => void
  readonly step: (at: number, by: -1 | 1) => void
  readonly lift: (key: string) => void
}

/**
 * A card of rows that are put in order: by dragging the handle or, with a finger, the row; by the buttons
 * that a tap on the handle shows; by the arrow keys, Home and End on the handle. `onMove` gets an item
 * with the number that it takes, from 0, and gives `items` in the new order. `children` draws an item.
 * `stepOf`: the number that one step up or down gives, by default the next one. `spansOf`: what is put in
 * order when an item is dragged, each with the rows that travel with it; by default, and where it answers
 * null, rows that are alone. `said`: the words for who does not see it.
 */
export function SortableList<Item extends SortableItem>(props: {
  label: string
  items: readonly Item[]
  onMove: (item: Item, to: number) => void
  stepOf?: (at: number, by: -1 | 1) => number
  spansOf?: (at: number) => readonly Span[] | null
  said?: (item: Item, to: number) => string
  children: (item: Item, isLifted: boolean) => ReactNode
}) {
  const { items } = props
  const t = useText(sortableText)
  const how = useId()
  const list = useRef<HTMLUListElement>(null)
  const [lifted, setLifted] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const first = items.findIndex(({ isFixed }) => !isFixed)
  const last = items.findLastIndex(({ isFixed }) => !isFixed)
  const keepFocus = useKeptFocus(list, items)
  const move = (from: number, wanted: number) => {
    const to = Math.min(Math.max(wanted, first), last)
    const item = items[from]
    if (!item || to === from) return
    keepFocus()
    props.onMove(item, to)
    setSaid(props.said?.(item, to) ?? t.now(item.name, to + 1, items.length))
  }
  const stepOf = props.stepOf ?? ((at, by) => at + by)
  const isEnd = (at: number, by: -1 | 1) => at === (by < 0 ? first : last) || stepOf(at, by) === at
  const spansOf = (from: number) =>
    (props.spansOf?.(from) ?? items.map((_, at): Span => [at, at])).filter(
      ([at]) => at >= first && at <= last,
    )
  const { drag, grip, hold } = useDragSort(list, spansOf, move)
  const lift = (key: string) => setLifted((now) => (now === key ? null : key))
  const step = (at: number, by: -1 | 1) => move(at, stepOf(at, by))
  const acts = useRef<Acts>({ grip, hold, move, step, lift })
  acts.current = { grip, hold, move, step, lift }
  return (
    <>
      <p className="unseen" id={how}>
        {t.how}
      </p>
      <ul className={styles.rows} aria-label={props.label} ref={list} data-dragging={drag ? '' : undefined}>
        {items.map((item, at) => (
          <Row
            key={item.key}
            item={item}
            at={at}
            shift={shiftOf(drag, at)}
            isHeld={isHeld(drag, at)}
            isLifted={lifted === item.key}
            isFirst={isEnd(at, -1)}
            isLast={isEnd(at, 1)}
            how={how}
            acts={acts}
            draw={props.children as (item: SortableItem, isLifted: boolean) => ReactNode}
          />
        ))}
      </ul>
      <p className="unseen" role="status">
        {said}
      </p>
    </>
  )
}

/** While one of hundreds is dragged, those that stay are not drawn again. */
const Row = memo(function Row(props: {
  item: SortableItem
  at: number
  /** How far it is moved by a drag, px. */
  shift: number
  isHeld: boolean
  isLifted: boolean
  isFirst: boolean
  isLast: boolean
  how: string
  acts: RefObject<Acts>
  draw: (item: SortableItem, isLifted: boolean) => ReactNode
}) {
  const { item, at, isLifted, acts } = props
  const t = useText(sortableText)
  return (
    <li
      className={styles.row}
      style={props.shift === 0 ? undefined : { transform: `translateY(${props.shift}px)` }}
      data-held={props.isHeld ? '' : undefined}
      onPointerDown={item.isFixed ? undefined : (event) => acts.current.hold(event, at)}
      // A finger that rests on a link would open the browser's menu of it.
      onContextMenu={(event) => props.isHeld && event.preventDefault()}
    >
      {item.isHeading ? null : item.isFixed ? (
        <span className={styles.fixed}>
          <LockIcon size={18} />
        </span>
      ) : (
        <button
          type="button"
          className={styles.handle}
          aria-label={t.move(item.name)}
          aria-describedby={props.how}
          aria-expanded={isLifted}
          onClick={() => acts.current.lift(item.key)}
          onPointerDown={(event) => {
            event.stopPropagation()
            acts.current.grip(event, at)
          }}
          onKeyDown={(event) => onKey(event, at, acts.current)}
        >
          <GripIcon size={20} />
        </button>
      )}
      <div className={styles.content}>{props.draw(item, isLifted)}</div>
      {isLifted && (
        <span className={styles.steps}>
          <Step label={t.up(item.name)} isEnd={props.isFirst} onPress={() => acts.current.step(at, -1)}>
            <StepUpIcon size={20} />
          </Step>
          <Step label={t.down(item.name)} isEnd={props.isLast} onPress={() => acts.current.step(at, 1)}>
            <StepDownIcon size={20} />
          </Step>
        </span>
      )}
    </li>
  )
})

/** One that ends here stays, so that it keeps the focus. */
function Step(props: { label: string; isEnd: boolean; onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className={styles.step}
      aria-label={props.label}
      aria-disabled={props.isEnd || undefined}
      onClick={props.onPress}
    >
      {props.children}
    </button>
  )
}

function onKey(event: KeyboardEvent, at: number, { move, step }: Acts) {
  const keys: Readonly<Record<string, () => void>> = {
    ArrowUp: () => step(at, -1),
    ArrowDown: () => step(at, 1),
    Home: () => move(at, 0),
    End: () => move(at, Number.MAX_SAFE_INTEGER),
  }
  const act = keys[event.key]
  if (!act) return
  event.preventDefault()
  act()
}

/** A row that moves in the document loses the focus: what had it gets it back, and is scrolled to. */
function useKeptFocus(list: { readonly current: HTMLElement | null }, items: unknown) {
  const held = useRef<Element | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows move when their items do
  useLayoutEffect(() => {
    const element = held.current as HTMLElement | null
    held.current = null
    if (!element || !list.current?.contains(element)) return
    element.focus()
    element.scrollIntoView?.({ block: 'nearest' })
  }, [items])
  return () => {
    held.current = document.activeElement
  }
}
