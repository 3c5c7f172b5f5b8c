/** A number and the code that is sent to it, in forms. */
import type { CodeType } from '@guildhall/wire/auth/auth.ts'
import { mobileProblem, readMobile } from '@guildhall/wire/auth/mobile.ts'
import { foldDigits } from '@guildhall/wire/typed.ts'
import { type ComponentProps, useState } from 'react'
import type { CallFailure } from '../../kit/call.ts'
import { Field } from './Field.tsx'
import { MobileField, useCountry } from './MobileField.tsx'
import { SmsCodeButton } from './SmsCodeButton.tsx'
import { mobileOfCode } from './smsCodeCountdown.ts'
import type { Errors, FormState } from './useForm.ts'

type Name = 'mobile' | 'code'

/** What the fields are called, and what is said of them. */
type Words = Readonly<Record<Name | 'mobileRequired' | 'mobileWrong' | 'codeRequired', string>>

/**
 * A number and its code, as they are typed. `page` names the countdown of the code's button; while it runs,
 * the number that the code was sent to is `first` there. chat.md §5.
 */
export function useMobileCode(page: string, text: Words, first?: string) {
  const [country, setCountry] = useCountry()
  const [mobile, setMobile] = useState(() => first ?? mobileOfCode(page))
  const [code, setCode] = useState('')
  const prefix = country.code
  const problem = mobileProblem(readMobile({ prefix, mobile }))
  const wrong: Errors<Name> = problem
    ? { mobile: problem === 'auth.mobile_required' ? text.mobileRequired : text.mobileWrong }
    : {}
  return {
    words: text,
    country,
    setCountry,
    mobile,
    setMobile,
    code,
    setCode,
    /** What the code's button asks with. */
    asks: { page, mobile, prefix },
    /** As calls take it. */
    number: { mobile, mobile_prefix: prefix },
    /** What is wrong with the number. */
    wrong,
    /** What is wrong with the number and the code. */
    missing: code === '' ? { ...wrong, code: text.codeRequired } : wrong,
  }
}

/** The fields of a number and, where `type` is what it is for, of its code. `onFailure`: it was not sent. */
export function MobileCodeFields(props: {
  of: ReturnType<typeof useMobileCode>
  form: FormState<Name>
  type: CodeType | null
  autoComplete?: string | undefined
  onFailure: (failure: CallFailure) => void
}) {
  const { of, form, type } = props
  return (
    <>
      <MobileField
        label={of.words.mobile}
        typed={of}
        error={form.errors.mobile}
        autoComplete={props.autoComplete}
      />
      {type && (
        <CodeField
          label={of.words.code}
          name="code"
          value={of.code}
          onChange={of.setCode}
          error={form.errors.code}
          button={{
            ...of.asks,
            type,
            check: () => form.show(of.wrong),
            onFailure: props.onFailure,
          }}
        />
      )}
    </>
  )
}

/** A code, and the button that sends one to the number. */
export function CodeField({
  button,
  ...field
}: {
  label: string
  name: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
  button: ComponentProps<typeof SmsCodeButton>
}) {
  return (
    <Field
      {...field}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
      read={foldDigits}
      after={<SmsCodeButton {...button} />}
    />
  )
}
