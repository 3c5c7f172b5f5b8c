import { mobileLogin } from '@guildhall/wire/auth/auth.ts'
import type { InviteCode } from '@guildhall/wire/id.ts'
import { foldDigits } from '@guildhall/wire/typed.ts'
import { type ReactNode, useState } from 'react'
import { isLoggedIn, mobileErrorText, saveSession } from '../auth/auth.ts'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { text as common } from '../kit/text.ts'
import { useCall } from '../kit/useCall.ts'
import { sourceHeaders } from '../native/source.ts'
import { Agreement } from '../ui/Agreement.tsx'
import { Button } from '../ui/Button.tsx'
import fieldStyles from '../ui/Field.module.css'
import { Field } from '../ui/Field.tsx'
import { MobileField, useCountry } from '../ui/MobileField.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { SmsCodeButton } from '../ui/SmsCodeButton.tsx'
import { mobileOfCode } from '../ui/smsCodeCountdown.ts'
import { Toasts } from '../ui/Toast.tsx'
import { useFirstWrong } from '../ui/useFirstWrong.ts'
import { useAcceptInvite } from './invite.ts'
import styles from './RegisterSheet.module.css'
import { text } from './text.ts'

/** Registers a guest by phone and accepts the invite into a guild. */
export default function RegisterSheet(props: {
  code: InviteCode
  guildName: string
  onClose: () => void
  onLogin: () => void
  onAccepted: (path: string) => void
  /** The invite cannot be used any more. */
  onInvalid: (failure: CallFailure) => void
}) {
  const t = useText(text)
  const { isBusy, accept } = useAcceptInvite(props.onAccepted)
  return (
    <Sheet title={t.join(props.guildName)} onClose={props.onClose}>
      <RegisterForm
        code={props.code}
        page="invite"
        why={t.why}
        submit={t.submit}
        busy={isBusy}
        onRegistered={(refused) => void accept({ id: props.code }, refused)}
        onInvalid={props.onInvalid}
      >
        <Button kind="plain" onPress={props.onLogin}>
          {t.haveAccount}
        </Button>
      </RegisterForm>
      <Toasts />
    </Sheet>
  )
}

/**
 * Registers a guest by phone with the code of an invite. When the account is made but what follows fails, the
 * next tap only repeats that. chat.md §5 "Invite registration".
 */
export function RegisterForm(props: {
  code: InviteCode
  /** Names the countdown of the code button. */
  page: string
  why: string
  submit: string
  /** What follows the registration is under way. */
  busy?: boolean
  /** The account is made; `refused` shows why what follows failed. */
  onRegistered: (refused: (failure: CallFailure) => void) => void
  /** The invite cannot be used any more. */
  onInvalid?: (failure: CallFailure) => void
  /** Further ways, below the button. */
  children?: ReactNode
}) {
  const c = useText(common)
  const [country, setCountry] = useCountry()
  const [mobile, setMobile] = useState(() => mobileOfCode(props.page))
  const [code, setCode] = useState('')
  const [errors, setErrors] = useState<{ mobile?: string; code?: string }>({})
  const [problem, setProblem] = useState('')
  const form = useFirstWrong(errors)
  const register = useCall(mobileLogin, sourceHeaders)
  const busy = register.status === 'busy' || props.busy === true

  const refused = (failure: CallFailure) => {
    if (props.onInvalid && failure.name.startsWith('invite.')) return props.onInvalid(failure)
    const { mobile, code } = failure.fields
    setErrors({ ...(mobile ? { mobile } : {}), ...(code ? { code } : {}) })
    setProblem(mobile || code ? '' : failure.message)
  }
  const mobileError = () => mobileErrorText(country.code, mobile, c)
  const check = () => {
    const wrong = mobileError()
    setErrors(wrong ? { mobile: wrong } : {})
    return !wrong
  }

  const submit = async () => {
    if (busy) return
    setProblem('')
    if (!isLoggedIn()) {
      const wrong = mobileError()
      const found = { ...(wrong ? { mobile: wrong } : {}), ...(code ? {} : { code: c.codeRequired }) }
      setErrors(found)
      if (Object.keys(found).length > 0) return
      const number = { mobile, mobile_prefix: country.code }
      const session = await register.run(
        { type: 'invite_reg', ...number, code, remember: true, invite_code: props.code },
        refused,
      )
      if (!session) return
      saveSession(session)
    }
    props.onRegistered(refused)
  }

  return (
    <form
      className={styles.form}
      noValidate
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p className={styles.formReason}>{props.why}</p>
      <MobileField
        label={c.mobile}
        value={mobile}
        onChange={setMobile}
        country={country}
        onCountry={setCountry}
        error={errors.mobile}
      />
      <Field
        label={c.code}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        value={code}
        read={foldDigits}
        onChange={setCode}
        error={errors.code}
        after={
          <SmsCodeButton
            page={props.page}
            type="invite-h5"
            mobile={mobile}
            prefix={country.code}
            check={check}
            onFailure={refused}
          />
        }
      />
      <p className={fieldStyles.formProblem} role="alert">
        {problem}
      </p>
      <Button block busy={busy} type="submit">
        {props.submit}
      </Button>
      {props.children}
      <Agreement />
    </form>
  )
}
