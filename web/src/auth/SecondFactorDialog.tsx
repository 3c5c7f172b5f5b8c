import { TOTP_DIGITS } from '@guildhall/wire/auth/secondFactor.ts'
import { foldCode, foldDigits } from '@guildhall/wire/typed.ts'
import { useEffect, useId, useState } from 'react'
import { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { Button } from '../ui/Button.tsx'
import dialogStyles from '../ui/Dialog.module.css'
import { Field } from '../ui/Field.tsx'
import modalStyles from '../ui/Modal.module.css'
import { useModal } from '../ui/useModal.ts'
import styles from './SecondFactorDialog.module.css'
import { secondFactorText } from './secondFactorText.ts'

/** Refusals after which another code is worth a try. */
const AGAIN = /^(?:auth\.second_factor_\w+|network|captcha\.needed)$/

/**
 * Asks for a code of the authenticator app, or a recovery code, and makes the call with it. Stays open while
 * the code is refused; ends with the call's answer, or with what else it failed of.
 */
export function SecondFactorDialog(props: {
  send: (code: string) => Promise<unknown>
  onAnswer: (answer: unknown) => void
  onFailure: (error: unknown) => void
  onClose: () => void
}) {
  const t = useText(secondFactorText)
  const id = useId()
  const [isRecovery, setRecovery] = useState(false)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const box = useModal(props.onClose)
  // After a refusal, and when the field was replaced, it takes the focus again.
  useEffect(() => {
    if (!isBusy) box.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [isBusy, box])

  const submit = async () => {
    if (isBusy) return
    if (typed === '') return setProblem(t.required)
    setBusy(true)
    setProblem('')
    try {
      props.onAnswer(await props.send(typed))
    } catch (error) {
      if (!(error instanceof CallFailure && AGAIN.test(error.name))) return props.onFailure(error)
      setTyped('')
      setProblem(error.message)
      setBusy(false)
    }
  }
  return (
    <div className={`${modalStyles.backdrop} ${modalStyles.centered}`}>
      <div
        className={dialogStyles.dialog}
        role="dialog"
        aria-modal="true"
        aria-labelledby={id}
        aria-describedby={`${id}-why`}
        data-part="second-factor"
        tabIndex={-1}
        ref={box}
      >
        <h2 className={dialogStyles.title} id={id}>
          {t.title}
        </h2>
        <p className={styles.why} id={`${id}-why`}>
          {isRecovery ? t.whyRecovery : t.why}
        </p>
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <Field
            key={isRecovery ? 'recovery' : 'app'}
            label={isRecovery ? t.recovery : t.code}
            name={isRecovery ? 'recovery-code' : 'second-factor'}
            {...(isRecovery
              ? { autoComplete: 'off', maxLength: 32 }
              : { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: TOTP_DIGITS })}
            read={isRecovery ? foldCode : foldDigits}
            value={typed}
            onChange={(value) => {
              setTyped(value)
              setProblem('')
            }}
            error={problem}
            autoFocus
          />
          <Button block busy={isBusy} type="submit">
            {t.confirm}
          </Button>
        </form>
        <div className={styles.other}>
          <Button
            kind="plain"
            onPress={() => {
              setRecovery(!isRecovery)
              setTyped('')
              setProblem('')
              box.current?.focus({ preventScroll: true })
            }}
          >
            {isRecovery ? t.useApp : t.useRecovery}
          </Button>
        </div>
        <Button kind="quiet" block onPress={props.onClose}>
          {t.cancel}
        </Button>
      </div>
    </div>
  )
}
