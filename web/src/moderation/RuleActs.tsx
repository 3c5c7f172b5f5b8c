import { channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { EVERYONE } from '@guildhall/wire/permission/permission.ts'
import { useText } from '../kit/i18n.ts'
import fieldStyles from '../ui/form/Field.module.css'
import { Select } from '../ui/form/Select.tsx'
import { type Draft, lengthLabel, MUTES, withOwn } from './draft.ts'
import styles from './Moderation.module.css'
import { fateText, text } from './text.ts'

const FATES = ['delete', 'hold', 'none'] as const

/** What a rule does, and which roles it leaves alone. */
export function RuleActs(props: { guild: Guild; draft: Draft; onChange: (change: Partial<Draft>) => void }) {
  const { guild, draft, onChange } = props
  const t = useText(text)
  const fates = useText(fateText)
  const all = guild.channels.flatMap((it) => [it, ...it.channels])
  const texts = all.filter(({ type }) => type === channelType.text)
  return (
    <>
      <Select
        label={t.fate}
        options={FATES.map((value) => ({ value, name: fates[value] }))}
        value={draft.fate}
        onChange={(fate) => onChange({ fate })}
      />
      <Select
        label={t.mute}
        options={[
          { value: 0, name: t.noMute },
          ...withOwn(MUTES, draft.mute).map((value) => ({ value, name: lengthLabel(value, t) })),
        ]}
        value={draft.mute}
        onChange={(mute) => onChange({ mute })}
      />
      <Select
        label={t.notify}
        options={[
          { value: '', name: t.noNotify },
          ...texts.map(({ id, name }) => ({ value: id as string, name: `#${name}` })),
        ]}
        value={draft.notify}
        onChange={(notify) => onChange({ notify })}
      />
      <ExemptRoles {...props} />
    </>
  )
}

function ExemptRoles({ guild, draft, onChange }: Parameters<typeof RuleActs>[0]) {
  const t = useText(text)
  const roles = guild.roles.filter(({ role_id }) => role_id !== EVERYONE)
  if (roles.length === 0) return null
  return (
    <fieldset className={styles.roles}>
      <legend className={fieldStyles.label}>{t.exempt}</legend>
      {roles.map(({ role_id, name }) => (
        <label key={role_id}>
          <input
            type="checkbox"
            checked={draft.exempt.includes(role_id)}
            onChange={({ currentTarget }) =>
              onChange({
                exempt: currentTarget.checked
                  ? [...draft.exempt, role_id]
                  : draft.exempt.filter((it) => it !== role_id),
              })
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  )
}
