import { type AuditEntry, type AuditType, listAudit } from '@guildhall/wire/audit/audit.ts'
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { type ReactNode, useEffect } from 'react'
import { clockLabel, dayLabel, sameDay } from '../../../kit/format/time.ts'
import { useLocale, useText } from '../../../kit/i18n.ts'
import { type RoutePages, useRoutePages } from '../../../kit/useRoutePages.ts'
import { ActionRows } from '../../../ui/ActionRow.tsx'
import { Loaded } from '../../../ui/state/Loaded.tsx'
import styles from './AuditSettings.module.css'
import { linesOf, sentenceOf } from './lines.ts'
import { text } from './text.ts'
import { UndoButton } from './UndoButton.tsx'
import { type Undo, undoOf } from './undo.ts'

/** Which acts are shown; null: whoever did it, to whomever, whatever it is. */
export interface AuditFilter {
  readonly who: UserId | null
  readonly whom: UserId | null
  readonly type: AuditType | null
}

/** The acts of a guild that fit, day by day, the newest first; `children`: what stands where none do. */
export function AuditLog(props: {
  guild: Guild
  filter: AuditFilter
  /** Called with what is shown. */
  onItems?: (items: readonly AuditEntry[]) => void
  children: ReactNode
}) {
  const t = useText(text)
  const { guild, onItems } = props
  const { who, whom, type } = props.filter
  const log = useRoutePages(listAudit, {
    guild_id: guild.id,
    ...(who !== null && { user_id: who }),
    ...(whom !== null && { target_id: whom }),
    ...(type !== null && { type }),
  })
  const shown = log.answer?.items
  useEffect(() => {
    if (shown) onItems?.(shown)
  }, [shown, onItems])
  return (
    <Loaded of={log} title={t.failed}>
      {({ items }) => (items.length > 0 ? <Days items={items} log={log} guild={guild} /> : props.children)}
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
