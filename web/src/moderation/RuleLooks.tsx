import { useId } from 'react'
import { useText } from '../kit/i18n.ts'
import fieldStyles from '../ui/form/Field.module.css'
import { Select } from '../ui/form/Select.tsx'
import { AMOUNTS, type Draft, lengthLabel, NEW_FOR, WITHIN, withOwn } from './draft.ts'
import styles from './Moderation.module.css'
import { text } from './text.ts'

interface LooksProps {
  readonly draft: Draft
  readonly onChange: (change: Partial<Draft>) => void
}

/** What a rule looks for: the fields of its kind. */
export function RuleLooks({ draft, onChange }: LooksProps) {
  const t = useText(text)
  switch (draft.kind) {
    case 'word':
      return <Lines label={t.words} hint={t.wordsHint} draft={draft} onChange={onChange} />
    case 'link':
      return <Lines label={t.hosts} hint={t.hostsHint} draft={draft} onChange={onChange} />
    case 'mention':
      return <Amount label={t.mentionsOf} value={draft.count} onChange={(count) => onChange({ count })} />
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
    case 'invite':
      return null
  }
}

function Lines({ label, hint, draft, onChange }: LooksProps & { label: string; hint: string }) {
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

function Length({ label, all, draft, onChange }: LooksProps & { label: string; all: readonly number[] }) {
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
