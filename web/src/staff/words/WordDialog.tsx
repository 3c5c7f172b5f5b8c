import {
  addWord,
  changeWord,
  NOTE_MAX,
  WORD_ACTIONS,
  WORD_MAX,
  WORD_PLACES,
  type WordAction,
  type WordRule,
} from '@guildhall/wire/staff/words.ts'
import { readWords } from '@guildhall/wire/words.ts'
import { useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { Field } from '../../ui/Field.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import partStyles from '../parts/parts.module.css'
import { text } from '../text.ts'
import { wordsText } from '../wordsText.ts'
import styles from './words.module.css'

/** Adds a rule, or changes what one does; `rule` null: a new one. */
export function WordDialog(props: { rule: WordRule | null; onDone: () => void; onClose: () => void }) {
  const { rule } = props
  const t = useText(text)
  const w = useText(wordsText)
  const [word, setWord] = useState('')
  const [action, setAction] = useState<WordAction>(rule?.action ?? 'refuse')
  const [places, setPlaces] = useState(rule?.places ?? [...WORD_PLACES])
  const [note, setNote] = useState(rule?.note ?? '')
  const fields = { action, places, note: readWords(note) }
  const form = (
    <div className={styles.fields}>
      {!rule && <Field label={w.word} name="word" maxLength={WORD_MAX} value={word} onChange={setWord} />}
      <fieldset className={styles.choices}>
        <legend>{w.action}</legend>
        {WORD_ACTIONS.map((each) => (
          <label key={each} className={styles.choice}>
            <input
              type="radio"
              name="word-action"
              checked={action === each}
              onChange={() => setAction(each)}
            />
            {w[each]}
          </label>
        ))}
      </fieldset>
      <fieldset className={styles.choices}>
        <legend>{w.places}</legend>
        {WORD_PLACES.map((each) => (
          <label key={each} className={styles.choice}>
            <input
              type="checkbox"
              checked={places.includes(each)}
              onChange={({ currentTarget: { checked } }) =>
                setPlaces(WORD_PLACES.filter((it) => (it === each ? checked : places.includes(it))))
              }
            />
            {w[each]}
          </label>
        ))}
        {places.length === 0 && (
          <p className={partStyles.refused} role="alert">
            {w.placesNeeded}
          </p>
        )}
      </fieldset>
      <Field label={w.note} name="note" maxLength={NOTE_MAX} value={note} onChange={setNote} />
    </div>
  )
  const common = { confirm: t.save, reason: 'reason', onDone: props.onDone, onClose: props.onClose }
  return rule ? (
    <ActDialog
      {...common}
      route={changeWord}
      input={{ ...fields, id: Number(rule.id) }}
      title={w.changeTitle(rule.word)}
      message={w.changeWhy}
    >
      {form}
    </ActDialog>
  ) : (
    <ActDialog
      {...common}
      route={addWord}
      input={{ ...fields, word: word.trim() }}
      title={w.addTitle}
      message={w.addWhy}
    >
      {form}
    </ActDialog>
  )
}
