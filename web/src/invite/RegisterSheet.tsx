import { mobileLogin } from '@guildhall/wire/auth/auth.ts'
import type { InviteCode } from '@guildhall/wire/id.ts'
import { useCallback, useState } from 'react'
import { isLoggedIn, mobileErrorText, saveSession } from '../auth/auth.ts'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { text as common } from '../kit/text.ts'
import { useCall } from '../kit/useCall.ts'
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

/**
 * Registers a guest by phone and accepts the invite. When the account is made but joining fails, the next tap only
 * joins. chat.md §5 "Invite registration".
 */
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
  const c = useText(common)
  const [country, setCountry] = useCountry()
  const [mobile, setMobile] = useState(() => mobileOfCode('invite'))
  const [code, setCode] = useState('')
  const [errors, setErrors] = useState<{ mobile?: string; code?: string }>({})
  const [problem, setProblem] = useState('')
  const form = useFirstWrong(errors)
  const register = useCall(mobileLogin)
  const { isBusy: isAccepting, accept } = useAcceptInvite(props.onAccepted)
  const busy = register.status === 'busy' || isAccepting
  const { onInvalid } = props

  const refused = useCallback(
    (failure: CallFailure) => {
      if (failure.name.startsWith('invite.')) return onInvalid(failure)
      const { mobile, code } = failure.fields
      setErrors({ ...(mobile ? { mobile } : {}), ...(code ? { code } : {}) })
      setProblem(mobile || code ? '' : failure.message)
    },
    [onInvalid],
  )
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
      const session = await register.run(
        {
          type: 'invite_reg',
          mobile,
          mobile_prefix: country.code,
          code,
          remember: true,
          invite_code: props.code,
        },
        refused,
      )
      if (!session) return
      saveSession(session)
    }
    await accept({ id: props.code }, refused)
  }

  return (
    <Sheet title={t.join(props.guildName)} onClose={props.onClose}>
      <form
        className={styles.form}
        noValidate
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p className={styles.formReason}>{t.why}</p>
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
          onChange={(value) => setCode(value.replace(/\D/g, ''))}
          error={errors.code}
          after={
            <SmsCodeButton
              page="invite"
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
          {t.submit}
        </Button>
        <Button kind="plain" onPress={props.onLogin}>
          {t.haveAccount}
        </Button>
        <Agreement />
      </form>
      <Toasts />
    </Sheet>
  )
}
