import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { type Condition, GUILDS_ARE, PUNISHED_DAYS } from '@guildhall/wire/moderation/moderation.ts'
import { useId } from 'react'
import { useText } from '../kit/i18n.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import fieldStyles from '../ui/form/Field.module.css'
import { Select } from '../ui/form/Select.tsx'
import { Choices } from './Choices.tsx'
import {
  AGES,
  AMOUNTS,
  type Draft,
  LIMITS,
  lengthLabel,
  linesOf,
  NEW_FOR,
  WITHIN,
  withCondition,
  withOwn,
} from './draft.ts'
import styles from './Moderation.module.css'
import { conditionText, guildsText, text } from './text.ts'

interface FieldProps {
  readonly draft: Draft
  readonly onChange: (change: Partial<Draft>) => void
}
interface LooksProps extends FieldProps {
  readonly guild: Guild
}

/** What a rule looks for: the fields of its kind. */
export function RuleLooks({ guild, draft, onChange }: LooksProps) {
  const t = useText(text)
  const guildLists = useText(guildsText)
  switch (draft.kind) {
    case 'word':
      return <Lines label={t.words} hint={t.wordsHint} draft={draft} onChange={onChange} />
    case 'link':
      return <Lines label={t.hosts} hint={t.hostsHint} draft={draft} onChange={onChange} />
    case 'mention':
      return <Amount label={t.mentionsOf} value={draft.count} onChange={(count) => onChange({ count })} />
    case 'invite':
      return (
        <>
          <Select
            label={t.guildsAre}
            options={GUILDS_ARE.map((value) => ({
              value: value as Draft['guildsAre'],
              name: guildLists[value],
            }))}
            value={draft.guildsAre}
            onChange={(guildsAre) => onChange({ guildsAre })}
          />
          <OwnGuilds guild={guild} draft={draft} onChange={onChange} />
          <Lines label={t.guilds} hint={t.guildsHint} draft={draft} onChange={onChange} />
        </>
      )
    case 'restriction':
      return <Conditions draft={draft} onChange={onChange} />
    case 'newcomer':
      return <Length label={t.newFor} all={NEW_FOR} draft={draft} onChange={onChange} />
    case 'flood':
      return (
        <>
          <Amount canBeNone label={t.countOf} value={draft.count} onChange={(count) => onChange({ count })} />
          <Amount
            canBeNone
            label={t.repeatsOf}
            value={draft.repeats}
            onChange={(repeats) => onChange({ repeats })}
          />
          <Length label={t.within} all={WITHIN} draft={draft} onChange={onChange} />
        </>
      )
    case 'raid':
      return (
        <>
          <Amount label={t.joinsOf} value={draft.count} onChange={(count) => onChange({ count })} />
          <Length label={t.within} all={WITHIN} draft={draft} onChange={onChange} />
        </>
      )
  }
}

/** The other guilds of the person, by their names. */
function OwnGuilds({ guild, draft, onChange }: LooksProps) {
  const t = useText(text)
  const all = useRouteQuery(listGuilds, {}).answer ?? []
  return (
    <Choices<string>
      label={t.ownGuilds}
      all={all.filter(({ id }) => id !== guild.id)}
      chosen={linesOf(draft.lines)}
      onChange={(chosen) => onChange({ lines: chosen.join('\n') })}
    />
  )
}

function Lines({ label, hint, draft, onChange }: FieldProps & { label: string; hint: string }) {
  const id = useId()
  return (
    <div className={styles.lines}>
      <label className={fieldStyles.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        rows={5}
        placeholder={hint}
        aria-describedby={`${id}-hint`}
        autoCapitalize="off"
        spellCheck={false}
        value={draft.lines}
        onChange={({ currentTarget }) => onChange({ lines: currentTarget.value })}
      />
      <p className={styles.fact} id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  )
}

function Amount(props: {
  label: string
  value: number
  canBeNone?: boolean
  onChange: (value: number) => void
}) {
  const t = useText(text)
  const none = props.canBeNone ? [{ value: 0, name: t.unlimited }] : []
  const options = withOwn(AMOUNTS, props.value).map((value) => ({ value, name: t.times(value) }))
  return (
    <Select
      label={props.label}
      options={[...none, ...options]}
      value={props.value}
      onChange={props.onChange}
    />
  )
}

function Length({ label, all, draft, onChange }: FieldProps & { label: string; all: readonly number[] }) {
  const t = useText(text)
  return (
    <Select
      label={label}
      options={withOwn(all, draft.seconds).map((value) => ({ value, name: lengthLabel(value, t) }))}
      value={draft.seconds}
      onChange={(seconds) => onChange({ seconds })}
    />
  )
}

/** What is chosen of a person by a check alone. */
const CHECKED = ['overseas', 'banned', 'real_auth'] as const
const MINUTE_S = 60

/** Whom a restriction is of: who meets all that is chosen. */
function Conditions({ draft, onChange }: FieldProps) {
  const t = useText(text)
  const names = useText(conditionText)
  const id = useId()
  const { conditions, limit } = draft
  const set = (type: Condition['type'], to: Condition | null) =>
    onChange({ conditions: withCondition(conditions, type, to) })
  const minutes = (all: readonly number[], own: number) =>
    withOwn(all, own).map((value) => ({ value, name: lengthLabel(value * MINUTE_S, t) }))
  const age = conditions.find(({ type }) => type === 'reg')?.duration ?? 0
  return (
    <>
      <Select
        label={t.youngerThan}
        options={[{ value: 0, name: t.anyAge }, ...minutes(AGES, age)]}
        value={age}
        onChange={(duration) => set('reg', duration === 0 ? null : { type: 'reg', duration })}
      />
      <fieldset className={styles.roles} aria-describedby={`${id}-all`}>
        <legend className={fieldStyles.label}>{t.conditions}</legend>
        {CHECKED.map((type) => (
          <label key={type}>
            <input
              type="checkbox"
              checked={conditions.some((it) => it.type === type)}
              onChange={({ currentTarget }) => set(type, currentTarget.checked ? { type } : null)}
            />
            {names[type](PUNISHED_DAYS)}
          </label>
        ))}
        <p className={styles.fact} id={`${id}-all`}>
          {t.conditionsAll}
        </p>
      </fieldset>
      <Select
        label={t.limit}
        options={[{ value: 0, name: t.noLimitTime }, ...minutes(LIMITS, limit)]}
        value={limit}
        onChange={(chosen) => onChange({ limit: chosen })}
      />
    </>
  )
}
