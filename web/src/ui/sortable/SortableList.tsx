import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useText } from '../../kit/i18n.ts'
import { LockIcon } from '../icon/channelIcons.tsx'
import { GripIcon, StepDownIcon, StepUpIcon } from '../icon/laterIcons.tsx'
import styles from './Sortable.module.css'
import { sortableText } from './sortableText.ts'
import { type Drag, useDragSort } from './useDragSort.ts'

export interface SortableItem {
  readonly key: string
  readonly name: string
  /** It stays where it is, above or below those that move. */
  readonly isFixed?: boolean
}

/**
 * A card of rows that are put in order: by dragging the handle or, with a finger, the row; by the buttons
 * that a tap on the handle shows; by the arrow keys, Home and End on the handle. `onMove` gets an item with
 * the number that it takes, from 0, and gives `items` in the new order.
 */
export function SortableList<Item extends SortableItem>(props: {
  label: string
  items: readonly Item[]
  onMove: (item: Item, to: number) => void
  children: (item: Item) => ReactNode
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
    setSaid(t.now(item.name, to + 1, items.length))
  }
  const { drag, grip, hold } = useDragSort(list, { first, last }, move)
  return (
    <>
      <p className="unseen" id={how}>
        {t.how}
      </p>
      <ul className={styles.rows} aria-label={props.label} ref={list} data-dragging={drag ? '' : undefined}>
        {items.map((item, at) => (
          <li
            key={item.key}
            className={styles.row}
            style={shiftOf(drag, at)}
            data-held={drag?.from === at ? '' : undefined}
            onPointerDown={item.isFixed ? undefined : (event) => hold(event, at)}
            // A finger that rests on a link would open the browser's menu of it.
            onContextMenu={(event) => drag && event.preventDefault()}
          >
            {item.isFixed ? (
              <span className={styles.fixed}>
                <LockIcon size={18} />
              </span>
            ) : (
              <button
                type="button"
                className={styles.handle}
                aria-label={t.move(item.name)}
                aria-describedby={how}
                aria-expanded={lifted === item.key}
                onClick={() => setLifted((now) => (now === item.key ? null : item.key))}
                onPointerDown={(event) => {
                  event.stopPropagation()
                  grip(event, at)
                }}
                onKeyDown={(event) => onKey(event, at, items.length, move)}
              >
                <GripIcon size={20} />
              </button>
            )}
            <div className={styles.content}>{props.children(item)}</div>
            {lifted === item.key && (
              <span className={styles.steps}>
                <Step label={t.up(item.name)} isEnd={at === first} onPress={() => move(at, at - 1)}>
                  <StepUpIcon size={20} />
                </Step>
                <Step label={t.down(item.name)} isEnd={at === last} onPress={() => move(at, at + 1)}>
                  <StepDownIcon size={20} />
                </Step>
              </span>
            )}
          </li>
        ))}
      </ul>
      <p className="unseen" role="status">
        {said}
      </p>
    </>
  )
}

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

function onKey(event: KeyboardEvent, at: number, count: number, move: (from: number, to: number) => void) {
  const steps: Readonly<Record<string, number>> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: count }
  const to = steps[event.key]
  if (to === undefined) return
  event.preventDefault()
  move(at, to)
}

/** While a row is dragged, those that it passes make room. */
function shiftOf(drag: Drag | null, at: number): CSSProperties | undefined {
  if (!drag) return undefined
  if (at === drag.from) return { transform: `translateY(${drag.by}px)` }
  if (at > drag.from && at <= drag.to) return { transform: `translateY(${-drag.height}px)` }
  if (at < drag.from && at >= drag.to) return { transform: `translateY(${drag.height}px)` }
  return undefined
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
