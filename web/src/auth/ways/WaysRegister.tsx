import { mailLogin } from '@guildhall/wire/auth/mail.ts'
import { registerName } from '@guildhall/wire/auth/name.ts'
import { WAYS } from '@guildhall/wire/auth/ways.ts'
import type { InviteCode } from '@guildhall/wire/id.ts'
import { nameProblem } from '@guildhall/wire/user/name.ts'
import { readName } from '@guildhall/wire/words.ts'
import { type ReactNode, useState } from 'react'
import { copyText } from '../../kit/browser/clipboard.ts'
import type { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { useCall } from '../../kit/useCall.ts'
import { sourceHeaders } from '../../native/openApp/source.ts'
import { Button } from '../../ui/Button.tsx'
import { Agreement } from '../../ui/form/Agreement.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { toast } from '../../ui/overlay/Toast.tsx'
import { isLoggedIn, saveSession } from '../auth.ts'
import styles from '../LoginScreen.module.css'
import { NewPasswordFields, type NewPasswordName, useNewPassword } from '../newPassword.tsx'
import { Tabs } from '../Tabs.tsx'
import { MailCodeFields, useMailCode } from './MailCode.tsx'
import { useWay } from './useWay.ts'
import { wayText } from './wayText.ts'

/** Shows why what follows a registration failed. */
type Refused = (failure: CallFailure) => void

interface Registering {
  readonly code: InviteCode
  /** Names the countdown of the code button. */
  readonly page: string
  readonly submit: string
  /** What follows the registration is under way. */
  readonly busy?: boolean
  /** Further ways, below the button. */
  readonly children?: ReactNode
  /** Does what follows. */
  readonly onRegistered: (refused: Refused) => void
  /** The invite cannot be used any more. */
  readonly onInvalid?: Refused
}

/** Says that the invite cannot be used any more, where that is why, else what `refused` says. */
const orInvalid =
  ({ onInvalid }: Registering, refused: (failure: CallFailure) => unknown): Refused =>
  (failure) => {
    if (onInvalid && failure.name.startsWith('invite.')) onInvalid(failure)
    else refused(failure)
  }

const Below = ({ children }: { children: ReactNode }) => (
  <>
    {children}
    <Agreement />
  </>
)

/** The ways to register that are on, of which one is shown. `sms`: that by a number. */
export default function WaysRegister({ sms, ...rest }: Registering & { readonly sms: ReactNode }) {
  const t = useText(wayText)
  const { ways, way, choose } = useWay(WAYS)
  return (
    <>
      {ways.length > 1 && way && (
        <Tabs
          id="register"
          label={t.ways}
          tabs={ways.map((each) => [each, t[each]])}
          chosen={way}
          onChange={choose}
        />
      )}
      <div
        id="register-form"
        {...(ways.length > 1 && { role: 'tabpanel', 'aria-labelledby': `register-${way}` })}
      >
        {way === 'email' ? <MailRegister {...rest} /> : way === 'invite' ? <NameRegister {...rest} /> : sms}
      </div>
    </>
  )
}

function MailRegister(props: Registering) {
  const t = useText(wayText)
  const form = useForm(['address', 'code'])
  const typed = useMailCode(props.page)
  const register = useCall(mailLogin, sourceHeaders)
  const submit = async () => {
    if (!form.show(isLoggedIn() ? {} : typed.missing)) return
    if (!isLoggedIn()) {
      const { address, code } = typed
      const input = { address, code, remember: true, invite_code: props.code }
      const session = await register.run(input, orInvalid(props, form.refused))
      if (!session) return
      saveSession(session)
    }
    props.onRegistered(orInvalid(props, form.refused))
  }
  return (
    <Form
      form={form}
      button={props.submit}
      busy={register.status === 'busy' || props.busy === true}
      onSubmit={() => void submit()}
      below={<Below>{props.children}</Below>}
    >
      <p className={styles.registerWhy}>{t.mailWhy}</p>
      <MailCodeFields of={typed} form={form} type="invite-h5" onFailure={form.refused} />
    </Form>
  )
}

function NameRegister(props: Registering) {
  const t = useText(wayText)
  const form = useForm<NewPasswordName | 'username'>(['username', 'password'])
  const [username, setUsername] = useState('')
  const [loginName, setLoginName] = useState('')
  const password = useNewPassword()
  const register = useCall(registerName, sourceHeaders)
  const busy = register.status === 'busy' || props.busy === true
  const submit = async () => {
    if (isLoggedIn()) return props.onRegistered(orInvalid(props, form.refused))
    const problem = nameProblem(readName(username))
    const wrong = problem && {
      username: problem === 'user.name_required' ? t.usernameRequired : t.usernameWrong,
    }
    if (!form.show({ ...wrong, ...password.missing })) return
    const input = { username, password: password.value, invite_code: props.code, remember: true }
    const session = await register.run(input, orInvalid(props, form.refused))
    if (!session) return
    saveSession(session)
    setLoginName(`${session.user.username}#${session.user.identify_num}`)
  }
  if (loginName !== '')
    return (
      <Form
        form={form}
        button={t.goOn}
        busy={busy}
        onSubmit={() => props.onRegistered(orInvalid(props, form.refused))}
        below={
          <Button
            kind="plain"
            onPress={async () => {
              if (await copyText(loginName)) toast(t.copied)
            }}
          >
            {t.copy}
          </Button>
        }
      >
        <div role="status">
          <p className={styles.registerWhy}>{t.yours}</p>
          <p className={styles.loginName}>{loginName}</p>
          <p className={styles.registerWhy}>{t.yoursWhy}</p>
        </div>
      </Form>
    )
  return (
    <Form
      form={form}
      button={props.submit}
      busy={busy}
      onSubmit={() => void submit()}
      below={<Below>{props.children}</Below>}
    >
      <p className={styles.registerWhy}>{t.nameWhy}</p>
      <Field
        label={t.username}
        name="username"
        autoComplete="username"
        maxLength={30}
        autoFocus
        value={username}
        onChange={setUsername}
        error={form.errors.username}
      />
      <NewPasswordFields of={password} errors={form.errors} />
    </Form>
  )
}
