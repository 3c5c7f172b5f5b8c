/** An address and the code that is sent to it, in forms. */
import { addressProblem, foldAddress } from '@guildhall/wire/auth/address.ts'
import type { CodeType } from '@guildhall/wire/auth/auth.ts'
import { sendMailCode } from '@guildhall/wire/auth/mail.ts'
import { useState } from 'react'
import type { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { Field } from '../../ui/form/Field.tsx'
import { CodeField } from '../../ui/form/MobileCode.tsx'
import type { Errors, FormState } from '../../ui/form/useForm.ts'
import { text } from '../text.ts'
import { wayText } from './wayText.ts'

type Name = 'address' | 'code'

/** An address and its code, as they are typed. `page` names the countdown of the code's button. */
export function useMailCode(page: string) {
  const t = { ...useText(wayText), codeRequired: useText(text).codeRequired }
  const [address, setAddress] = useState('')
  const [code, setCode] = useState('')
  const problem = addressProblem(foldAddress(address))
  const wrong: Errors<Name> = problem
    ? { address: problem === 'auth.address_required' ? t.addressRequired : t.addressWrong }
    : {}
  return {
    page,
    address,
    setAddress,
    code,
    setCode,
    /** As calls take both. */
    input: { address, code },
    /** What is wrong with the address. */
    wrong,
    /** What is wrong with the address and the code. */
    missing: code === '' ? { ...wrong, code: t.codeRequired } : wrong,
  }
}

/** Digits that stand for an address where the countdown is kept, which knows numbers by their end. */
const digitsOf = (address: string): string =>
  String([...foldAddress(address)].reduce((sum, each) => (sum * 31 + (each.codePointAt(0) ?? 0)) % 1e9, 7))

/**
 * The fields of an address and, where `type` is what it is for, of its code. `onFailure`: it was not sent.
 */
export function MailCodeFields(props: {
  of: ReturnType<typeof useMailCode>
  form: FormState<Name>
  type: CodeType | null
  label?: string | undefined
  onFailure: (failure: CallFailure) => void
}) {
  const { of, form, type } = props
  const t = useText(wayText)
  const common = useText(text)
  return (
    <>
      <Field
        label={props.label ?? t.address}
        name="email"
        type="email"
        inputMode="email"
        autoComplete={type === null || type === 'forgot' ? 'username' : 'email'}
        maxLength={254}
        autoFocus
        value={of.address}
        onChange={of.setAddress}
        error={form.errors.address}
      />
      {type && (
        <CodeField
          label={common.code}
          name="code"
          value={of.code}
          onChange={of.setCode}
          error={form.errors.code}
          button={{
            page: of.page,
            prefix: 'mail',
            mobile: digitsOf(of.address),
            route: sendMailCode,
            address: of.address,
            type,
            check: () => form.show(of.wrong),
            onFailure: props.onFailure,
          }}
        />
      )}
    </>
  )
}
