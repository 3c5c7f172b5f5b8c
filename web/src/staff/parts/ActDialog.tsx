import type { AnswerOf, Route } from '@guildhall/wire/route.ts'
import { listApprovals } from '@guildhall/wire/staff/approvals.ts'
import { staffWaiting } from '@guildhall/wire/staff/waiting.ts'
import { readWords } from '@guildhall/wire/words.ts'
import { type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router'
import type { CallFailure, CallInput } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { useCall } from '../../kit/useCall.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { text } from '../text.ts'
import styles from './parts.module.css'

interface Props<R extends Route> {
  readonly route: R
  readonly input: CallInput<R>
  readonly title: string
  readonly message: string
  /** The text of the button, when they are not the title. */
  readonly confirm?: string
  readonly danger?: boolean
  readonly hasNoReason?: boolean
  /** The longest reason, when it is shorter than usual; in place of what is said of reasons. */
  readonly reasonMax?: number
  readonly reasonWhy?: string
  readonly again?: string
  /** What is wrong with the further fields; it is said in place of the call. */
  readonly problem?: string | undefined
  /** Further fields of the act. */
  readonly children?: ReactNode
  readonly onDone: (answer: AnswerOf<R>) => void
  /** True: the refusal is dealt with. */
  readonly onRefused?: (failure: CallFailure) => boolean
  readonly onClose: () => void
}

/**
 * Asks before an act of staff, makes its call, and says that it is done. A reason is needed, which goes into
 * the call's field of that name, unless the act has none. With `again` a second question follows, for what
 * cannot be undone. It stays open when the call is refused, and says why, unless `onRefused` takes the
 * refusal. An act that waits for somebody else is not done: then it says so, and where, and closes.
 */
export function ActDialog<R extends Route>(props: Props<R>) {
  const { again, onClose, title, confirm = title } = props
  const { written, type, refused, isAgain, waits, submit } = useAct(props)
  if (waits !== '') return <Waits id={waits} onClose={onClose} />
  return (
    <Dialog
      key={String(isAgain)}
      title={title}
      message={isAgain && again ? again : props.message}
      confirm={confirm}
      danger={isAgain || props.danger === true}
      onConfirm={() => void submit()}
      onClose={onClose}
    >
      {!isAgain && props.children && <div className={styles.further}>{props.children}</div>}
      {!isAgain && !props.hasNoReason && (
        <Reason
          typed={written.typed}
          isMissing={written.isMissing}
          max={props.reasonMax ?? 200}
          why={props.reasonWhy}
          onChange={type}
        />
      )}
      {refused && (
        <p className={styles.refused} role="alert">
          {refused}
        </p>
      )}
    </Dialog>
  )
}

/** What is typed of an act, what is wrong with it, and how it is done. */
function useAct<R extends Route>(props: Props<R>) {
  const t = useText(text)
  const [written, setWritten] = useState({ typed: '', isMissing: false })
  const [isTried, setTried] = useState(false)
  const [isAgain, setAgain] = useState(false)
  const [waits, setWaits] = useState('')
  const act = useCall(props.route)
  const submit = async () => {
    const reason = readWords(written.typed)
    setTried(true)
    if (props.problem) return
    if (!props.hasNoReason && reason === '') return setWritten({ ...written, isMissing: true })
    if (props.again && !isAgain) return setAgain(true)
    const input = props.hasNoReason ? props.input : { ...props.input, reason }
    const answer = await act.run(input, (failure) => {
      if (props.onRefused?.(failure)) act.reset()
    })
    if (!answer) return
    invalidateRoute(staffWaiting)
    invalidateRoute(listApprovals)
    const approvalId = (answer as { readonly approval_id?: string }).approval_id ?? ''
    if (approvalId !== '') return setWaits(approvalId)
    toast(t.done)
    props.onDone(answer)
  }
  const failed = act.failure?.message
  return {
    written,
    type: (typed: string) => setWritten({ typed, isMissing: false }),
    refused: isAgain ? failed : (isTried && props.problem) || (written.isMissing ? t.reasonNeeded : failed),
    isAgain,
    /** The request that the act became; empty: none. */
    waits,
    submit,
  }
}

/** The act waits for somebody else. */
function Waits({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useText(text)
  return (
    <Dialog key="waits" title={t.waitsTitle} message={t.waitsMessage(id)} confirm={t.known} onClose={onClose}>
      <Link className={styles.back} to="/staff/approvals">
        {t.openApprovals}
      </Link>
    </Dialog>
  )
}

function Reason(props: {
  typed: string
  isMissing: boolean
  max: number
  why: string | undefined
  onChange: (typed: string) => void
}) {
  const t = useText(text)
  const id = useId()
  return (
    <label className={styles.reason} htmlFor={id}>
      <span>{t.reason}</span>
      <textarea
        id={id}
        rows={3}
        maxLength={props.max}
        value={props.typed}
        aria-invalid={props.isMissing || undefined}
        aria-describedby={`${id}-why`}
        onChange={({ currentTarget: { value } }) => props.onChange(value)}
      />
      <small id={`${id}-why`}>{props.why ?? t.reasonWhy}</small>
    </label>
  )
}
