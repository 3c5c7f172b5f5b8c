import './landing.css'
import { isInviteCode } from '@guildhall/wire/id.ts'
import { type Referral, referral, shortName, viewReferral } from '@guildhall/wire/invite/referral.ts'
import { landingReferral, withoutReferral } from '@guildhall/wire/invite/referralLanding.ts'
import { referralText } from '@guildhall/wire/invite/referralText.ts'
import { drawnGround } from '@guildhall/wire/user/letter.ts'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { isLoggedIn } from '../auth/auth.ts'
import { forceTheme } from '../kit/browser/theme.ts'
import { CallFailure, call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { cache } from '../kit/routeQuery.ts'
import { text as common } from '../kit/text.ts'
import { isAppOffered } from '../native/openApp/appOffer.ts'
import { openAppAt, prepareApp } from '../native/openApp/openLater.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { usePageTitle } from '../ui/page/usePageTitle.ts'
import { landingButton, landingFactory, landingFrame, landingProblem, landingText } from './InviteScreen.tsx'
import { forgetInviteCode, keepInviteCode } from './inviteCodeStorage.ts'
import { RegisterForm } from './RegisterSheet.tsx'
import { readBoot } from './serverData.ts'
import styles from './UserInviteScreen.module.css'
import { UserInviteSkeleton } from './UserInviteSkeleton.tsx'
import { text } from './userInviteText.ts'

/** How long the look-up waits after the code has changed, ms. chat.md §9. */
const LOOK_UP_AFTER_MS = 500

type View =
  | { readonly status: 'loading' }
  | { readonly status: 'valid'; readonly referral: Referral }
  | { readonly status: 'invalid' }
  | { readonly status: 'failed'; readonly message: string }

/**
 * /user-invite/:code: registers somebody whom a user invites. chat.md §2 "Personal invite registration page".
 */
export default function UserInviteScreen() {
  const { code = '' } = useParams()
  return <UserInvite key={code} code={code} />
}

function UserInvite({ code }: { code: string }) {
  const l = useText(landingText)
  const r = useText(referralText)
  const c = useText(common)
  const [view, retry] = useReferral(code)
  const title = r.headline(view.status === 'valid' ? shortName(view.referral.inviter.username) : '')
  usePageTitle(view.status === 'valid' ? title : null)

  useEffect(() => forceTheme('dark'), [])

  const state = view.status === 'valid' ? 'person' : view.status
  const frame = (backdrop: string, ...main: ReactNode[]) =>
    landingFrame(landingFactory, l, { state, backdrop, action: null }, ...main)
  if (view.status === 'loading') return frame('', <UserInviteSkeleton />)
  if (view.status === 'failed')
    return frame(
      '',
      ...landingProblem(landingFactory, view.message, c.networkWhy),
      landingButton(landingFactory, c.retry, { onClick: retry }),
    )
  if (view.status === 'invalid')
    return frame(
      '',
      ...landingProblem(landingFactory, l.invalid, l.invalidWhy),
      withoutReferral(landingFactory, r.withoutInvite),
    )
  const { username: name, avatar } = view.referral.inviter
  return frame(
    drawnGround(avatar) ? '' : avatar,
    ...landingReferral(landingFactory, { name, avatar, headline: title }),
    <div className={styles.form}>
      <Register referral={view.referral} />
    </div>,
  )
}

/** The form and, after it, the dialog; for somebody who is logged in, the way on. */
function Register({ referral: { inviter, user_invite_code: code } }: { referral: Referral }) {
  const t = useText(text)
  const navigate = useNavigate()
  const [isKnown] = useState(isLoggedIn)
  const [isDone, setDone] = useState(false)
  // Where there is no app for this device, the page itself is it.
  const [isOffered] = useState(isAppOffered)
  useEffect(() => {
    if (isKnown) return
    void keepInviteCode(code)
    if (isOffered) prepareApp()
  }, [isKnown, code, isOffered])
  const enter = () => void navigate(paths.channels(), { replace: true })
  const download = () => {
    const path = `/user-invite/${encodeURIComponent(code)}`
    // Back in the store leads into the page.
    enter()
    void openAppAt(path, location.origin + path)
  }

  if (isKnown)
    return (
      <>
        <p className={styles.known}>{t.loggedIn}</p>
        <Link className={buttonClass('main', true)} to={paths.channels()}>
          {t.enter}
        </Link>
      </>
    )
  return (
    <>
      <RegisterForm
        code={code}
        page="user-invite"
        why={t.why}
        submit={t.accept}
        onRegistered={() => {
          forgetInviteCode()
          cache.clear()
          setDone(true)
        }}
      />
      {isDone && (
        <Dialog
          title={t.success}
          message={t.accepted(inviter.username)}
          confirm={isOffered ? t.download : t.enter}
          onClose={enter}
          {...(isOffered && { cancel: t.enter, onConfirm: download })}
        />
      )}
    </>
  )
}

/** Whose code it is, at first as the server wrote it into the page, and how to look it up again. */
function useReferral(code: string) {
  const [view, setView] = useState<View>(() => firstView(code))
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (!isInviteCode(code)) return
    const leaving = new AbortController()
    const timer = setTimeout(
      () =>
        call(viewReferral, { code }, { signal: leaving.signal }).then(
          (it) => setView({ status: 'valid', referral: it }),
          (error: unknown) => {
            if (leaving.signal.aborted) return
            // What the server wrote stays readable when only the page's own request fails.
            setView((now) => viewAfter(error, now))
          },
        ),
      tries === 0 ? LOOK_UP_AFTER_MS : 0,
    )
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [code, tries])
  const retry = useCallback(() => {
    setView({ status: 'loading' })
    setTries((now) => now + 1)
  }, [])
  return [view, retry] as const
}

function viewAfter(error: unknown, now: View): View {
  const failure = error instanceof CallFailure ? error : new CallFailure('bad_answer', String(error))
  if (failure.name === 'referral.invalid' || failure.name === 'bad_input') return { status: 'invalid' }
  return now.status === 'valid' ? now : { status: 'failed', message: failure.message }
}

function firstView(code: string): View {
  if (!isInviteCode(code)) return { status: 'invalid' }
  const boot = readBoot(code)
  if (boot === null) return { status: 'loading' }
  const parsed = referral.safeParse('referral' in boot ? boot.referral : null)
  if (parsed.success) return { status: 'valid', referral: parsed.data }
  return 'failure' in boot ? { status: 'invalid' } : { status: 'loading' }
}
