import { userState } from '@guildhall/wire/auth/login.ts'
import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { buttonClass } from '../ui/Button.tsx'
import { LoadingState } from '../ui/LoadingState.tsx'
import { toast } from '../ui/Toast.tsx'
import { useFirstWrong } from '../ui/useFirstWrong.ts'
import { ChangePage, CurrentPasswordField, useBackToAccount } from './ChangePage.tsx'
import { keepSelf } from './changedSelf.ts'
import { changeText } from './changeText.ts'
import {
  type NewPasswordErrors,
  NewPasswordFields,
  newPasswordErrors,
  useNewPasswordText,
} from './newPassword.tsx'
import { OwnerForm } from './OwnerForm.tsx'

/** /account/password: changes the password, or sets the first one. */
export default function ChangePasswordScreen() {
  const t = useText(changeText)
  const session = useRouteQuery(userState, {})
  const hasPassword = session.answer?.has_password
  return (
    <ChangePage title={hasPassword === false ? t.setPassword : t.password}>
      {hasPassword === undefined ? <LoadingState page /> : <PasswordForm hasPassword={hasPassword} />}
    </ChangePage>
  )
}

/** `hasPassword`: it is asked for before another one is set. */
function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  const t = useText(changeText)
  const tForm = useNewPasswordText()
  const leave = useBackToAccount()
  const [current, setCurrent] = useState('')
  const [shown, setShown] = useState(false)
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [errors, setErrors] = useState<{ current?: string } & NewPasswordErrors>({})
  const [problem, setProblem] = useState('')
  const form = useFirstWrong(errors)
  const change = useCall(updateSelf)

  const refused = ({ name, message }: CallFailure) => {
    if (name === 'auth.password_wrong') setErrors({ current: t.currentWrong })
    else if (name === 'auth.password_required') setErrors({ current: t.currentRequired })
    else if (name === 'auth.password_weak') setErrors({ password: tForm.passwordRule })
    else setProblem(message)
  }
  const submit = async () => {
    const found = {
      ...(hasPassword && current === '' && { current: t.currentRequired }),
      ...newPasswordErrors(password, confirmation, tForm),
    }
    setErrors(found)
    setProblem('')
    if (Object.keys(found).length > 0) return
    const answer = await change.run({ password, owner: { password: current, code: '' } }, refused)
    if (!answer) return
    keepSelf(answer)
    toast(t.passwordSaved)
    leave()
  }
  return (
    <OwnerForm
      title={hasPassword ? t.password : t.setPassword}
      why={t.passwordWhy}
      problem={problem}
      button={t.save}
      busy={change.status === 'busy'}
      form={form}
      onSubmit={() => void submit()}
    >
      {hasPassword && (
        <>
          <CurrentPasswordField
            value={current}
            onChange={setCurrent}
            error={errors.current}
            shown={shown}
            onShown={setShown}
          />
          <Link className={buttonClass('plain')} to={paths.forgot()}>
            {tForm.forgot}
          </Link>
        </>
      )}
      <NewPasswordFields
        password={password}
        confirmation={confirmation}
        onPassword={setPassword}
        onConfirmation={setConfirmation}
        errors={errors}
      />
    </OwnerForm>
  )
}
