import { AUDIT_TYPES, type AuditEntry, type AuditType, listAudit } from '@guildhall/wire/audit/audit.ts'
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { useCallback, useEffect, useState } from 'react'
import { clockLabel, dayLabel, sameDay } from '../../../kit/format/time.ts'
import { useLocale, useText } from '../../../kit/i18n.ts'
import { type RoutePages, useRoutePages } from '../../../kit/useRoutePages.ts'
import { ActionRows } from '../../../ui/ActionRow.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Select } from '../../../ui/form/Select.tsx'
import { FlagIcon } from '../../../ui/icon/laterIcons.tsx'
import { EmptyState } from '../../../ui/state/EmptyState.tsx'
import { Loaded } from '../../../ui/state/Loaded.tsx'
import styles from './AuditSettings.module.css'
import { linesOf, nameOfType, sentenceOf } from './lines.ts'
import { text } from './text.ts'
import { UndoButton } from './UndoButton.tsx'
import { type Undo, undoOf } from './undo.ts'

interface Filter {
  readonly who: UserId | ''
  readonly type: AuditType | ''
}
const ALL: Filter = { who: '', type: '' }

/** Who did what in a guild, day by day, found by who did it and by what was done. */
export default function AuditSettings({ guild }: { guild: Guild }) {
  const [filter, setFilter] = useState(ALL)
  const [people, setPeople] = useState<ReadonlyMap<UserId, string>>(new Map())
  const learn = useCallback((items: readonly AuditEntry[]) => {
    setPeople((known) => {
      const found = items.filter(({ actor }) => actor.id !== '0' && !known.has(actor.id as UserId))
      if (found.length === 0) return known
      return new Map([...known, ...found.map(({ actor }) => [actor.id as UserId, actor.username] as const)])
    })
  }, [])
  return (
    <>
      <Filters filter={filter} people={people} onChange={setFilter} />
      <Log
        key={`${filter.who} ${filter.type}`}
        guild={guild}
        filter={filter}
        onItems={learn}
        onAll={() => setFilter(ALL)}
      />
    </>
  )
}

function Filters(props: {
  filter: Filter
  /** Those who were seen in the log. */
  people: ReadonlyMap<UserId, string>
  onChange: (filter: Filter) => void
}) {
  const t = useText(text)
  const locale = useLocale()
  const { filter, onChange } = props
  const people = [...props.people].map(([value, username]) => ({ value, name: username || t.gone }))
  const types = AUDIT_TYPES.map((value) => ({ value, name: nameOfType(value, locale) }))
  return (
    <div className={styles.filters}>
      <Select
        label={t.who}
        options={[{ value: '' as const, name: t.anybody }, ...people]}
        value={filter.who}
        onChange={(who) => onChange({ ...filter, who })}
      />
      <Select
        label={t.what}
        options={[{ value: '' as const, name: t.anything }, ...types]}
        value={filter.type}
        onChange={(type) => onChange({ ...filter, type })}
      />
    </div>
  )
}

function Log(props: {
  guild: Guild
  filter: Filter
  onItems: (items: readonly AuditEntry[]) => void
  onAll: () => void
}) {
  const t = useText(text)
  const { guild, filter, onItems } = props
  const log = useRoutePages(listAudit, {
    guild_id: guild.id,
    ...(filter.who && { user_id: filter.who }),
    ...(filter.type && { type: filter.type }),
  })
  const shown = log.answer?.items
  useEffect(() => {
    if (shown) onItems(shown)
  }, [shown, onItems])
  const isAll = filter.who === '' && filter.type === ''
  return (
    <Loaded of={log} title={t.failed}>
      {({ items }) =>
        items.length > 0 ? (
          <Days items={items} log={log} guild={guild} />
        ) : isAll ? (
          <EmptyState icon={<FlagIcon size={32} />} title={t.none} message={t.noneWhy} />
        ) : (
          <EmptyState
            icon={<FlagIcon size={32} />}
            title={t.noneSuch}
            action={
              <Button kind="soft" onPress={props.onAll}>
                {t.all}
              </Button>
            }
          />
        )
      }
    </Loaded>
  )
}

/** Acts day by day, the newest first. */
function daysOf(items: readonly AuditEntry[]): readonly [AuditEntry, ...AuditEntry[]][] {
  const days: [AuditEntry, ...AuditEntry[]][] = []
  for (const entry of items) {
    const last = days.at(-1)
    if (last && sameDay(last[0].at, entry.at)) last.push(entry)
    else days.push([entry])
  }
  return days
}

function Days(props: { items: readonly AuditEntry[]; log: RoutePages<AuditEntry>; guild: Guild }) {
  const { items, log, guild } = props
  const locale = useLocale()
  const days = daysOf(items)
  return days.map((day) => {
    const label = dayLabel(day[0].at, Date.now(), locale)
    const isLast = day === days.at(-1)
    return (
      <section key={day[0].id}>
        <h2 className={styles.date}>{label}</h2>
        <ActionRows
          label={label}
          hasMore={isLast && log.hasMore}
          isLoadingMore={log.isLoadingMore}
          onMore={log.loadMore}
        >
          {day.map((entry) => (
            <Row key={entry.id} entry={entry} undo={undoOf(entry, items, guild)} onUndone={log.refetch} />
          ))}
        </ActionRows>
      </section>
    )
  })
}

function Row(props: { entry: AuditEntry; undo: Undo | null; onUndone: () => void }) {
  const { entry, undo } = props
  const t = useText(text)
  const locale = useLocale()
  const { actor, at } = entry
  const isPerson = actor.kind === 'member' || actor.kind === 'bot'
  const who = isPerson ? actor.username || t.gone : t[actor.kind as 'staff' | 'operator']
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <p className={styles.title}>
          <strong>{who}</strong>
          {actor.kind === 'bot' && (
            <>
              {' '}
              <span className={styles.mark}>{t.bot}</span>
            </>
          )}{' '}
          {sentenceOf(entry, locale)}
        </p>
        {linesOf(entry, locale, Date.now()).map((line) => (
          <p key={line} className={styles.line}>
            {line}
          </p>
        ))}
        <time className={styles.line} dateTime={new Date(at).toISOString()}>
          {clockLabel(at, locale)}
        </time>
      </div>
      {undo && <UndoButton undo={undo} onUndone={props.onUndone} />}
    </li>
  )
}
