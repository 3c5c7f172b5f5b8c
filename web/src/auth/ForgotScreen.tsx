import { forgotByMail } from '@guildhall/wire/auth/mail.ts'
import { forgotPassword } from '@guildhall/wire/auth/owner.ts'
import { useLocation, useNavigate } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { useCall } from '../kit/useCall.ts'
import { leaveLayers } from '../ui/overlay/layers.ts'
import { toast } from '../ui/overlay/Toast.tsx'
import { Page } from '../ui/page/Page.tsx'
import { TopBar } from '../ui/page/TopBar.tsx'
import { usePageTitle } from '../ui/page/usePageTitle.ts'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { OperatorDrawing } from './drawings.tsx'
import {
  NewPasswordFields,
  type NewPasswordName,
  useNewPassword,
  useNewPasswordText,
} from './newPassword.tsx'
import { OwnerForm } from './owner/OwnerForm.tsx'
import { useAuthForm } from './useAuthForm.ts'
import { CONTACT_FIELDS, type ContactField, ContactFields, useContact } from './ways/contact.tsx'
import { wayText } from './ways/wayText.ts'

/**
 * /forgot: sets a new password by a code, and leads back to the login page. chat.md §7 "auth/forgot",
 * decision 52.
 */
export default function ForgotScreen() {
  const t = useNewPasswordText()
  const leave = useBackToLogin()
  const typed = useContact('forgot', t)
  const password = useNewPassword()
  const form = useAuthForm<NewPasswordName | ContactField>([...CONTACT_FIELDS, 'password'], t)
  const reset = useCall(forgotPassword)
  const resetByMail = useCall(forgotByMail)
  const tWay = useText(wayText)
  usePageTitle(t.forgotten)

  const submit = async () => {
    if (!form.show({ ...typed.missing, ...password.missing })) return
    const { value } = password
    const done = typed.isMail
      ? await resetByMail.run({ ...typed.mail.input, password: value }, form.refused)
      : await reset.run({ ...typed.number.input, password: value }, form.refused)
    if (!done) return
    toast(t.passwordIsReset)
    leave()
  }
  return (
    <Page>
      <TopBar title={t.forgotten} onBack={leave} />
      {typed.way === null ? (
        <EmptyState icon={<OperatorDrawing />} title={tWay.askOperator} message={tWay.noForgot} page />
      ) : (
        <OwnerForm
          title={t.forgotTitle}
          why={t.forgotWhy}
          form={form}
          button={t.resetPassword}
          busy={reset.status === 'busy' || resetByMail.status === 'busy'}
          onSubmit={() => void submit()}
        >
          <ContactFields
            of={typed}
            form={form}
            type="forgot"
            autoComplete="username"
            onFailure={form.refused}
          />
          <NewPasswordFields of={password} errors={form.errors} />
        </OwnerForm>
      )}
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
