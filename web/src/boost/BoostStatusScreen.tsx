import { boostTrend } from '@guildhall/wire/boost/boost.ts'
import {
  type DayCount,
  type DayMarks,
  type KeptLevel,
  nextThreshold,
  trendOf,
} from '@guildhall/wire/boost/trend.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { type UIEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { leavePage, useOnShown } from '../native/shellPage.ts'
import { ChartTable } from '../ui/chart/ChartTable.tsx'
import festive from '../ui/Festive.module.css'
import { TitledPage } from '../ui/page/TitledPage.tsx'
import { GuildNotLoaded } from '../ui/state/GuildNotLoaded.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import styles from './Boost.module.css'
import { Grace } from './Grace.tsx'
import { text } from './text.ts'

/** /guild/boost-status/{guildId}: the packs of each day from today on. commerce.md §2, §4. */
export default function BoostStatusScreen({ guildId }: { guildId: GuildId }) {
  const t = useText(text)
  const trend = useRouteQuery(boostTrend, { guild_id: guildId })
  const guild = useRouteQuery(viewGuild, { id: guildId })
  const packs = guild.answer?.boost_num
  // Packs that are used or end while the page is open.
  useEffect(() => {
    if (packs !== undefined) invalidateRoute(boostTrend, { guild_id: guildId })
  }, [packs, guildId])
  useOnShown(() => invalidateRoute(boostTrend, { guild_id: guildId }))
  const days = useMemo(() => trend.answer && trendOf(trend.answer.items, trend.answer.today), [trend.answer])
  return (
    <TitledPage title={t.status} onBack={() => void leavePage()}>
      <main className={`${festive.page} ${styles.screen}`}>
        <Loaded
          of={{ ...trend, answer: days }}
          title={t.failed}
          failed={(failure, retry) => <GuildNotLoaded title={t.failed} failure={failure} onRetry={retry} />}
        >
          {(shown) => <Days days={shown} />}
        </Loaded>
      </main>
    </TitledPage>
  )
}

type TrendDay = DayCount & DayMarks & KeptLevel

function Days({ days }: { days: readonly TrendDay[] }) {
  const t = useText(text)
  const [chosen, setChosen] = useState(0)
  const isSlid = useRef(false)
  const choose = (at: number) => {
    isSlid.current = false
    setChosen(at)
  }
  const at = Math.min(chosen, days.length - 1)
  const day = days[at]
  if (!day) return null
  const next = nextThreshold(day.level)
  return (
    <>
      <section className={`${festive.ground} ${styles.head} ${styles.headOfDay}`} aria-live="polite">
        <p className={styles.count}>{t.level(day.kept_level)}</p>
        <p>{t.day(day.count)}</p>
        <p className={styles.soft}>{next === null ? t.highest : t.next(next)}</p>
        <Grace day={day} />
      </section>
      <Carousel days={days} isSlid={isSlid} chosen={at} onChoose={choose} onSlide={setChosen} />
      <Chart days={days} chosen={at} onChoose={choose} />
      {days.some(({ buffer_index }) => buffer_index >= 0) && <p className={styles.none}>{t.graceWhy}</p>}
    </>
  )
}

interface Choice {
  readonly days: readonly TrendDay[]
  readonly chosen: number
  readonly onChoose: (at: number) => void
}

/**
 * One day after the other, the chosen one in the middle. Sliding chooses the one that comes to the middle;
 * what scrolls by itself chooses nothing, so that a tapped day stays chosen. `isSlid`: somebody slides, or
 * did last.
 */
function Carousel(props: Choice & { isSlid: { current: boolean }; onSlide: (at: number) => void }) {
  const { days, chosen, onChoose, isSlid, onSlide } = props
  const t = useText(text)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const item = box.current?.children[chosen]
    if (!isSlid.current && item instanceof HTMLElement)
      box.current?.scrollTo({ left: middleOf(item) - box.current.clientWidth / 2, behavior: 'smooth' })
  }, [chosen, isSlid])
  const slide = () => {
    isSlid.current = true
  }
  const follow = ({ currentTarget: it }: UIEvent<HTMLElement>) => {
    if (!isSlid.current) return
    const middle = it.scrollLeft + it.clientWidth / 2
    const distances = [...it.children].map((item) =>
      item instanceof HTMLElement ? Math.abs(middleOf(item) - middle) : Number.POSITIVE_INFINITY,
    )
    onSlide(distances.indexOf(Math.min(...distances)))
  }
  return (
    <div
      role="toolbar"
      aria-label={t.date}
      className={styles.carousel}
      ref={box}
      onPointerDown={slide}
      onWheel={slide}
      onKeyDown={({ key }) => key.startsWith('Arrow') && slide()}
      onScroll={follow}
    >
      {days.map((it, at) => (
        <button
          key={it.date}
          type="button"
          aria-pressed={at === chosen}
          className={styles.day}
          onClick={() => onChoose(at)}
        >
          <span>{at === 0 ? t.today : it.time_tips}</span>
          <span className={styles.dayLevel}>{t.level(it.kept_level)}</span>
        </button>
      ))}
    </div>
  )
}

const middleOf = (item: HTMLElement) => item.offsetLeft + item.offsetWidth / 2

const HEIGHT = 160
const BAR = 20
const GAP = 8

/** A column per day: its packs as a part of what the next level needs. Read aloud it is a table. */
function Chart({ days, chosen, onChoose }: Choice) {
  const t = useText(text)
  return (
    <section className={styles.chart}>
      <h2 className={styles.title}>{t.chart}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <div className={styles.chartScroll} tabIndex={0}>
        <svg width={days.length * (BAR + GAP)} height={HEIGHT + 24} aria-hidden="true" focusable="false">
          {days.map((it, at) => {
            const part = Math.min(1, it.count / (nextThreshold(it.level) ?? Math.max(it.count, 1)))
            const height = Math.max(2, part * HEIGHT)
            const x = at * (BAR + GAP) + GAP / 2
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: the buttons above choose days as well
              <g
                key={it.date}
                className={styles.bar}
                data-on={at === chosen || undefined}
                onClick={() => onChoose(at)}
              >
                <rect className={styles.barAll} x={x} y={0} width={BAR} height={HEIGHT} rx={6} />
                <rect
                  className={styles.barPart}
                  x={x}
                  y={HEIGHT - height}
                  width={BAR}
                  height={height}
                  rx={6}
                />
                {(at % 5 === 0 || at === chosen) && (
                  <text x={x + BAR / 2} y={HEIGHT + 18} textAnchor="middle">
                    {it.time_tips}
                  </text>
                )}
              </g>
            )
          })}
        </svg>
      </div>
      <ChartTable
        caption={t.chart}
        columns={[t.date, t.packsHead, t.levelHead]}
        rows={days.map((it) => [it.date, it.count, it.kept_level] as const)}
      />
    </section>
  )
}
