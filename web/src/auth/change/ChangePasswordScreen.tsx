import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import type { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { useCall } from '../../kit/useCall.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { LoadingState } from '../../ui/state/LoadingState.tsx'
import {
  NewPasswordFields,
  type NewPasswordName,
  useNewPassword,
  useNewPasswordText,
} from '../newPassword.tsx'
import { OwnerForm } from '../owner/OwnerForm.tsx'
import { ChangePage, CurrentPasswordField, useChanged } from './ChangePage.tsx'
import { changeText } from './changeText.ts'

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
  const changed = useChanged()
  const [current, setCurrent] = useState('')
  const [shown, setShown] = useState(false)
  const password = useNewPassword()
  const form = useForm<NewPasswordName | 'current'>()
  const change = useCall(updateSelf)

  const refused = ({ name, message }: CallFailure) => {
    if (name === 'auth.password_wrong') form.show({ current: t.currentWrong })
    else if (name === 'auth.password_required') form.show({ current: t.currentRequired })
    else if (name === 'auth.password_weak') form.show({ password: tForm.passwordRule })
    else form.show({}, message)
  }
  const submit = async () => {
    const isMissing = hasPassword && current === ''
    if (!form.show({ ...(isMissing && { current: t.currentRequired }), ...password.missing })) return
    const owner = { password: current, code: '' }
    const answer = await change.run({ password: password.value, owner }, refused)
    if (answer) changed(answer, t.passwordSaved)
  }
  return (
    <OwnerForm
      title={hasPassword ? t.password : t.setPassword}
      why={t.passwordWhy}
      form={form}
      button={t.save}
      busy={change.status === 'busy'}
      onSubmit={() => void submit()}
    >
      {hasPassword && (
        <>
          <CurrentPasswordField
            value={current}
            onChange={setCurrent}
            error={form.errors.current}
            shown={shown}
            onShown={setShown}
          />
          <Link className={buttonClass('plain')} to={paths.forgot()}>
            {tForm.forgot}
          </Link>
        </>
      )}
      <NewPasswordFields of={password} errors={form.errors} />
    </OwnerForm>
  )
}
