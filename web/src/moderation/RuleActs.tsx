import { channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { flat } from '@guildhall/wire/channel/flat.ts'
import { EVERYONE } from '@guildhall/wire/permission/permission.ts'
import { useText } from '../kit/i18n.ts'
import fieldStyles from '../ui/form/Field.module.css'
import { Select } from '../ui/form/Select.tsx'
import { type Draft, lengthLabel, MUTES, PAUSES, withOwn } from './draft.ts'
import styles from './Moderation.module.css'
import { fateText, type ModerationText, text } from './text.ts'

const FATES = ['delete', 'hold', 'none'] as const

interface ActsProps {
  readonly guild: Guild
  readonly draft: Draft
  readonly onChange: (change: Partial<Draft>) => void
}

/** What a rule does, and which roles it leaves alone. */
export function RuleActs(props: ActsProps) {
  const { guild, draft, onChange } = props
  const t = useText(text)
  const all = flat(guild.channels)
  const texts = all.filter(({ type }) => type === channelType.text)
  return (
    <>
      {draft.kind === 'raid' ? <OfRaid {...props} /> : <OfMessage {...props} />}
      <Select
        label={t.notify}
        options={[
          { value: '', name: t.noNotify },
          ...texts.map(({ id, name }) => ({ value: id as string, name: `#${name}` })),
        ]}
        value={draft.notify}
        onChange={(notify) => onChange({ notify })}
      />
      {draft.kind !== 'raid' && <ExemptRoles {...props} />}
    </>
  )
}

/** What becomes of a message and of its author. */
function OfMessage({ draft, onChange }: ActsProps) {
  const t = useText(text)
  const fates = useText(fateText)
  return (
    <>
      <Select
        label={t.fate}
        options={FATES.map((value) => ({ value: value as Draft['fate'], name: fates[value] }))}
        value={draft.fate}
        onChange={(fate) => onChange({ fate })}
      />
      <Select
        label={t.mute}
        options={[{ value: 0, name: t.noMute }, ...lengths(MUTES, draft.mute, t)]}
        value={draft.mute}
        onChange={(mute) => onChange({ mute })}
      />
    </>
  )
}

/** What a raid means for those who want to join. */
function OfRaid({ draft, onChange }: ActsProps) {
  const t = useText(text)
  const fates = useText(fateText)
  return (
    <>
      <Select
        label={t.joining}
        options={[
          { value: 'close' as Draft['fate'], name: fates.close },
          { value: 'slow', name: fates.slow },
          { value: 'none', name: t.joiningAsEver },
        ]}
        value={draft.fate}
        onChange={(fate) => onChange({ fate })}
      />
      {draft.fate !== 'none' && (
        <Select
          label={t.pause}
          options={lengths(PAUSES, draft.pause, t)}
          value={draft.pause}
          onChange={(pause) => onChange({ pause })}
        />
      )}
    </>
  )
}

const lengths = (all: readonly number[], own: number, t: ModerationText) =>
  withOwn(all, own).map((value) => ({ value, name: lengthLabel(value, t) }))

function ExemptRoles({ guild, draft, onChange }: ActsProps) {
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
