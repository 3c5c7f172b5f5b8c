import { verifyMobile } from '@guildhall/wire/auth/owner.ts'
import { useState } from 'react'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { MobileField, useCountry } from '../ui/MobileField.tsx'
import { toast } from '../ui/Toast.tsx'
import { useFirstWrong } from '../ui/useFirstWrong.ts'
import { mobileErrorText, useMe } from './auth.ts'
import { ChangePage, useBackToAccount, WithOwner } from './ChangePage.tsx'
import { keepSelf } from './changedSelf.ts'
import { changeText } from './changeText.ts'
import { CodeField } from './fields.tsx'
import { errorsOf } from './formErrors.ts'
import { OwnerForm } from './OwnerForm.tsx'
import { ProofField, useOwnerProof } from './ownerProof.tsx'
import { text } from './text.ts'

type Errors = Partial<Record<'owner' | 'mobile' | 'code', string>>

/**
 * /account/number: gives the account another number, proven by its code; the password, or a code of the old
 * one, proves whose account it is.
 */
export default function ChangeNumberScreen() {
  const t = useText(changeText)
  return (
    <ChangePage title={t.number}>
      <WithOwner>{(hasPassword) => <NumberForm hasPassword={hasPassword} />}</WithOwner>
    </ChangePage>
  )
}

function NumberForm({ hasPassword }: { hasPassword: boolean }) {
  const t = useText(changeText)
  const tForm = useText(text)
  const me = useMe()
  const leave = useBackToAccount()
  const [country, setCountry] = useCountry()
  const proof = useOwnerProof(hasPassword)
  const [mobile, setMobile] = useState('')
  const [code, setCode] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState('')
  const form = useFirstWrong(errors)
  const change = useCall(verifyMobile)

  const refused = (failure: CallFailure) => {
    const owner = proof.errorOf(failure)
    if (owner !== null) return setErrors({ owner })
    const found = errorsOf(failure, ['mobile', 'code'], tForm)
    setErrors(found.errors)
    setProblem(found.problem)
  }
  const ownCodeRefused = ({ message, fields }: CallFailure) =>
    fields.code ? setErrors({ owner: fields.code }) : setProblem(message)
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
      ...(proof.missing !== null && { owner: proof.missing }),
      ...(wrong && { mobile: wrong }),
      ...(code === '' && { code: tForm.codeRequired }),
    }
    setErrors(found)
    setProblem('')
    if (Object.keys(found).length > 0) return
    const proven = { mobile, code, mobile_prefix: country.code }
    const answer = await change.run({ mobile: proven, owner: proof.owner }, refused)
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
      <ProofField
        proof={proof}
        page="number-owner"
        error={errors.owner}
        onFailure={ownCodeRefused}
        onSwitch={() => setErrors({})}
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
