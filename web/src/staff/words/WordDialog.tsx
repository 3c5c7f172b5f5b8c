import {
  addWord,
  changeWord,
  NOTE_MAX,
  WORD_ACTIONS,
  WORD_MAX,
  WORD_TARGETS,
  type WordAction,
  type WordRule,
} from '@guildhall/wire/staff/words.ts'
import { readWords } from '@guildhall/wire/words.ts'
import { type ReactNode, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { Field } from '../../ui/form/Field.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import type { End } from '../parts/Acts.tsx'
import partStyles from '../parts/parts.module.css'
import { text } from '../text.ts'
import styles from './words.module.css'
import { wordsText } from './wordsText.ts'

/** Adds a rule, or changes what one does; `rule` null: a new one. */
export function WordDialog({ rule, ...end }: { rule: WordRule | null } & End) {
  const t = useText(text)
  const w = useText(wordsText)
  const [word, setWord] = useState('')
  const [action, setAction] = useState<WordAction>(rule?.action ?? 'refuse')
  const [targets, setTargets] = useState(rule?.places ?? [...WORD_TARGETS])
  const [note, setNote] = useState(rule?.note ?? '')
  const fields = { action, places: targets, note: readWords(note) }
  const form = (
    <div className={styles.fields}>
      {!rule && <Field label={w.word} name="word" maxLength={WORD_MAX} value={word} onChange={setWord} />}
      <Choices
        legend={w.action}
        type="radio"
        options={WORD_ACTIONS}
        isChosen={(each) => action === each}
        onChange={setAction}
      />
      <Choices
        legend={w.targets}
        type="checkbox"
        options={WORD_TARGETS}
        isChosen={(each) => targets.includes(each)}
        onChange={(each) => setTargets(WORD_TARGETS.filter((it) => targets.includes(it) !== (it === each)))}
      >
        {targets.length === 0 && (
          <p className={partStyles.refused} role="alert">
            {w.targetsNeeded}
          </p>
        )}
      </Choices>
      <Field label={w.note} name="note" maxLength={NOTE_MAX} value={note} onChange={setNote} />
    </div>
  )
  const common = { ...end, confirm: t.save, children: form }
  if (!rule)
    return (
      <ActDialog
        {...common}
        route={addWord}
        input={{ ...fields, word: word.trim() }}
        title={w.addTitle}
        message={w.addWhy}
      />
    )
  return (
    <ActDialog
      {...common}
      route={changeWord}
      input={{ ...fields, id: Number(rule.id) }}
      title={w.changeTitle(rule.word)}
      message={w.changeWhy}
    />
  )
}

/** One of several, or some of them. */
function Choices<Each extends WordAction | (typeof WORD_TARGETS)[number]>(props: {
  legend: string
  type: 'radio' | 'checkbox'
  options: readonly Each[]
  isChosen: (each: Each) => boolean
  onChange: (each: Each) => void
  children?: ReactNode
}) {
  const w = useText(wordsText)
  const { type } = props
  return (
    <fieldset className={styles.choices}>
      <legend>{props.legend}</legend>
      {props.options.map((each) => (
        <label key={each} className={styles.choice}>
          <input
            type={type}
            name={type === 'radio' ? 'word-action' : undefined}
            checked={props.isChosen(each)}
            onChange={() => props.onChange(each)}
          />
          {w[each]}
        </label>
      ))}
      {props.children}
    </fieldset>
  )
}
