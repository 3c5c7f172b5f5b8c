/** A new password and its confirmation. chat.md §5 "Set password". */
import { isPassword } from '@guildhall/wire/auth/password.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { PasswordField } from './fields.tsx'
import { ownerText } from './ownerText.ts'
import { text } from './text.ts'

export type NewPasswordErrors = Partial<Record<'password' | 'confirmation', string>>

/** What is wrong with a new password and its confirmation, by field. */
export function newPasswordErrors(
  password: string,
  confirmation: string,
  t: { readonly passwordRequired: string; readonly passwordRule: string; readonly passwordsDiffer: string },
): NewPasswordErrors {
  if (password === '') return { password: t.passwordRequired }
  if (!isPassword(password)) return { password: t.passwordRule }
  return password === confirmation ? {} : { confirmation: t.passwordsDiffer }
}

/** Both are shown or hidden by one button, in the second: the first needs the width for its rule. */
export function NewPasswordFields(props: {
  password: string
  confirmation: string
  onPassword: (value: string) => void
  onConfirmation: (value: string) => void
  errors: NewPasswordErrors
}) {
  const t = useText(ownerText)
  const [shown, setShown] = useState(false)
  return (
    <>
      <PasswordField
        label={t.newPassword}
        name="new-password"
        kind="new-password"
        placeholder={t.passwordRule}
        shown={shown}
        value={props.password}
        onChange={props.onPassword}
        error={props.errors.password}
      />
      <PasswordField
        label={t.confirmPassword}
        name="confirm-password"
        kind="new-password"
        shown={shown}
        onShown={setShown}
        value={props.confirmation}
        onChange={props.onConfirmation}
        error={props.errors.confirmation}
      />
    </>
  )
}

/** The texts that `newPasswordErrors` needs. */
export const useNewPasswordText = () => ({ ...useText(text), ...useText(ownerText) })
