import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { EVERYONE, permission } from '@guildhall/wire/permission/permission.ts'
import { useText } from '../../kit/i18n.ts'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import styles from './Members.module.css'
import { text } from './text.ts'

/** By what members are found; 0 and `''`: by nothing of it. */
export interface Filter {
  readonly search: string
  readonly roleId: number
  readonly joinedDays: number
  readonly silentDays: number
  readonly muted: '' | '0' | '1'
}
export const ALL: Filter = { search: '', roleId: EVERYONE, joinedDays: 0, silentDays: 0, muted: '' }

const JOINED_DAYS = [1, 7, 30]
const SILENT_DAYS = [7, 30, 90]

/** A search, and lists of what members are found by. */
export function MemberFilters(props: { guild: Guild; filter: Filter; onChange: (filter: Filter) => void }) {
  const { guild, filter, onChange } = props
  const t = useText(text)
  const seesMutes = (guild.permissions & (permission.mute_member | permission.deafen_member)) !== 0
  const days = (all: readonly number[], name: (n: number) => string) => [
    { value: 0, name: t.anyTime },
    ...all.map((value) => ({ value, name: name(value) })),
  ]
  const roles = guild.roles.filter(({ role_id }) => role_id !== EVERYONE)
  return (
    <div className={styles.filters}>
      <Field
        label={t.search}
        name="search"
        type="search"
        autoComplete="off"
        placeholder={t.searchHint}
        value={filter.search}
        onChange={(search) => onChange({ ...filter, search })}
      />
      <div className={styles.selects}>
        <Select
          label={t.role}
          options={[
            { value: EVERYONE, name: t.anyRole },
            ...roles.map(({ role_id, name }) => ({ value: role_id, name })),
          ]}
          value={filter.roleId}
          onChange={(roleId) => onChange({ ...filter, roleId })}
        />
        <Select
          label={t.joined}
          options={days(JOINED_DAYS, t.lastDays)}
          value={filter.joinedDays}
          onChange={(joinedDays) => onChange({ ...filter, joinedDays })}
        />
        <Select
          label={t.silent}
          options={days(SILENT_DAYS, t.silentDays)}
          value={filter.silentDays}
          onChange={(silentDays) => onChange({ ...filter, silentDays })}
        />
        {seesMutes && (
          <Select
            label={t.mutedOrNot}
            options={[
              { value: '', name: t.anyTime },
              { value: '1', name: t.muted },
              { value: '0', name: t.notMuted },
            ]}
            value={filter.muted}
            onChange={(muted) => onChange({ ...filter, muted })}
          />
        )}
      </div>
    </div>
  )
}
