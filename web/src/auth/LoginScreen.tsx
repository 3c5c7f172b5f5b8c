import { login, verifyCodeLogin } from '@guildhall/wire/auth/login.ts'
import { lazy, Suspense, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { loadPart } from '../kit/lazyPart.ts'
import { FROM_LOGIN, paths } from '../kit/paths.ts'
import { readStored } from '../kit/storage.ts'
import { useCall } from '../kit/useCall.ts'
import { sourceHeaders } from '../native/source.ts'
import { Agreement } from '../ui/Agreement.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import fieldStyles from '../ui/Field.module.css'
import { LoadingState } from '../ui/LoadingState.tsx'
import { MobileField, useCountry } from '../ui/MobileField.tsx'
import { Page } from '../ui/Page.tsx'
import { mobileOfCode } from '../ui/smsCodeCountdown.ts'
import { toast } from '../ui/Toast.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import { useFirstWrong } from '../ui/useFirstWrong.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { mobileErrorText } from './auth.ts'
import { CodeField, PasswordField } from './fields.tsx'
import { errorsOf } from './formErrors.ts'
import styles from './LoginScreen.module.css'
import { ThirdPartyLinks } from './ThirdPartyLinks.tsx'
import { text } from './text.ts'
import { readReturn } from './thirdPartyReturn.ts'
import { type AcceptInvite, useProceed } from './useProceed.ts'

const ThirdPartyReturn = lazy(() => loadPart(() => import('./ThirdPartyReturn.tsx')))

type Method = 'password' | 'code'
type Errors = Partial<Record<'mobile' | 'password' | 'code', string>>

/**
 * /login: by password, by code, or by a third party, whose answer comes back to this address. `acceptInvite`
 * joins the guild of an invite that was accepted before logging in. chat.md §2 "Login page", §4 "Login flow",
 * §5 "Login".
 */
export default function LoginScreen({ acceptInvite }: { acceptInvite: AcceptInvite }) {
  const t = useText(text)
  const navigate = useNavigate()
  const { state, search } = useLocation()
  // In the history entry, so that whoever comes back finds the way they had chosen.
  const [way, setWay] = useState<Method>(state?.way === 'password' ? 'password' : 'code')
  const [country, setCountry] = useCountry()
  const [mobile, setMobile] = useState(() => mobileOfCode('login'))
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [shown, setShown] = useState(false)
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState('')
  const [returned, setReturned] = useState(() => readReturn(location.search))
  const form = useFirstWrong(errors)
  const { proceed, proceeding } = useProceed(acceptInvite)
  const byPassword = useCall(login)
  const byCode = useCall(verifyCodeLogin, sourceHeaders)
  const busy = byPassword.status === 'busy' || byCode.status === 'busy' || proceeding
  const pending = readStored('pending_join')

  usePageTitle(t.title)

  // chat.md §8; it stays above the button, because a toast is gone soon.
  const say = (message: string) => {
    setProblem(message)
    if (message) toast(message)
  }
  const mobileError = () => mobileErrorText(country.code, mobile, t)
  const refused = (failure: CallFailure) => {
    const found = errorsOf(failure, ['mobile', 'password', 'code'], t)
    setErrors(found.errors)
    say(found.problem)
  }
  const check = () => {
    const wrong = mobileError()
    setErrors(wrong ? { mobile: wrong } : {})
    return !wrong
  }

  const submit = async () => {
    if (busy) return
    setProblem('')
    const found = missingIn({ way, wrong: mobileError(), password, code }, t)
    setErrors(found)
    if (Object.keys(found).length > 0) return
    const who = { mobile, mobile_prefix: country.code, remember: true }
    const session =
      way === 'password'
        ? await byPassword.run({ ...who, password }, refused)
        : await byCode.run({ ...who, code }, refused)
    if (session) await proceed(session)
  }

  if (returned)
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
            say(message)
          }}
        />
      </Suspense>
    )
  return (
    <Page>
      <TopBar title={t.title} onBack={() => void navigate(paths.home())} />
      <main className={styles.login}>
        <img className={styles.logo} src="/logo.svg" alt="" />
        <p className={styles.welcome}>{t.welcome}</p>
        {pending && <p className={styles.joining}>{t.joining}</p>}
        <MethodTabs
          method={way}
          onChange={(method) => {
            setWay(method)
            void navigate({ search }, { replace: true, state: { ...state, way: method } })
            setErrors({})
            setProblem('')
          }}
        />
        <div id="login-form" role="tabpanel" aria-labelledby={`login-${way}`}>
          <form
            className={styles.form}
            noValidate
            ref={form}
            onSubmit={(event) => {
              event.preventDefault()
              void submit()
            }}
          >
            <MobileField
              label={t.mobile}
              value={mobile}
              onChange={setMobile}
              country={country}
              onCountry={setCountry}
              error={errors.mobile}
              {...(way === 'password' && { autoComplete: 'username' })}
            />
            {way === 'password' ? (
              <>
                <PasswordField
                  label={t.password}
                  name="password"
                  kind="current-password"
                  shown={shown}
                  onShown={setShown}
                  value={password}
                  onChange={setPassword}
                  error={errors.password}
                />
                <Link
                  className={`${buttonClass('plain')} ${styles.forgot}`}
                  to={paths.forgot()}
                  state={FROM_LOGIN}
                >
                  {t.forgot}
                </Link>
              </>
            ) : (
              <CodeField
                value={code}
                onChange={setCode}
                error={errors.code}
                page="login"
                type="login"
                mobile={mobile}
                prefix={country.code}
                check={check}
                onFailure={refused}
              />
            )}
            <p className={fieldStyles.formProblem}>{problem}</p>
            <Button block busy={busy} type="submit">
              {t.login}
            </Button>
          </form>
        </div>
        {way === 'code' && <p className={styles.newcomer}>{t.newcomer}</p>}
        <ThirdPartyLinks />
        <Agreement className={styles.agreement} />
      </main>
    </Page>
  )
}

function MethodTabs({ method, onChange }: { method: Method; onChange: (method: Method) => void }) {
  const t = useText(text)
  return (
    <div className={styles.ways} role="tablist" aria-label={t.way}>
      {(['code', 'password'] as const).map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`login-${each}`}
          aria-controls="login-form"
          aria-selected={method === each}
          className={styles.way}
          onClick={() => onChange(each)}
        >
          {each === 'code' ? t.codeLogin : t.passwordLogin}
        </button>
      ))}
    </div>
  )
}

/** What a form that is sent lacks, by field. chat.md §5 "Login". */
function missingIn(
  it: { way: Method; wrong: string | null | undefined; password: string; code: string },
  t: (typeof text)['zh-CN'],
): Errors {
  return {
    ...(it.wrong && { mobile: it.wrong }),
    ...(it.way === 'password' && it.password === '' && { password: t.passwordRequired }),
    ...(it.way === 'code' && it.code === '' && { code: t.codeRequired }),
  }
}
