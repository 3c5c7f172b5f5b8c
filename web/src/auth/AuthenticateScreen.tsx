import { userState } from '@guildhall/wire/auth/login.ts'
import { updateSelf, verifyMobile } from '@guildhall/wire/auth/owner.ts'
import { foldCode } from '@guildhall/wire/typed.ts'
import { useEffect, useRef, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { safeRedir } from '../kit/redir.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Field } from '../ui/Field.tsx'
import { LoadingState } from '../ui/LoadingState.tsx'
import { leaveLayers } from '../ui/layers.ts'
import { MobileField, useCountry } from '../ui/MobileField.tsx'
import { Page } from '../ui/Page.tsx'
import { mobileOfCode } from '../ui/smsCodeCountdown.ts'
import { toast } from '../ui/Toast.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import { useFirstWrong } from '../ui/useFirstWrong.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { isLoggedIn, mobileErrorText } from './auth.ts'
import { keepSelf } from './changedSelf.ts'
import { CodeField } from './fields.tsx'
import { errorsOf } from './formErrors.ts'
import {
  type NewPasswordErrors,
  NewPasswordFields,
  newPasswordErrors,
  useNewPasswordText,
} from './newPassword.tsx'
import { OwnerForm } from './OwnerForm.tsx'
import { ownerText } from './ownerText.ts'
import { text } from './text.ts'

/** Reads the code of a personal invite that this device keeps. */
type KeptInviteCode = () => Promise<string | null>

/**
 * /authenticate: verifies the number, then sets a password. `keptInviteCode` fills in the invite code.
 * chat.md §2 "Authenticate page", §4 and §5.
 */
export default function AuthenticateScreen({ keptInviteCode }: { keptInviteCode: KeptInviteCode }) {
  const { pathname, search } = useLocation()
  if (!isLoggedIn()) return <Navigate to={paths.login(pathname + search)} replace />
  return <Inside keptInviteCode={keptInviteCode} />
}

function Inside({ keptInviteCode }: { keptInviteCode: KeptInviteCode }) {
  const t = useText(ownerText)
  const session = useRouteQuery(userState, {})
  const leave = useLeave()
  const [mobile, setMobile] = useState('')
  usePageTitle(t.verification)
  const { answer } = session
  const isDone = answer?.user.mobile_verified === true && answer.has_password
  useEffect(() => {
    if (isDone) leave()
  }, [isDone, leave])
  return (
    <Page>
      <TopBar title={t.verification} onBack={leave} />
      {session.status === 'failed' ? (
        <ErrorState top title={t.failed} message={session.failure.message} onRetry={session.refetch} />
      ) : !answer || isDone ? (
        <LoadingState page />
      ) : answer.user.mobile_verified ? (
        <PasswordStep
          username={mobile || answer.user.mobile}
          isNext={mobile !== ''}
          keptInviteCode={keptInviteCode}
        />
      ) : (
        <NumberStep onVerified={setMobile} />
      )}
    </Page>
  )
}

/** Leads to the `redir` of the address when it stays on this site, else back, else to the guilds; once. */
function useLeave(): () => void {
  const navigate = useNavigate()
  const { search } = useLocation()
  const latest = useRef({ navigate, search, isLeaving: false })
  Object.assign(latest.current, { navigate, search })
  const [leave] = useState(() => async () => {
    const it = latest.current
    if (it.isLeaving) return
    it.isLeaving = true
    const redir = safeRedir(new URLSearchParams(it.search).get('redir'))
    await leaveLayers()
    // These pages would lead to themselves.
    if (redir && !/^\/(?:login|authenticate)/.test(redir)) void it.navigate(redir, { replace: true })
    else if (history.state?.idx > 0) void it.navigate(-1)
    else void it.navigate(paths.channels(), { replace: true })
  })
  return leave
}

/** Step 1: the number and its code. */
function NumberStep({ onVerified }: { onVerified: (mobile: string) => void }) {
  const t = useText(ownerText)
  const tForm = useText(text)
  const [country, setCountry] = useCountry()
  const [mobile, setMobile] = useState(() => mobileOfCode('authenticate'))
  const [code, setCode] = useState('')
  const [errors, setErrors] = useState<Partial<Record<'mobile' | 'code', string>>>({})
  const [problem, setProblem] = useState('')
  const form = useFirstWrong(errors)
  const verification = useCall(verifyMobile)

  const refused = (failure: CallFailure) => {
    const found = errorsOf(failure, ['mobile', 'code'], tForm)
    setErrors(found.errors)
    setProblem(found.problem)
  }
  const mobileError = () => mobileErrorText(country.code, mobile, tForm)
  const check = () => {
    const wrong = mobileError()
    setErrors(wrong ? { mobile: wrong } : {})
    setProblem('')
    return !wrong
  }
  const submit = async () => {
    const wrong = mobileError()
    const missing = code === '' ? tForm.codeRequired : undefined
    setErrors({ ...(wrong && { mobile: wrong }), ...(missing && { code: missing }) })
    setProblem('')
    if (wrong || missing) return
    const input = { mobile: { mobile, code, mobile_prefix: country.code } }
    const answer = await verification.run(input, refused)
    if (!answer) return
    onVerified(mobile)
    keepSelf(answer)
  }
  return (
    <OwnerForm
      step={t.step(1)}
      title={t.verifyTitle}
      why={t.verifyWhy}
      problem={problem}
      button={t.verify}
      busy={verification.status === 'busy'}
      form={form}
      onSubmit={() => void submit()}
    >
      <MobileField
        label={tForm.mobile}
        value={mobile}
        onChange={setMobile}
        country={country}
        onCountry={setCountry}
        error={errors.mobile}
      />
      <CodeField
        value={code}
        onChange={setCode}
        error={errors.code}
        page="authenticate"
        type="verify"
        mobile={mobile}
        prefix={country.code}
        check={check}
        onFailure={refused}
      />
    </OwnerForm>
  )
}

/** Step 2: a password. `isNext`: after step 1, so the first field takes the focus. */
function PasswordStep(props: { username: string; isNext: boolean; keptInviteCode: KeptInviteCode }) {
  const { username, isNext, keptInviteCode } = props
  const t = useNewPasswordText()
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [inviteCode, setInviteCode] = useState('')
  const [errors, setErrors] = useState<NewPasswordErrors & { invite_code?: string }>({})
  const [problem, setProblem] = useState('')
  const form = useFirstWrong(errors)
  const update = useCall(updateSelf)

  useEffect(() => {
    let isGone = false
    void keptInviteCode().then((kept) => {
      if (kept && !isGone) setInviteCode((typed) => typed || kept)
    })
    return () => {
      isGone = true
    }
  }, [keptInviteCode])
  useEffect(() => {
    if (isNext) form.current?.querySelector<HTMLElement>('input[type=password]')?.focus()
  }, [isNext, form])
  const refused = (failure: CallFailure) => {
    const found = errorsOf(failure, ['password', 'invite_code'], t)
    setErrors(found.errors)
    setProblem(found.problem)
  }
  const submit = async () => {
    const found = newPasswordErrors(password, confirmation, t)
    setErrors(found)
    setProblem('')
    if (Object.keys(found).length > 0) return
    const answer = await update.run({ password, invite_code: inviteCode }, refused)
    if (!answer) return
    toast(t.finished)
    keepSelf(answer)
  }
  return (
    <OwnerForm
      step={t.step(2)}
      title={t.passwordTitle}
      why={t.passwordWhy}
      problem={problem}
      button={t.finish}
      busy={update.status === 'busy'}
      form={form}
      onSubmit={() => void submit()}
    >
      {/* Password managers store the password under it. */}
      <input
        type="text"
        className="unseen"
        name="username"
        autoComplete="username"
        value={username}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <NewPasswordFields
        password={password}
        confirmation={confirmation}
        onPassword={setPassword}
        onConfirmation={setConfirmation}
        errors={errors}
      />
      <Field
        label={t.inviteCode}
        name="invite-code"
        autoComplete="off"
        maxLength={32}
        read={foldCode}
        value={inviteCode}
        onChange={setInviteCode}
        error={errors.invite_code}
      />
    </OwnerForm>
  )
}
