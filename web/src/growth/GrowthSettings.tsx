import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { GROWTH_RANGES, type GrowthDay, viewGrowth } from '@guildhall/wire/growth/growth.ts'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { saveFile } from '../kit/browser/saveFile.ts'
import { timeLabel } from '../kit/format/time.ts'
import { wholeNumber } from '../kit/format/wholeNumber.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { type Column, PeriodChart } from '../ui/chart/PeriodChart.tsx'
import { Select } from '../ui/form/Select.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { type Growth, growthCsv } from './csv.ts'
import { GrowthDrawing } from './drawings.tsx'
import styles from './Growth.module.css'
import { text } from './text.ts'

type Range = (typeof GROWTH_RANGES)[number]

/** Who came and went, who wrote how much and where, and which invites worked, day by day. */
export default function GrowthSettings({ guild }: { guild: Guild }) {
  const t = useText(text)
  const [days, setDays] = useState<Range>(30)
  const growth = useRouteQuery(viewGrowth, { guild_id: guild.id, days })
  const { answer } = growth
  return (
    <>
      <p className={styles.lead}>{t.lead}</p>
      <div className={styles.head}>
        <Select
          label={t.range}
          options={GROWTH_RANGES.map((value) => ({ value, name: t.days(value) }))}
          value={days}
          onChange={setDays}
        />
        <Button kind="soft" disabled={!answer} onPress={() => answer && save(answer, t)}>
          {t.csv}
        </Button>
      </div>
      <Loaded of={growth} title={t.failed}>
        {(found) => <Parts guild={guild} growth={found} />}
      </Loaded>
    </>
  )
}

/** Saves the days of the period, and the messages of each channel, as a table. */
function save(growth: Growth, t: (typeof text)['zh-CN']): void {
  const { days } = growth
  const name = `${t.file}-${days[0]?.day}-${days.at(-1)?.day}.csv`
  const csv = growthCsv(growth, [t.day, t.joins, t.leaves, t.active, t.messages])
  saveFile(name, csv, 'text/csv;charset=utf-8')
}

function Parts({ guild, growth }: { guild: Guild; growth: Growth }) {
  const t = useText(text)
  const locale = useLocale()
  const { counted_until } = growth
  const chart = (
    title: string,
    columns: readonly Column<GrowthDay>[],
    how: { isAverage?: true; allWords?: (value: string) => string } = {},
  ) => (
    <Part title={title}>
      <PeriodChart
        title={title}
        days={growth.days}
        before={growth.before}
        columns={columns}
        kind={how.isAverage ? 'lines' : 'bars'}
        {...how}
      />
    </Part>
  )
  return (
    <>
      <p className={styles.state}>
        {t.members(wholeNumber(growth.members))} ·{' '}
        {counted_until === 0 ? t.notCounted : t.counted(timeLabel(counted_until, Date.now(), locale))}
      </p>
      {chart(
        t.comings,
        [
          { name: t.joins, countOf: ({ joins }) => joins },
          { name: t.leaves, countOf: ({ leaves }) => -leaves },
        ],
        { allWords: t.net },
      )}
      {chart(t.active, [{ name: t.now, countOf: ({ active }) => active }], { isAverage: true })}
      {chart(t.messages, [{ name: t.now, countOf: ({ messages }) => messages }])}
      <Part title={t.channels}>
        <Channels of={growth.channels} />
      </Part>
      <Part title={t.invites}>
        <Invites guild={guild} of={growth.invites} />
      </Part>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  )
}

function Channels({ of }: { of: Growth['channels'] }) {
  const t = useText(text)
  if (of.length === 0) return <p className={styles.detail}>{t.noMessages}</p>
  return (
    <Ranking
      of={of.map(({ id, name, messages }) => {
        const count = messages.reduce((sum, it) => sum + it, 0)
        return { key: id, name, detail: '', count, words: t.pieces(count) }
      })}
    />
  )
}

function Invites({ guild, of }: { guild: Guild; of: Growth['invites'] }) {
  const t = useText(text)
  if (of.length === 0)
    return (
      <EmptyState
        icon={<GrowthDrawing />}
        title={t.noInvites}
        message={t.noInvitesWhy}
        action={
          <Link className={buttonClass('soft')} to={`/guild/settings/${guild.id}/invites`}>
            {t.toInvites}
          </Link>
        }
      />
    )
  return (
    <Ranking
      of={of.map(({ code, username, joins }) => ({
        key: code,
        name: code,
        detail: username ? t.by(username) : t.byGone,
        count: joins,
        words: t.people(joins),
      }))}
    />
  )
}

interface Ranked {
  readonly key: string
  readonly name: string
  readonly detail: string
  readonly count: number
  readonly words: string
}

/** Counts from the largest on, each with a bar as long as its share of the largest. */
function Ranking({ of }: { of: readonly Ranked[] }) {
  const most = Math.max(1, ...of.map(({ count }) => count))
  return (
    <ol className={styles.ranking}>
      {of.map(({ key, name, detail, count, words }) => (
        <li key={key}>
          <span className={styles.name}>
            {name}
            {detail && <small>{detail}</small>}
          </span>
          <span className={styles.count}>{words}</span>
          <i className={styles.bar} style={{ width: `${(count / most) * 100}%` }} />
        </li>
      ))}
    </ol>
  )
}
