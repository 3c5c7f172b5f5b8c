import { TRIED_MAX, tryWords } from '@guildhall/wire/staff/words.ts'
import { useId, useState } from 'react'
import { Marked } from '../../kit/find/Marked.tsx'
import { piecesOf } from '../../kit/find/pieces.ts'
import { useText } from '../../kit/i18n.ts'
import { useCall } from '../../kit/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import partStyles from '../parts/parts.module.css'
import { Card, Tag } from '../parts/Section.tsx'
import styles from './words.module.css'
import { targetsLabel, wordsText } from './wordsText.ts'

/** A box in which a text is tried: what the rules would find in it, and where. */
export function TryBox() {
  const w = useText(wordsText)
  const id = useId()
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState('')
  const attempt = useCall(tryWords)
  const matches = attempt.status === 'done' ? attempt.answer.matches : null
  return (
    <Card title={w.tryTitle}>
      <p className={styles.lead}>{w.tryLead}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() === '') return
          setTried(typed)
          void attempt.run({ text: typed })
        }}
      >
        <label className={partStyles.reason} htmlFor={id}>
          <span>{w.tryText}</span>
          <textarea
            id={id}
            rows={3}
            maxLength={TRIED_MAX}
            value={typed}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
        </label>
        <Button type="submit" busy={attempt.status === 'busy'}>
          {w.tryIt}
        </Button>
      </form>
      <div aria-live="polite">
        {attempt.failure && <p className={partStyles.refused}>{attempt.failure.message}</p>}
        {matches && (
          <p className={styles.outcome}>{matches.length === 0 ? w.clean : w.found(matches.length)}</p>
        )}
        {matches && matches.length > 0 && (
          <>
            <p className={styles.tried}>
              <Marked of={piecesOf(tried, matches)} />
            </p>
            <ul className={styles.matches} aria-label={w.matched}>
              {matches.map((match) => (
                <li key={`${match.id} ${match.from}`}>
                  <Tag kind={match.action === 'refuse' ? 'bad' : 'wait'}>{w[match.action]}</Tag>
                  <b>{match.word}</b>
                  <span>{targetsLabel(match.places, w)}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Card>
  )
}
