import { forgotPassword } from '@guildhall/wire/auth/owner.ts'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '../kit/paths.ts'
import { useCall } from '../kit/useCall.ts'
import { MobileCodeFields, useMobileCode } from '../ui/form/MobileCode.tsx'
import { leaveLayers } from '../ui/overlay/layers.ts'
import { toast } from '../ui/overlay/Toast.tsx'
import { Page } from '../ui/page/Page.tsx'
import { TopBar } from '../ui/page/TopBar.tsx'
import { usePageTitle } from '../ui/page/usePageTitle.ts'
import {
  NewPasswordFields,
  type NewPasswordName,
  useNewPassword,
  useNewPasswordText,
} from './newPassword.tsx'
import { OwnerForm } from './owner/OwnerForm.tsx'
import { useAuthForm } from './useAuthForm.ts'

/**
 * /forgot: sets a new password by a code, and leads back to the login page. chat.md §7 "auth/forgot",
 * decision 52.
 */
export default function ForgotScreen() {
  const t = useNewPasswordText()
  const leave = useBackToLogin()
  const typed = useMobileCode('forgot', t)
  const password = useNewPassword()
  const form = useAuthForm<NewPasswordName | 'mobile' | 'code'>(['mobile', 'code', 'password'], t)
  const reset = useCall(forgotPassword)
  usePageTitle(t.forgotten)

  const submit = async () => {
    if (!form.show({ ...typed.missing, ...password.missing })) return
    const input = { ...typed.number, code: typed.code, password: password.value }
    if (!(await reset.run(input, form.refused))) return
    toast(t.passwordIsReset)
    leave()
  }
  return (
    <Page>
      <TopBar title={t.forgotten} onBack={leave} />
      <OwnerForm
        title={t.forgotTitle}
        why={t.forgotWhy}
        form={form}
        button={t.resetPassword}
        busy={reset.status === 'busy'}
        onSubmit={() => void submit()}
      >
        <MobileCodeFields
          of={typed}
          form={form}
          type="forgot"
          autoComplete="username"
          onFailure={form.refused}
        />
        <NewPasswordFields of={password} errors={form.errors} />
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
