import { type KeyboardEvent, type UIEvent, use, useEffect, useRef } from 'react'
import { useText } from '../../kit/i18n.ts'
import { DeskContext } from '../../ui/page/desk.ts'
import { useWheel } from '../../ui/useWheel.ts'
import { statusText } from '../statusText.ts'
import { text } from '../text.ts'
import styles from './BoostChart.module.css'
import type { TrendDay } from './levelRuns.ts'

export interface Choice {
  readonly days: readonly TrendDay[]
  readonly chosen: number
  readonly onChoose: (at: number) => void
}

/**
 * One day after the other, the chosen one in the middle. Sliding chooses the one that comes to the middle;
 * what scrolls by itself chooses nothing, so that a tapped day stays chosen. `isSlid`: somebody slides, or
 * did last. Arrow keys choose the day beside. At a desk, where nobody slides, the days begin at the left.
 */
export function DayStrip(props: Choice & { isSlid: { current: boolean }; onSlide: (at: number) => void }) {
  const { days, chosen, onChoose, isSlid, onSlide } = props
  const t = useText(statusText)
  const { level } = useText(text)
  const isDesk = use(DeskContext) !== null
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const item = box.current?.children[chosen]
    if (!isSlid.current && item instanceof HTMLElement)
      box.current?.scrollTo({ left: middleOf(item) - box.current.clientWidth / 2, behavior: 'smooth' })
  }, [chosen, isSlid])
  const slide = () => {
    isSlid.current = !isDesk
  }
  useWheel(box, slide)
  const follow = ({ currentTarget: it }: UIEvent<HTMLElement>) => {
    if (!isSlid.current) return
    const middle = it.scrollLeft + it.clientWidth / 2
    const distances = [...it.children].map((item) =>
      item instanceof HTMLElement ? Math.abs(middleOf(item) - middle) : Number.POSITIVE_INFINITY,
    )
    onSlide(distances.indexOf(Math.min(...distances)))
  }
  const move = (event: KeyboardEvent) => {
    const to = keyTarget(event.key, chosen, days.length)
    if (to === null) return
    event.preventDefault()
    onChoose(to)
    const item = box.current?.children[to]
    if (item instanceof HTMLElement) item.focus({ preventScroll: true })
  }
  return (
    <div
      role="toolbar"
      aria-label={t.date}
      className={styles.strip}
      data-desk={isDesk || undefined}
      ref={box}
      onPointerDown={slide}
      onKeyDown={move}
      onScroll={follow}
    >
      {days.map((it, at) => (
        <button
          key={it.date}
          type="button"
          aria-pressed={at === chosen}
          tabIndex={at === chosen ? 0 : -1}
          className={styles.day}
          data-level={it.kept_level}
          onClick={() => onChoose(at)}
        >
          <span>{at === 0 ? t.today : it.time_tips}</span>
          <span className={styles.dayLevel}>{level(it.kept_level)}</span>
          {it.kept_until && <span className={styles.dayGrace}>{t.graceShort}</span>}
        </button>
      ))}
    </div>
  )
}

const middleOf = (item: HTMLElement) => item.offsetLeft + item.offsetWidth / 2

/** The day that a key leads to; null: it leads to none. */
function keyTarget(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return Math.min(at + 1, count - 1)
  if (key === 'ArrowLeft') return Math.max(at - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}
