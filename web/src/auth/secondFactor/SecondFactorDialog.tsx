import { TOTP_DIGITS } from '@guildhall/wire/auth/secondFactor.ts'
import { foldCode, foldDigits } from '@guildhall/wire/typed.ts'
import { useEffect, useId, useState } from 'react'
import { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import dialogStyles from '../../ui/overlay/Dialog.module.css'
import modalStyles from '../../ui/overlay/Modal.module.css'
import { useModal } from '../../ui/overlay/useModal.ts'
import styles from './SecondFactorDialog.module.css'
import { secondFactorText } from './secondFactorText.ts'

/** Refusals after which another code is worth a try. */
const AGAIN = /^(?:auth\.second_factor_\w+|network|captcha\.needed)$/

const RECOVERY = { name: 'recovery-code', autoComplete: 'off', maxLength: 32, read: foldCode }
const APP = {
  name: 'second-factor',
  inputMode: 'numeric',
  autoComplete: 'one-time-code',
  maxLength: TOTP_DIGITS,
  read: foldDigits,
} as const

interface Props {
  readonly send: (code: string) => Promise<unknown>
  readonly onAnswer: (answer: unknown) => void
  readonly onFailure: (error: unknown) => void
  readonly onClose: () => void
}

/** The code as it is typed, what is wrong with it, and how to make the call with it. */
function useCode(props: Props) {
  const t = useText(secondFactorText)
  const [{ value, problem }, setTyped] = useState({ value: '', problem: '' })
  const [isBusy, setBusy] = useState(false)
  const type = (value: string, problem = '') => setTyped({ value, problem })
  const submit = async () => {
    if (isBusy) return
    if (value === '') return type('', t.required)
    setBusy(true)
    type(value)
    try {
      props.onAnswer(await props.send(value))
    } catch (error) {
      if (!(error instanceof CallFailure && AGAIN.test(error.name))) return props.onFailure(error)
      type('', error.message)
      setBusy(false)
    }
  }
  return { value, problem, isBusy, type, submit }
}

/**
 * Asks for a code of the authenticator app, or a recovery code, and makes the call with it. Stays open while
 * the code is refused; ends with the call's answer, or with what else it failed of.
 */
export function SecondFactorDialog(props: Props) {
  const t = useText(secondFactorText)
  const id = useId()
  const [isRecovery, setRecovery] = useState(false)
  const code = useCode(props)
  const { isBusy, type } = code
  const box = useModal(props.onClose)
  // After a refusal, and when the field was replaced, it takes the focus again.
  useEffect(() => {
    if (!isBusy) box.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [isBusy, box])

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
        <CodeForm code={code} isRecovery={isRecovery} />
        <div className={styles.other}>
          <Button
            kind="plain"
            onPress={() => {
              setRecovery(!isRecovery)
              type('')
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

function CodeForm({ code, isRecovery }: { code: ReturnType<typeof useCode>; isRecovery: boolean }) {
  const t = useText(secondFactorText)
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void code.submit()
      }}
    >
      <Field
        key={isRecovery ? 'recovery' : 'app'}
        {...(isRecovery ? RECOVERY : APP)}
        label={isRecovery ? t.recovery : t.code}
        value={code.value}
        onChange={(typed) => code.type(typed)}
        error={code.problem}
        autoFocus
      />
      <Button block busy={code.isBusy} type="submit">
        {t.confirm}
      </Button>
    </form>
  )
}
