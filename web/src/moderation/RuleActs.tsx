import { channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { flat } from '@guildhall/wire/channel/flat.ts'
import { RAID_LIMITS, RULE_MESSAGE_MAX } from '@guildhall/wire/moderation/moderation.ts'
import { EVERYONE } from '@guildhall/wire/permission/permission.ts'
import { useText } from '../kit/i18n.ts'
import { Select } from '../ui/form/Select.tsx'
import { WordsField } from '../ui/form/WordsField.tsx'
import { Choices } from './Choices.tsx'
import { type Draft, lengthLabel, MUTES, PAUSES, withOwn } from './draft.ts'
import { fateText, type ModerationText, text } from './text.ts'

const FATES = ['delete', 'hold', 'none'] as const

interface ActsProps {
  readonly guild: Guild
  readonly draft: Draft
  readonly onChange: (change: Partial<Draft>) => void
}

/** What a rule does, and whom it leaves alone. */
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
      {draft.kind !== 'raid' && <Exempt {...props} />}
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
      {draft.fate === 'delete' && (
        <WordsField
          label={t.message}
          name="message"
          rows={2}
          most={RULE_MESSAGE_MAX}
          placeholder={t.messageHint}
          value={draft.message}
          error={undefined}
          onChange={(message) => onChange({ message })}
        />
      )}
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
          ...RAID_LIMITS.map((value) => ({ value: value as Draft['fate'], name: fates[value] })),
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

/** Roles, channels and categories that a rule leaves alone. */
function Exempt({ guild, draft, onChange }: ActsProps) {
  const t = useText(text)
  const roles = guild.roles
    .filter(({ role_id }) => role_id !== EVERYONE)
    .map(({ role_id, name }) => ({ id: role_id, name }))
  const channels = flat(guild.channels)
    .filter(({ type }) => type !== channelType.voice)
    .map(({ id, name, type }) => ({
      id,
      name: type === channelType.category ? t.category(name) : `#${name}`,
    }))
  return (
    <>
      <Choices
        label={t.exempt}
        all={roles}
        chosen={draft.exempt}
        onChange={(exempt) => onChange({ exempt })}
      />
      <Choices
        label={t.exemptChannels}
        all={channels}
        chosen={draft.exemptChannels}
        onChange={(exemptChannels) => onChange({ exemptChannels })}
      />
    </>
  )
}
