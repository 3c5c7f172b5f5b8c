import { login, verifyCodeLogin } from '@guildhall/wire/auth/login.ts'
import { hasOtherWays } from '@guildhall/wire/auth/otherWays.ts'
import { asksProof, waysIn } from '@guildhall/wire/auth/ways.ts'
import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { readStored } from '../kit/browser/storage.ts'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { paths } from '../kit/paths.ts'
import { useCall } from '../kit/useCall.ts'
import { sourceHeaders } from '../native/openApp/source.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Agreement } from '../ui/form/Agreement.tsx'
import { Form } from '../ui/form/Form.tsx'
import { MobileCodeFields, useMobileCode } from '../ui/form/MobileCode.tsx'
import type { FormState } from '../ui/form/useForm.ts'
import { toast } from '../ui/overlay/Toast.tsx'
import { Page } from '../ui/page/Page.tsx'
import { TopBar } from '../ui/page/TopBar.tsx'
import { usePageTitle } from '../ui/page/usePageTitle.ts'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import pageStyles from './FormPage.module.css'
import { PasswordField } from './fields.tsx'
import styles from './LoginScreen.module.css'
import { Tabs } from './Tabs.tsx'
import { text } from './text.ts'
import { ThirdPartyLinks } from './thirdParty/ThirdPartyLinks.tsx'
import { readReturn } from './thirdParty/thirdPartyReturn.ts'
import { useAuthForm } from './useAuthForm.ts'
import { type AcceptInvite, useProceed } from './useProceed.ts'

const WaysLogin = lazy(() => loadPart(() => import('./ways/WaysLogin.tsx')))
const ThirdPartyReturn = lazy(() => loadPart(() => import('./thirdParty/ThirdPartyReturn.tsx')))

type Method = 'password' | 'code'
type LoginForm = FormState<'mobile' | 'password' | 'code'>

/** Whoever chose to register at the start page: the first code makes the account, where codes are sent. */
const isRegistering = (search: string): boolean =>
  new URLSearchParams(search).has('register') && asksProof(waysIn(document.cookie))

function withoutRegistering(search: string): string {
  const query = new URLSearchParams(search)
  query.delete('register')
  return query.toString()
}

/**
 * /login: by password, by code, or by a third party, whose answer comes back to this address. `acceptInvite`
 * joins the guild of an invite that was accepted before logging in. chat.md §2 "Login page", §4 "Login flow",
 * §5 "Login".
 */
export default function LoginScreen({ acceptInvite }: { acceptInvite: AcceptInvite }) {
  const t = useText(text)
  const [returned, setReturned] = useState(() => readReturn(location.search))
  const form = useAuthForm(['mobile', 'password', 'code'], t)
  const { proceed, proceeding } = useProceed(acceptInvite)

  const isNew = isRegistering(useLocation().search)
  usePageTitle(isNew ? t.register : t.title)

  if (!returned) return <Methods form={form} proceed={proceed} proceeding={proceeding} />
  return (
    <Suspense
      fallback={
        <Page>
          <LoadingState page />
        </Page>
      }
    >
      <ThirdPartyReturn
        returned={returned}
        proceed={proceed}
        onProblem={(message) => {
          setReturned(null)
          form.show({}, message)
          toast(message)
        }}
      />
    </Suspense>
  )
}

function Methods({ form, proceed, proceeding }: { form: LoginForm } & ReturnType<typeof useProceed>) {
  const t = useText(text)
  const navigate = useNavigate()
  const { search } = useLocation()
  const isNew = isRegistering(search)
  const [hasOthers] = useState(() => hasOtherWays(document.cookie))
  const bySms = <BySms form={form} proceed={proceed} proceeding={proceeding} />
  return (
    <Page>
      <TopBar title={isNew ? t.register : t.title} onBack={() => void navigate(paths.home())} />
      <main className={`${pageStyles.page} ${styles.login}`}>
        <img className={styles.logo} src="/logo.svg" alt="" />
        <p className={styles.welcome}>{isNew ? t.first : t.welcome}</p>
        {readStored('pending_join') && <p className={styles.joining}>{t.joining}</p>}
        {hasOthers ? (
          <Suspense fallback={<LoadingState />}>
            <WaysLogin sms={bySms} isNew={isNew} proceed={proceed} proceeding={proceeding} />
          </Suspense>
        ) : (
          bySms
        )}
        {isNew && (
          <Link className={buttonClass('plain', true)} to={{ search: withoutRegistering(search) }} replace>
            {t.haveAccount}
          </Link>
        )}
        <ThirdPartyLinks />
        <Agreement className={styles.agreement} />
      </main>
    </Page>
  )
}

/** By a number: with a code, which also makes an account, or with a password. */
function BySms(props: { form: LoginForm } & ReturnType<typeof useProceed>) {
  const t = useText(text)
  const navigate = useNavigate()
  const { state, search } = useLocation()
  // In the history entry, so that whoever comes back finds the way they had chosen.
  const [way, setWay] = useState<Method>(state?.way === 'password' ? 'password' : 'code')
  if (isRegistering(search))
    return (
      <>
        <p className={styles.why}>{t.newcomer}</p>
        <MethodForm way="code" button={t.register} {...props} />
      </>
    )
  const choose = (method: Method) => {
    setWay(method)
    void navigate({ search }, { replace: true, state: { ...state, way: method } })
    props.form.show({})
  }
  return (
    <>
      <Tabs
        id="login"
        label={t.way}
        tabs={[
          ['code', t.codeLogin],
          ['password', t.passwordLogin],
        ]}
        chosen={way}
        onChange={choose}
      />
      <div id="login-form" role="tabpanel" aria-labelledby={`login-${way}`}>
        <MethodForm way={way} button={t.login} {...props} />
      </div>
      {way === 'code' && <p className={styles.newcomer}>{t.newcomer}</p>}
    </>
  )
}

function MethodForm(props: { way: Method; button: string; form: LoginForm } & ReturnType<typeof useProceed>) {
  const { way, form, proceed, proceeding } = props
  const t = useText(text)
  const typed = useMobileCode('login', t)
  const [password, setPassword] = useState('')
  const [shown, setShown] = useState(false)
  const byPassword = useCall(login)
  const byCode = useCall(verifyCodeLogin, sourceHeaders)
  const isByPassword = way === 'password'

  // chat.md §8; it stays above the button, because a toast is gone soon.
  const refused = (failure: CallFailure) => toast(form.refused(failure))
  const submit = async () => {
    const noPassword = password === '' ? { password: t.passwordRequired } : {}
    if (!form.show(isByPassword ? { ...typed.wrong, ...noPassword } : typed.missing)) return
    const who = { ...typed.number, remember: true }
    const session = isByPassword
      ? await byPassword.run({ ...who, password }, refused)
      : await byCode.run({ ...who, code: typed.code }, refused)
    if (session) await proceed(session)
  }
  return (
    <Form
      form={form}
      button={props.button}
      busy={byPassword.status === 'busy' || byCode.status === 'busy' || proceeding}
      isToasted
      onSubmit={() => void submit()}
    >
      <MobileCodeFields
        of={typed}
        form={form}
        type={isByPassword ? null : 'login'}
        autoComplete={isByPassword ? 'username' : undefined}
        onFailure={refused}
      />
      {isByPassword && (
        <>
          <PasswordField
            label={t.password}
            name="password"
            kind="current-password"
            shown={shown}
            onShown={setShown}
            value={password}
            onChange={setPassword}
            error={form.errors.password}
          />
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
