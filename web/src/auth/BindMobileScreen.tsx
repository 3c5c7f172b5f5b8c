import { thirdPartBindMobile } from '@guildhall/wire/auth/thirdParty.ts'
import { foldDigits } from '@guildhall/wire/typed.ts'
import { useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { safeRedir } from '../kit/redir.ts'
import { readStored, type Stored, writeStored } from '../kit/storage.ts'
import { useCall } from '../kit/useCall.ts'
import { sourceHeaders } from '../native/source.ts'
import { Agreement } from '../ui/Agreement.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import fieldStyles from '../ui/Field.module.css'
import { Field } from '../ui/Field.tsx'
import { MobileField, useCountry } from '../ui/MobileField.tsx'
import { Page } from '../ui/Page.tsx'
import { SmsCodeButton } from '../ui/SmsCodeButton.tsx'
import { mobileOfCode } from '../ui/smsCodeCountdown.ts'
import { toast } from '../ui/Toast.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import { useFirstWrong } from '../ui/useFirstWrong.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { mobileErrorText } from './auth.ts'
import { errorsOf } from './formErrors.ts'
import styles from './LoginScreen.module.css'
import { text } from './text.ts'
import { thirdPartyText } from './thirdPartyText.ts'
import { type AcceptInvite, useProceed } from './useProceed.ts'

type Errors = Partial<Record<'mobile' | 'code', string>>

/**
 * /bindmobile: binds an account at a third party to a number. Without one it leads to the login. chat.md §2,
 * §4, §5.
 */
export default function BindMobileScreen({ acceptInvite }: { acceptInvite: AcceptInvite }) {
  const { search } = useLocation()
  const [info] = useState(() => readStored('bind_info'))
  if (!info) return <Navigate to={paths.login(redirIn(search))} replace />
  return <BindForm info={info} acceptInvite={acceptInvite} />
}

const redirIn = (search: string): string | undefined =>
  safeRedir(new URLSearchParams(search).get('redir')) ?? undefined

function BindForm({ info, acceptInvite }: { info: Stored['bind_info']; acceptInvite: AcceptInvite }) {
  const t = useText(thirdPartyText)
  const tForm = useText(text)
  const navigate = useNavigate()
  const { search } = useLocation()
  const [country, setCountry] = useCountry()
  const [mobile, setMobile] = useState(() => mobileOfCode('bindmobile'))
  const [code, setCode] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState('')
  const [asks, setAsks] = useState(false)
  const form = useFirstWrong(errors)
  const { proceed, proceeding } = useProceed(acceptInvite)
  const bind = useCall(thirdPartBindMobile, sourceHeaders)
  const busy = bind.status === 'busy' || proceeding
  const toLogin = () => void navigate(paths.login(redirIn(search)), { replace: true })

  usePageTitle(t.title)

  const mobileError = () => mobileErrorText(country.code, mobile, t)
  const refused = (failure: CallFailure) => {
    if (failure.name === 'auth.bind_other') return setAsks(true)
    if (failure.name === 'auth.bind_expired') {
      writeStored('bind_info', null)
      toast(failure.message)
      return toLogin()
    }
    const found = errorsOf(failure, ['mobile', 'code'], tForm)
    setErrors(found.errors)
    setProblem(found.problem)
  }
  const check = () => {
    const wrong = mobileError()
    setErrors(wrong ? { mobile: wrong } : {})
    return !wrong
  }
  const submit = async (replace: boolean) => {
    if (busy) return
    setProblem('')
    setAsks(false)
    const wrong = mobileError()
    const found: Errors = { ...(wrong && { mobile: wrong }), ...(code === '' && { code: t.codeRequired }) }
    setErrors(found)
    if (Object.keys(found).length > 0) return
    const number = { mobile, mobile_prefix: country.code, code }
    const session = await bind.run({ bind_info: info.bind_info, ...number, remember: true, replace }, refused)
    if (!session) return
    writeStored('bind_info', null)
    await proceed(session)
  }

  return (
    <Page>
      <TopBar title={t.title} onBack={toLogin} />
      <main className={styles.login}>
        <p className={styles.who}>{t.who(t[info.token_type], info.nickname)}</p>
        <p className={styles.joining}>{t.why}</p>
        <form
          className={`${styles.form} ${styles.bind}`}
          noValidate
          ref={form}
          onSubmit={(event) => {
            event.preventDefault()
            void submit(false)
          }}
        >
          <MobileField
            label={t.mobile}
            value={mobile}
            onChange={setMobile}
            country={country}
            onCountry={setCountry}
            error={errors.mobile}
          />
          <Field
            label={t.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={code}
            read={foldDigits}
            onChange={setCode}
            error={errors.code}
            after={
              <SmsCodeButton
                page="bindmobile"
                type="login"
                mobile={mobile}
                prefix={country.code}
                check={check}
                onFailure={refused}
              />
            }
          />
          <p className={fieldStyles.formProblem} role="alert">
            {problem}
          </p>
          <Button block busy={busy} type="submit">
            {t.bind}
          </Button>
        </form>
        <Agreement className={styles.agreement} />
      </main>
      {asks && (
        <Dialog
          title={t.promptTitle}
          message={t.prompt}
          confirm={t.goOn}
          onConfirm={() => void submit(true)}
          onClose={() => setAsks(false)}
        />
      )}
    </Page>
  )
}
