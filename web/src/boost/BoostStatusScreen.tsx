import { boostTrend } from '@guildhall/wire/boost/boost.ts'
import { monthAndDay, nextThreshold, trendOf } from '@guildhall/wire/boost/trend.ts'
import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { leavePage, useOnShown } from '../native/shellPage.ts'
import festive from '../ui/Festive.module.css'
import { FestivePage } from '../ui/page/FestivePage.tsx'
import { GuildIcon } from '../ui/picture/GuildIcon.tsx'
import { GuildNotLoaded } from '../ui/state/GuildNotLoaded.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import styles from './Boost.module.css'
import { BoostSkeleton } from './BoostSkeleton.tsx'
import { BoostChart } from './chart/BoostChart.tsx'
import { DayStrip } from './chart/DayStrip.tsx'
import { nextChange, partOf, type TrendDay } from './chart/levelRuns.ts'
import { Grace } from './Grace.tsx'
import { StairsPicture } from './level/pictures.tsx'
import { statusText } from './statusText.ts'
import { text } from './text.ts'

/** /guild/boost-status/{guildId}: the packs of each day from today on. commerce.md §2, §4. */
export default function BoostStatusScreen({ guildId }: { guildId: GuildId }) {
  const t = useText(statusText)
  const tBoost = useText(text)
  const navigate = useNavigate()
  const trend = useRouteQuery(boostTrend, { guild_id: guildId })
  const guild = useRouteQuery(viewGuild, { id: guildId })
  const packs = guild.answer?.boost_num
  // Packs that are used or end while the page is open.
  useEffect(() => {
    if (packs !== undefined) invalidateRoute(boostTrend, { guild_id: guildId })
  }, [packs, guildId])
  useOnShown(() => invalidateRoute(boostTrend, { guild_id: guildId }))
  const days = useMemo(() => trend.answer && trendOf(trend.answer.items, trend.answer.today), [trend.answer])
  const boostPage = `/guild/boost/${guildId}`
  return (
    <FestivePage
      title={t.status}
      onBack={() => void leavePage(() => void navigate(boostPage, { replace: true }))}
      className={styles.screen}
    >
      <Loaded
        of={{ ...trend, answer: days }}
        title={tBoost.failed}
        wait={<BoostSkeleton />}
        failed={(failure, retry) => (
          <GuildNotLoaded title={tBoost.failed} failure={failure} onRetry={retry} />
        )}
      >
        {(shown) => <Days days={shown} guild={guild.answer} boostPage={boostPage} />}
      </Loaded>
    </FestivePage>
  )
}

function Days(props: { days: readonly TrendDay[]; guild: Guild | null; boostPage: string }) {
  const { days, boostPage } = props
  const t = useText(statusText)
  const { boostThis } = useText(text)
  const [chosen, setChosen] = useState(0)
  const isSlid = useRef(false)
  const choose = (at: number) => {
    isSlid.current = false
    setChosen(at)
  }
  const at = Math.min(chosen, days.length - 1)
  const day = days[at]
  return (
    <>
      {day && <DayHead day={day} guild={props.guild} />}
      {days.length > 1 ? (
        <>
          <DayStrip days={days} isSlid={isSlid} chosen={at} onChoose={choose} onSlide={setChosen} />
          <BoostChart days={days} chosen={at} onChoose={choose} />
          <Outlook days={days} />
        </>
      ) : (
        <section className={`${festive.ground} ${styles.alone}`}>
          <StairsPicture />
          <h2>{day?.count ? t.oneDay : t.noDays}</h2>
          <p>{t.noDaysWhy}</p>
          <Link className={styles.gold} to={boostPage}>
            {boostThis}
          </Link>
        </section>
      )}
    </>
  )
}

/** The level and the packs of the chosen day, and what is missing for the next level. */
function DayHead({ day, guild }: { day: TrendDay; guild: Guild | null }) {
  const t = useText(statusText)
  const { level, missing } = useText(text)
  const next = nextThreshold(day.level)
  return (
    <section
      className={`${festive.ground} ${styles.head} ${styles.headOfDay}`}
      data-level={day.kept_level}
      aria-live="polite"
    >
      <p className={styles.guildOfDay}>
        {guild && (
          <>
            <GuildIcon id={guild.id} name={guild.name} src={guild.icon} size={28} />
            <span className={styles.guildOfDayName}>{guild.name}</span>
          </>
        )}
      </p>
      <p className={styles.levelOfDay}>{level(day.kept_level)}</p>
      <p>{t.day(day.count)}</p>
      <span className={styles.partBar} aria-hidden="true">
        <span style={{ width: `${partOf(day) * 100}%` }} />
      </span>
      <p className={styles.soft}>
        {next === null ? t.highest : `${t.next(next)} · ${missing(next - day.count)}`}
      </p>
      <Grace day={day} />
    </section>
  )
}

/** What comes, in words: when the level changes, as things are. */
function Outlook({ days }: { days: readonly TrendDay[] }) {
  const t = useText(statusText)
  const change = nextChange(days)
  const last = days.at(-1)
  const hasGrace = days.some(({ buffer_index }) => buffer_index >= 0)
  return (
    <div className={styles.outlook}>
      {change && <p>{t.willBe(monthAndDay(change.date), change.kept_level)}</p>}
      {last && last.count === 0 && days.length > 1 && <p>{t.allEnd(monthAndDay(last.date))}</p>}
      {hasGrace && <p>{t.graceWhy}</p>}
    </div>
  )
}
