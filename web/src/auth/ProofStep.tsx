import type {
  beginSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
} from '@guildhall/wire/auth/secondFactor.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useEffect, useState } from 'react'
import type { CallFailure, CallInput } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { MobileField, useCountry } from '../ui/MobileField.tsx'
import { mobileOfCode } from '../ui/smsCodeCountdown.ts'
import { useFirstWrong } from '../ui/useFirstWrong.ts'
import { mobileErrorText } from './auth.ts'
import { CodeField, PasswordField } from './fields.tsx'
import { errorsOf } from './formErrors.ts'
import { OwnerForm } from './OwnerForm.tsx'
import styles from './SecondFactor.module.css'
import { secondFactorScreenText } from './secondFactorScreenText.ts'
import { text } from './text.ts'

type ProvenRoute = typeof beginSecondFactor | typeof endSecondFactor | typeof renewRecoveryCodes

/** The countdown of the button that sends a code here. */
const PAGE = 'second-factor'

/**
 * Proves that the account is one's own, by its password or a code sent to its number, and makes a call with the proof. What the call
 * needs beside it, it asks for itself.
 */
export function ProofStep<R extends ProvenRoute>(props: {
  route: R
  why: string
  button: string
  hasPassword: boolean
  onDone: (answer: AnswerOf<R>) => void
}) {
  const t = useText(secondFactorScreenText)
  const tForm = useText(text)
  const [isByCode, setByCode] = useState(!props.hasPassword)
  const [password, setPassword] = useState('')
  const [shown, setShown] = useState(false)
  const [country, setCountry] = useCountry()
  const [mobile, setMobile] = useState(() => mobileOfCode(PAGE))
  const [code, setCode] = useState('')
  const [errors, setErrors] = useState<Partial<Record<'mobile' | 'password' | 'code', string>>>({})
  const [problem, setProblem] = useState('')
  const form = useFirstWrong(errors)
  const proven = useCall(props.route)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields were replaced
  useEffect(() => form.current?.querySelector('input')?.focus({ preventScroll: true }), [isByCode, form])

  const refused = (failure: CallFailure) => {
    const found = errorsOf(failure, ['mobile', 'password', 'code'], tForm)
    setErrors(found.errors)
    setProblem(found.problem)
  }
  const check = () => {
    const wrong = mobileErrorText(country.code, mobile, tForm)
    setErrors(wrong ? { mobile: wrong } : {})
    setProblem('')
    return !wrong
  }
  const submit = async () => {
    setProblem('')
    if (isByCode ? code === '' : password === '')
      return setErrors(isByCode ? { code: tForm.codeRequired } : { password: tForm.passwordRequired })
    setErrors({})
    const owner = isByCode ? { password: '', code } : { password, code: '' }
    const answer = await proven.run({ owner } as CallInput<R>, refused)
    if (answer) props.onDone(answer)
  }
  return (
    <OwnerForm
      title={t.ownerTitle}
      why={props.why}
      problem={problem}
      button={props.button}
      busy={proven.status === 'busy'}
      form={form}
      onSubmit={() => void submit()}
    >
      {isByCode ? (
        <>
          <MobileField
            label={tForm.mobile}
            value={mobile}
            onChange={setMobile}
            country={country}
            onCountry={setCountry}
            error={errors.mobile}
          />
          <CodeField
            value={code}
            onChange={setCode}
            error={errors.code}
            page={PAGE}
            type="confirm"
            mobile={mobile}
            prefix={country.code}
            check={check}
            onFailure={refused}
          />
        </>
      ) : (
        <PasswordField
          label={t.password}
          name="password"
          kind="current-password"
          shown={shown}
          onShown={setShown}
          value={password}
          onChange={setPassword}
          error={errors.password}
        />
      )}
      {props.hasPassword && (
        <div className={styles.other}>
          <Button
            kind="plain"
            onPress={() => {
              setByCode(!isByCode)
              setErrors({})
              setProblem('')
            }}
          >
            {isByCode ? t.byPassword : t.byCode}
          </Button>
        </div>
      )}
    </OwnerForm>
  )
}
