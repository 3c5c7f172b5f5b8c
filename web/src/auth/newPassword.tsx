/** A new password and its confirmation. chat.md §5 "Set password". */

import { isPassword } from '@guildhall/wire/auth/password.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import type { Errors } from '../ui/form/useForm.ts'
import { PasswordField } from './fields.tsx'
import { ownerText } from './owner/ownerText.ts'
import { text } from './text.ts'

export type NewPasswordName = 'password' | 'confirmation'

/** The texts of a form with a new password. */
export const useNewPasswordText = () => ({ ...useText(text), ...useText(ownerText) })

/** A new password and its confirmation as they are typed, and what is wrong with them. */
export function useNewPassword() {
  const t = useNewPasswordText()
  const [value, setValue] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const missing = (): Errors<NewPasswordName> => {
    if (value === '') return { password: t.passwordRequired }
    if (!isPassword(value)) return { password: t.passwordRule }
    return value === confirmation ? {} : { confirmation: t.passwordsDiffer }
  }
  return { value, setValue, confirmation, setConfirmation, missing: missing() }
}

/** Both are shown or hidden by one button, in the second: the first needs the width for its rule. */
export function NewPasswordFields(props: {
  of: ReturnType<typeof useNewPassword>
  errors: Errors<NewPasswordName>
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
        value={props.of.value}
        onChange={props.of.setValue}
        error={props.errors.password}
      />
      <PasswordField
        label={t.confirmPassword}
        name="confirm-password"
        kind="new-password"
        shown={shown}
        onShown={setShown}
        value={props.of.confirmation}
        onChange={props.of.setConfirmation}
        error={props.errors.confirmation}
      />
    </>
  )
}
