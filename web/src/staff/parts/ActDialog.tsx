import type { AnswerOf, Route } from '@guildhall/wire/route.ts'
import { staffWaiting } from '@guildhall/wire/staff/waiting.ts'
import { readWords } from '@guildhall/wire/words.ts'
import { type ReactNode, useId, useState } from 'react'
import type { CallFailure, CallInput } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { useCall } from '../../kit/useCall.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/Toast.tsx'
import { text } from '../text.ts'
import styles from './parts.module.css'

/**
 * Asks before an act of staff, makes its call, and says that it is done. With `reason` a reason is needed,
 * which goes into the call's field of that name. With `again` a second question follows, for what cannot be
 * undone. It stays open when the call is refused, and says why, unless `onRefused` takes the refusal.
 */
export function ActDialog<R extends Route>(props: {
  route: R
  input: CallInput<R>
  title: string
  message: string
  confirm: string
  danger?: boolean
  reason?: string
  /** The longest reason, when it is shorter than usual; in place of what is said of reasons. */
  reasonMax?: number
  reasonWhy?: string
  again?: string
  /** What is wrong with the further fields; it is said in place of the call. */
  problem?: string | undefined
  /** Further fields of the act. */
  children?: ReactNode
  onDone: (answer: AnswerOf<R>) => void
  /** True: the refusal is dealt with. */
  onRefused?: (failure: CallFailure) => boolean
  onClose: () => void
}) {
  const t = useText(text)
  const id = useId()
  const [words, setWords] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [isTried, setTried] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const act = useCall(props.route)
  const confirm = async () => {
    setTried(true)
    if (props.problem) return
    if (props.reason && readWords(words) === '') return setMissing(true)
    if (props.again && !isAsked) return setAsked(true)
    const input = { ...props.input, ...(props.reason && { [props.reason]: readWords(words) }) }
    const answer = await act.run(input, (failure) => {
      if (props.onRefused?.(failure)) act.reset()
    })
    if (!answer) return
    toast(t.done)
    invalidateRoute(staffWaiting)
    props.onDone(answer)
  }
  const refusal = (isTried && props.problem) || (isMissing ? t.reasonNeeded : act.failure?.message)
  if (props.again && isAsked)
    return (
      <Dialog
        key="again"
        title={props.title}
        message={props.again}
        confirm={props.confirm}
        danger
        onConfirm={() => void confirm()}
        onClose={props.onClose}
      >
        {act.failure && (
          <p className={styles.refused} role="alert">
            {act.failure.message}
          </p>
        )}
      </Dialog>
    )
  return (
    <Dialog
      title={props.title}
      message={props.message}
      confirm={props.confirm}
      {...(props.danger && { danger: true })}
      onConfirm={() => void confirm()}
      onClose={props.onClose}
    >
      {props.children && <div className={styles.further}>{props.children}</div>}
      {props.reason && (
        <label className={styles.reason} htmlFor={id}>
          <span>{t.reason}</span>
          <textarea
            id={id}
            rows={3}
            maxLength={props.reasonMax ?? 200}
            value={words}
            aria-invalid={isMissing || undefined}
            aria-describedby={`${id}-why`}
            onChange={({ currentTarget: { value } }) => {
              setWords(value)
              setMissing(false)
            }}
          />
          <small id={`${id}-why`}>{props.reasonWhy ?? t.reasonWhy}</small>
        </label>
      )}
      {refusal && (
        <p className={styles.refused} role="alert">
          {refusal}
        </p>
      )}
    </Dialog>
  )
}
