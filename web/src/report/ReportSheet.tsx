import {
  createReport,
  REPORT_CATEGORIES,
  REPORT_WORDS_MAX,
  type ReportCategory,
} from '@guildhall/wire/report/report.ts'
import { readWords } from '@guildhall/wire/words.ts'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import type { ReportTarget } from '../kit/report.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { CheckIcon } from '../ui/icon/laterIcons.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import styles from './ReportSheet.module.css'
import { text } from './text.ts'

/** From so many characters left on, they are counted. */
const COUNTED_FROM = 100

/**
 * Asks what is wrong with something, sends it, and says that it was received. Of several messages each is a
 * report of its own; sent again after a failure, it goes on with the one that failed.
 */
export function ReportSheet({ target, onClose }: { target: ReportTarget; onClose: () => void }) {
  const t = useText(text)
  const id = useId()
  const { kind, ids, name } = target
  const title = ids.length > 1 ? t.messages(ids.length) : t[kind](name)
  const [category, setCategory] = useState<ReportCategory | null>(null)
  const [content, setContent] = useState('')
  const [isMissing, setMissing] = useState(false)
  const sending = useCall(createReport)
  const reported = useRef(0)
  const [isDone, setDone] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (category === null) return setMissing(true)
    for (const id of ids.slice(reported.current)) {
      if (!(await sending.run({ kind, id: id as never, category, words: readWords(content) }))) return
      reported.current++
    }
    setDone(true)
  }
  if (isDone)
    return (
      <Sheet title={title} onClose={onClose}>
        <Done />
        <Button block onPress={onClose}>
          {t.close}
        </Button>
      </Sheet>
    )
  const why = sending.failure?.message
  const problem = isMissing
    ? t.needed
    : why && reported.current > 0
      ? t.notAll(ids.length - reported.current, why)
      : why
  return (
    <Sheet title={title} onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void send(event)} noValidate>
        <p className={styles.why}>{ids.length > 1 ? t.messagesWhy : t[`${kind}Why`]}</p>
        <Categories
          chosen={category}
          onChoose={(each) => {
            setCategory(each)
            setMissing(false)
          }}
        />
        <label className={styles.label} htmlFor={`${id}-words`}>
          {t.words}
        </label>
        <textarea
          id={`${id}-words`}
          className={styles.words}
          rows={3}
          maxLength={REPORT_WORDS_MAX}
          placeholder={t.wordsHint}
          value={content}
          onChange={({ currentTarget: { value } }) => setContent(value)}
        />
        <Left of={REPORT_WORDS_MAX - content.length} />
        {problem && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <Button type="submit" block busy={sending.status === 'busy' || sending.status === 'done'}>
          {t.send}
        </Button>
      </form>
    </Sheet>
  )
}

function Done() {
  const t = useText(text)
  return (
    <div className={styles.done} role="status">
      <span className={styles.mark}>
        <CheckIcon size={28} />
      </span>
      <h3 className={styles.doneTitle}>{t.doneTitle}</h3>
      <p>{t.done}</p>
    </div>
  )
}

function Categories(props: { chosen: ReportCategory | null; onChoose: (category: ReportCategory) => void }) {
  const t = useText(text)
  const name = useId()
  return (
    <fieldset className={styles.categories}>
      <legend className={styles.label}>{t.category}</legend>
      {REPORT_CATEGORIES.map((each) => (
        <label key={each} className={styles.category}>
          <input
            type="radio"
            name={name}
            value={each}
            checked={props.chosen === each}
            onChange={() => props.onChoose(each)}
          />
          <span>{t[each]}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** How many characters are left, when they are few. */
function Left({ of }: { of: number }) {
  const t = useText(text)
  return (
    <p className={styles.left} aria-live="polite">
      {of <= COUNTED_FROM && t.left(of)}
    </p>
  )
}
