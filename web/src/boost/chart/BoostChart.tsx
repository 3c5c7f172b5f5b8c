import { nextThreshold } from '@guildhall/wire/boost/trend.ts'
import { type CSSProperties, useEffect, useId, useRef } from 'react'
import { useLocale, useText } from '../../kit/i18n.ts'
import { ChartTable } from '../../ui/chart/ChartTable.tsx'
import { LevelBadge } from '../level/LevelBadge.tsx'
import { statusText } from '../statusText.ts'
import { text } from '../text.ts'
import styles from './BoostChart.module.css'
import type { Choice } from './DayStrip.tsx'
import { type LevelRun, levelRuns, partOf, type TrendDay } from './levelRuns.ts'

/** So many days have room for words above them. */
const ROOM_FOR_WORDS = 2

/**
 * A column per day: its packs as a part of what the next level needs, which is the top of the column, in the
 * colour of the level that the guild has on that day. Read aloud it is a table. commerce.md §4.
 */
export function BoostChart({ days, chosen, onChoose }: Choice) {
  const t = useText(statusText)
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const it = box.current?.querySelector<HTMLElement>(`[data-day="${chosen}"]`)
    if (it) box.current?.scrollTo({ left: it.offsetLeft + it.offsetWidth / 2 - box.current.clientWidth / 2 })
  }, [chosen])
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <h2 className={styles.title} id={id}>
        {t.chart}
      </h2>
      <p className={styles.how}>{t.chartHow}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <div className={styles.scroll} ref={box} tabIndex={0}>
        <div
          className={styles.days}
          style={{ '--days': days.length, '--rest': days.length - 1 } as CSSProperties}
          aria-hidden="true"
        >
          {levelRuns(days).map((run) => (
            <Run key={run.from} run={run} />
          ))}
          {days.map((it, at) => (
            <Column key={it.date} day={it} at={at} isChosen={at === chosen} onChoose={() => onChoose(at)} />
          ))}
        </div>
      </div>
      <Legend days={days} />
      <ChartTable
        caption={t.chart}
        columns={[t.date, t.packsHead, t.levelHead, t.nextHead]}
        rows={days.map(
          (it) =>
            [
              it.date,
              it.count,
              it.kept_until ? `${it.kept_level} · ${t.graceShort}` : it.kept_level,
              nextThreshold(it.level) ?? t.top,
            ] as const,
        )}
      />
    </section>
  )
}

/** What is above the days of one level: its name, and the packs at the top of their columns. */
function Run({ run: { from, length, level, isGrace, worth, next } }: { run: LevelRun }) {
  const t = useText(statusText)
  const tBoost = useText(text)
  const hasRoom = length >= ROOM_FOR_WORDS
  return (
    <div
      className={styles.run}
      data-level={level}
      data-grace={isGrace || undefined}
      style={{ gridColumn: `${from + 1} / span ${length}` }}
    >
      <span className={styles.runLevel} data-part="chart-label">
        {hasRoom ? tBoost.level(level) : level}
        {isGrace && length > ROOM_FOR_WORDS && ` · ${t.graceShort}`}
      </span>
      <span className={styles.runNext} data-part="chart-label">
        {next === null
          ? hasRoom
            ? t.top
            : '★'
          : length > ROOM_FOR_WORDS
            ? t.nextAt(next, tBoost.level(worth + 1))
            : next}
      </span>
    </div>
  )
}

/** From so high on the number stands in the column, below that above it. */
const IS_HIGH = 0.8

function Column(props: { day: TrendDay; at: number; isChosen: boolean; onChoose: () => void }) {
  const { day, at, isChosen, onChoose } = props
  const t = useText(statusText)
  const locale = useLocale()
  const part = partOf(day)
  const [, month, date] = day.date.split('-').map(Number)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons above choose days as well
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div
      className={styles.column}
      data-level={day.kept_level}
      data-grace={day.kept_until ? '' : undefined}
      data-day={at}
      data-on={isChosen || undefined}
      style={{ gridColumn: at + 1 }}
      onClick={onChoose}
    >
      <span className={styles.track}>
        <span className={styles.fill} style={{ height: `${part * 100}%` }} />
        <span
          className={styles.packs}
          data-part="chart-label"
          data-high={part >= IS_HIGH || undefined}
          style={{ bottom: `${part * 100}%` }}
        >
          {shortCount(day.count)}
        </span>
      </span>
      <span className={styles.date} data-part="chart-label">
        {at === 0 ? t.today : date}
      </span>
      <span className={styles.month} data-part="chart-label">
        {(at === 0 || date === 1) && monthOf(month ?? 1, locale)}
      </span>
    </div>
  )
}

/** What fits above a column: `950`, `1.2k`, `12k`. The day's own words say it whole. */
const shortCount = (count: number): string =>
  count < 1_000 ? String(count) : `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`

const monthOf = (month: number, locale: string): string =>
  new Date(2000, month - 1).toLocaleDateString(locale, { month: 'short' })

/** The levels that are there, and how a grace is drawn. */
function Legend({ days }: { days: readonly TrendDay[] }) {
  const t = useText(statusText)
  const tBoost = useText(text)
  const levels = [...new Set(days.map(({ kept_level }) => kept_level))].sort((one, other) => one - other)
  return (
    <ul className={styles.legend} aria-hidden="true">
      {levels.map((level) => (
        <li key={level}>
          <LevelBadge level={level} size={20} />
          {tBoost.level(level)}
        </li>
      ))}
      {days.some(({ kept_until }) => kept_until) && (
        <li>
          <span className={styles.graceSign} data-grace="" />
          {t.graceShort}
        </li>
      )}
    </ul>
  )
}
