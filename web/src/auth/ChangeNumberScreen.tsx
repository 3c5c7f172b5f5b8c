import { verifyMobile } from '@guildhall/wire/auth/owner.ts'
import { useState } from 'react'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { MobileField, useCountry } from '../ui/MobileField.tsx'
import { toast } from '../ui/Toast.tsx'
import { useFirstWrong } from '../ui/useFirstWrong.ts'
import { mobileErrorText, useMe } from './auth.ts'
import { ChangePage, CurrentPasswordField, useBackToAccount, WithPassword } from './ChangePage.tsx'
import { keepSelf } from './changedSelf.ts'
import { changeText } from './changeText.ts'
import { CodeField } from './fields.tsx'
import { errorsOf } from './formErrors.ts'
import { OwnerForm } from './OwnerForm.tsx'
import { text } from './text.ts'

type Errors = Partial<Record<'current' | 'mobile' | 'code', string>>

/** /account/number: gives the account another number, proven by its code; the password proves whose account it is. */
export default function ChangeNumberScreen() {
  const t = useText(changeText)
  return (
    <ChangePage title={t.number}>
      <WithPassword>
        <NumberForm />
      </WithPassword>
    </ChangePage>
  )
}

function NumberForm() {
  const t = useText(changeText)
  const tForm = useText(text)
  const me = useMe()
  const leave = useBackToAccount()
  const [country, setCountry] = useCountry()
  const [current, setCurrent] = useState('')
  const [shown, setShown] = useState(false)
  const [mobile, setMobile] = useState('')
  const [code, setCode] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState('')
  const form = useFirstWrong(errors)
  const change = useCall(verifyMobile)

  const refused = (failure: CallFailure) => {
    if (failure.name === 'auth.password_wrong') return setErrors({ current: t.currentWrong })
    const found = errorsOf(failure, ['mobile', 'code'], tForm)
    setErrors(found.errors)
    setProblem(found.problem)
  }
  const mobileError = () => mobileErrorText(country.code, mobile, tForm)
  const check = () => {
    const wrong = mobileError()
    setErrors(wrong ? { mobile: wrong } : {})
    setProblem('')
    return !wrong
  }
  const submit = async () => {
    const wrong = mobileError()
    const found: Errors = {
      ...(current === '' && { current: t.currentRequired }),
      ...(wrong && { mobile: wrong }),
      ...(code === '' && { code: tForm.codeRequired }),
    }
    setErrors(found)
    setProblem('')
    if (Object.keys(found).length > 0) return
    const proven = { mobile, code, mobile_prefix: country.code }
    const answer = await change.run({ mobile: proven, owner: { password: current, code: '' } }, refused)
    if (!answer) return
    keepSelf(answer)
    toast(t.numberSaved)
    leave()
  }
  return (
    <OwnerForm
      title={t.number}
      why={t.numberWhy(me.mobile)}
      problem={problem}
      button={t.save}
      busy={change.status === 'busy'}
      form={form}
      onSubmit={() => void submit()}
    >
      <CurrentPasswordField
        value={current}
        onChange={setCurrent}
        error={errors.current}
        shown={shown}
        onShown={setShown}
      />
      <MobileField
        label={t.newNumber}
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
        page="number"
        type="verify"
        mobile={mobile}
        prefix={country.code}
        check={check}
        onFailure={refused}
      />
    </OwnerForm>
  )
}
