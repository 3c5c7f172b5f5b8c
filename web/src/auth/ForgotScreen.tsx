import { forgotPassword } from '@guildhall/wire/auth/owner.ts'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { CallFailure } from '../kit/call.ts'
import { paths } from '../kit/paths.ts'
import { useCall } from '../kit/useCall.ts'
import { leaveLayers } from '../ui/layers.ts'
import { MobileField, useCountry } from '../ui/MobileField.tsx'
import { Page } from '../ui/Page.tsx'
import { mobileOfCode } from '../ui/smsCodeCountdown.ts'
import { toast } from '../ui/Toast.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import { useFirstWrong } from '../ui/useFirstWrong.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { mobileErrorText } from './auth.ts'
import { CodeField } from './fields.tsx'
import { errorsOf } from './formErrors.ts'
import {
  type NewPasswordErrors,
  NewPasswordFields,
  newPasswordErrors,
  useNewPasswordText,
} from './newPassword.tsx'
import { OwnerForm } from './OwnerForm.tsx'

type Errors = NewPasswordErrors & { mobile?: string; code?: string }

/**
 * /forgot: sets a new password by a code, and leads back to the login page. chat.md §7 "auth/forgot",
 * decision 52.
 */
export default function ForgotScreen() {
  const t = useNewPasswordText()
  const leave = useBackToLogin()
  const [country, setCountry] = useCountry()
  const [mobile, setMobile] = useState(() => mobileOfCode('forgot'))
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState('')
  const form = useFirstWrong(errors)
  const reset = useCall(forgotPassword)
  usePageTitle(t.forgotten)

  const refused = (failure: CallFailure) => {
    const found = errorsOf(failure, ['mobile', 'code', 'password'], t)
    setErrors(found.errors)
    setProblem(found.problem)
  }
  const mobileError = () => mobileErrorText(country.code, mobile, t)
  const check = () => {
    const wrong = mobileError()
    setErrors(wrong ? { mobile: wrong } : {})
    setProblem('')
    return !wrong
  }
  const submit = async () => {
    const wrong = mobileError()
    const found: Errors = {
      ...(wrong && { mobile: wrong }),
      ...(code === '' && { code: t.codeRequired }),
      ...newPasswordErrors(password, confirmation, t),
    }
    setErrors(found)
    setProblem('')
    if (Object.keys(found).length > 0) return
    if (!(await reset.run({ mobile, mobile_prefix: country.code, code, password }, refused))) return
    toast(t.passwordIsReset)
    leave()
  }
  return (
    <Page>
      <TopBar title={t.forgotten} onBack={leave} />
      <OwnerForm
        title={t.forgotTitle}
        why={t.forgotWhy}
        problem={problem}
        button={t.resetPassword}
        busy={reset.status === 'busy'}
        form={form}
        onSubmit={() => void submit()}
      >
        <MobileField
          label={t.mobile}
          value={mobile}
          onChange={setMobile}
          country={country}
          onCountry={setCountry}
          error={errors.mobile}
          autoComplete="username"
        />
        <CodeField
          value={code}
          onChange={setCode}
          error={errors.code}
          page="forgot"
          type="forgot"
          mobile={mobile}
          prefix={country.code}
          check={check}
          onFailure={refused}
        />
        <NewPasswordFields
          password={password}
          confirmation={confirmation}
          onPassword={setPassword}
          onConfirmation={setConfirmation}
          errors={errors}
        />
      </OwnerForm>
    </Page>
  )
}

/** Leads back to the login page that led here, or to a new one. */
function useBackToLogin(): () => void {
  const navigate = useNavigate()
  const { state } = useLocation()
  return async () => {
    await leaveLayers()
    if (state?.login === true && history.state?.idx > 0) void navigate(-1)
    else void navigate(paths.login(), { replace: true, state: { way: 'password' } })
  }
}
