import { AUDIT_TYPES, type AuditEntry } from '@guildhall/wire/audit/audit.ts'
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { useCallback, useState } from 'react'
import { useLocale, useText } from '../../../kit/i18n.ts'
import { Button } from '../../../ui/Button.tsx'
import { Select } from '../../../ui/form/Select.tsx'
import { EmptyState } from '../../../ui/state/EmptyState.tsx'
import { type AuditFilter, AuditLog } from './AuditLog.tsx'
import styles from './AuditSettings.module.css'
import { AuditDrawing } from './drawings.tsx'
import { nameOfType } from './lines.ts'
import { type People, PersonFilter } from './PersonFilter.tsx'
import { text } from './text.ts'

const ALL: AuditFilter = { who: null, whom: null, type: null }
const NOBODY: People = new Map()

/** Who did what to whom in a guild, day by day, found by each of the three. */
export default function AuditSettings({ guild }: { guild: Guild }) {
  const t = useText(text)
  const [filter, setFilter] = useState(ALL)
  const [actors, setActors] = useState(NOBODY)
  const [targets, setTargets] = useState(NOBODY)
  const learn = useCallback((items: readonly AuditEntry[]) => {
    const by = items.flatMap(({ actor: { id, username } }) => (id === '0' ? [] : [[id, username] as const]))
    const on = items.flatMap(({ target: { kind, id, name } }) =>
      kind === 'member' ? [[id, name] as const] : [],
    )
    setActors((known) => withPeople(known, by))
    setTargets((known) => withPeople(known, on))
  }, [])
  return (
    <>
      <Filters guild={guild} filter={filter} actors={actors} targets={targets} onChange={setFilter} />
      <AuditLog key={JSON.stringify(filter)} guild={guild} filter={filter} onItems={learn}>
        {filter === ALL ? (
          <EmptyState icon={<AuditDrawing />} title={t.none} message={t.noneWhy} />
        ) : (
          <EmptyState
            icon={<AuditDrawing />}
            title={t.noneSuch}
            action={
              <Button kind="soft" onPress={() => setFilter(ALL)}>
                {t.all}
              </Button>
            }
          />
        )}
      </AuditLog>
    </>
  )
}

/** Those who are known and these; the same when all are known. */
function withPeople(known: People, found: readonly (readonly [string, string])[]): People {
  const fresh = found.filter(([id]) => !known.has(id as UserId))
  return fresh.length === 0 ? known : new Map([...known, ...(fresh as [UserId, string][])])
}

function Filters(props: {
  guild: Guild
  filter: AuditFilter
  /** Those who were seen in the log, who did something and to whom it was done. */
  actors: People
  targets: People
  onChange: (filter: AuditFilter) => void
}) {
  const t = useText(text)
  const locale = useLocale()
  const { guild, filter } = props
  const change = (part: Partial<AuditFilter>) => {
    const next = { ...filter, ...part }
    props.onChange(Object.values(next).every((it) => it === null) ? ALL : next)
  }
  const types = AUDIT_TYPES.map((value) => ({ value, name: nameOfType(value, locale) }))
  return (
    <div className={styles.filters}>
      <PersonFilter
        guild={guild}
        label={t.who}
        seen={props.actors}
        chosen={filter.who}
        onChange={(who) => change({ who })}
      />
      <PersonFilter
        guild={guild}
        label={t.whom}
        seen={props.targets}
        chosen={filter.whom}
        onChange={(whom) => change({ whom })}
      />
      <Select
        label={t.what}
        options={[{ value: '' as const, name: t.anything }, ...types]}
        value={filter.type ?? ''}
        onChange={(type) => change({ type: type === '' ? null : type })}
      />
    </div>
  )
}
