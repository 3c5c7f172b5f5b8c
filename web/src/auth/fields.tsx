/** Fields of the forms about numbers and passwords. */

import type { CodeType } from '@guildhall/wire/auth/auth.ts'
import { foldDigits } from '@guildhall/wire/typed.ts'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import fieldStyles from '../ui/Field.module.css'
import { Field } from '../ui/Field.tsx'
import { SmsCodeButton } from '../ui/SmsCodeButton.tsx'
import { text } from './text.ts'

/** A code, and the button that sends one to the number. `page` names its countdown. */
export function CodeField(props: {
  value: string
  onChange: (value: string) => void
  error: string | undefined
  page: string
  type: CodeType
  mobile: string
  prefix: string
  check: () => boolean
  onFailure: (failure: CallFailure) => void
}) {
  const t = useText(text)
  return (
    <Field
      label={t.code}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
      value={props.value}
      read={foldDigits}
      onChange={props.onChange}
      error={props.error}
      after={
        <SmsCodeButton
          page={props.page}
          type={props.type}
          mobile={props.mobile}
          prefix={props.prefix}
          check={props.check}
          onFailure={props.onFailure}
        />
      }
    />
  )
}

/** A password. `onShown`: its button makes it readable, and hides it again. */
export function PasswordField(props: {
  label: string
  name: string
  kind: 'current-password' | 'new-password'
  value: string
  onChange: (value: string) => void
  error: string | undefined
  placeholder?: string
  shown: boolean
  onShown?: (shown: boolean) => void
}) {
  const t = useText(text)
  const { shown, onShown } = props
  return (
    <Field
      label={props.label}
      name={props.name}
      type={shown ? 'text' : 'password'}
      autoComplete={props.kind}
      maxLength={128}
      value={props.value}
      onChange={props.onChange}
      error={props.error}
      {...(props.placeholder && { placeholder: props.placeholder })}
      after={
        onShown && (
          <button
            type="button"
            className={fieldStyles.side}
            aria-pressed={shown}
            onClick={() => onShown(!shown)}
          >
            {shown ? t.hide : t.show}
          </button>
        )
      }
    />
  )
}
