import { splitName } from '@guildhall/wire/auth/address.ts'
import type { Session } from '@guildhall/wire/auth/auth.ts'
import { mailLogin } from '@guildhall/wire/auth/mail.ts'
import { nameLogin } from '@guildhall/wire/auth/name.ts'
import { WAYS, type Way } from '@guildhall/wire/auth/ways.ts'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { useCall } from '../../kit/useCall.ts'
import { sourceHeaders } from '../../native/openApp/source.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { type FormState, useForm } from '../../ui/form/useForm.ts'
import { PasswordField } from '../fields.tsx'
import styles from '../LoginScreen.module.css'
import { Tabs } from '../Tabs.tsx'
import { text } from '../text.ts'
import { MailCodeFields, useMailCode } from './MailCode.tsx'
import { useWay } from './useWay.ts'
import { wayText } from './wayText.ts'

interface Entering {
  readonly proceed: (session: Session) => Promise<void>
  readonly proceeding: boolean
}

/** Those by which a new account can be made here; by a name one registers with an invite. */
const NEW_WAYS = ['sms', 'email'] as const

/** The ways to log in that are on, of which one is shown. `sms`: that by a number; `isNew`: to register. */
export default function WaysLogin({
  sms,
  isNew,
  ...entering
}: Entering & { sms: ReactNode; isNew: boolean }) {
  const t = useText(wayText)
  const { ways, way, choose } = useWay<Way>(isNew ? NEW_WAYS : WAYS)
  return (
    <>
      {ways.length > 1 && way && (
        <Tabs
          id="way"
          label={isNew ? t.newWays : t.ways}
          tabs={ways.map((each) => [each, t[each]])}
          chosen={way}
          onChange={choose}
        />
      )}
      <div id="way-form" {...(ways.length > 1 && { role: 'tabpanel', 'aria-labelledby': `way-${way}` })}>
        {way === 'email' ? (
          <ByMail isNew={isNew} {...entering} />
        ) : way === 'invite' ? (
          <NameLogin {...entering} />
        ) : (
          sms
        )}
      </div>
    </>
  )
}

/** By an address: with a code, which also makes an account, or with a password. */
function ByMail({ isNew, ...entering }: Entering & { isNew: boolean }) {
  const t = useText(text)
  const tWay = useText(wayText)
  const form = useForm(['address', 'code', 'password'])
  const [method, setMethod] = useState<'code' | 'password'>('code')
  if (isNew)
    return (
      <>
        <p className={styles.why}>{tWay.newcomer}</p>
        <MailForm form={form} method="code" button={t.register} {...entering} />
      </>
    )
  return (
    <>
      <Tabs
        id="login"
        label={t.way}
        tabs={[
          ['code', t.codeLogin],
          ['password', t.passwordLogin],
        ]}
        chosen={method}
        onChange={(next) => {
          setMethod(next)
          form.show({})
        }}
      />
      <div id="login-form" role="tabpanel" aria-labelledby={`login-${method}`}>
        <MailForm form={form} method={method} button={t.login} {...entering} />
      </div>
      {method === 'code' && <p className={styles.newcomer}>{tWay.newcomer}</p>}
    </>
  )
}

function MailForm(
  props: {
    form: FormState<'address' | 'code' | 'password'>
    method: 'code' | 'password'
    button: string
  } & Entering,
) {
  const t = useText(text)
  const { form } = props
  const typed = useMailCode('login')
  const [password, setPassword] = useState('')
  const login = useCall(mailLogin, sourceHeaders)
  const isByPassword = props.method === 'password'

  const submit = async () => {
    const noPassword = password === '' ? { password: t.passwordRequired } : {}
    if (!form.show(isByPassword ? { ...typed.wrong, ...noPassword } : typed.missing)) return
    const proof = isByPassword ? { password } : { code: typed.code }
    const session = await login.run({ address: typed.address, remember: true, ...proof }, form.refused)
    if (session) await props.proceed(session)
  }
  return (
    <Form
      form={form}
      button={props.button}
      busy={login.status === 'busy' || props.proceeding}
      onSubmit={() => void submit()}
    >
      <MailCodeFields of={typed} form={form} type={isByPassword ? null : 'login'} onFailure={form.refused} />
      {isByPassword && (
        <>
          <Password value={password} onChange={setPassword} error={form.errors.password} />
          <Link
            className={`${buttonClass('plain')} ${styles.forgot}`}
            to={paths.forgot()}
            state={{ login: true }}
          >
            {t.forgot}
          </Link>
        </>
      )}
    </Form>
  )
}

function NameLogin({ proceed, proceeding }: Entering) {
  const t = useText(text)
  const tWay = useText(wayText)
  const form = useForm(['name', 'password'])
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const login = useCall(nameLogin)

  const submit = async () => {
    const wrong = {
      ...(splitName(name) ? {} : { name: tWay.nameRequired }),
      ...(password === '' ? { password: t.passwordRequired } : {}),
    }
    if (!form.show(wrong)) return
    const session = await login.run({ name, password, remember: true }, form.refused)
    if (session) await proceed(session)
  }
  return (
    <>
      <Form
        className={styles.bind}
        form={form}
        button={t.login}
        busy={login.status === 'busy' || proceeding}
        onSubmit={() => void submit()}
      >
        <Field
          label={tWay.name}
          name="username"
          autoComplete="username"
          placeholder={tWay.nameHint}
          maxLength={64}
          autoFocus
          value={name}
          onChange={setName}
          error={form.errors.name}
        />
        <Password value={password} onChange={setPassword} error={form.errors.password} />
      </Form>
      <p className={styles.newcomer}>{tWay.byInvite}</p>
      <p className={styles.newcomer}>{tWay.askOperator}</p>
    </>
  )
}

function Password(props: { value: string; onChange: (value: string) => void; error: string | undefined }) {
  const t = useText(text)
  const [shown, setShown] = useState(false)
  return (
    <PasswordField
      {...props}
      label={t.password}
      name="password"
      kind="current-password"
      shown={shown}
      onShown={setShown}
    />
  )
}
