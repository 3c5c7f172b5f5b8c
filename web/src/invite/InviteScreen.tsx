import './landing.css'
import { isInviteCode } from '@guildhall/wire/id.ts'
import { type Invite, viewInvite } from '@guildhall/wire/invite/invite.ts'
import {
  type ElementFactory,
  landingButton,
  landingFrame,
  landingHome,
  landingInvite,
  landingProblem,
} from '@guildhall/wire/invite/landing.ts'
import { landingText } from '@guildhall/wire/invite/landingText.ts'
import { drawnGround, letterGround, letters } from '@guildhall/wire/user/letter.ts'
import { createElement, lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { isLoggedIn } from '../auth/auth.ts'
import { CallFailure, call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { loadPart } from '../kit/laterPart.ts'
import { paths } from '../kit/paths.ts'
import { writeStored } from '../kit/storage.ts'
import { text as common } from '../kit/text.ts'
import { forceTheme } from '../kit/theme.ts'
import { hostOf } from '../native/host.ts'
import { leaveLayers } from '../ui/layers.ts'
import { useModal } from '../ui/useModal.ts'
import styles from './InviteScreen.module.css'
import { pathInGuild, useAcceptInvite } from './invite.ts'
import { readServerData } from './serverData.ts'
import { text } from './text.ts'

const sheet = () => import('./RegisterSheet.tsx')
const RegisterSheet = lazy(() => loadPart(sheet))

type View =
  | { status: 'loading' }
  | { status: 'valid'; invite: Invite }
  | { status: 'invalid' }
  | { status: 'network' }

/** Failures that mean that the link itself cannot be used. */
const isInvalid = (failure: CallFailure) =>
  failure.name.startsWith('invite.') || failure.name === 'bad_input' || failure.name === 'not_found'

function viewAfter(failure: CallFailure): View {
  return { status: isInvalid(failure) ? 'invalid' : 'network' }
}

/** The landing's elements, made by React where the server makes HTML. */
const reactElements: ElementFactory<ReactNode> = {
  element: (tag, props, ...children) =>
    createElement(tag, typeof props === 'string' ? { className: props } : props, ...children),
  picture: (className, src, name, id) => <Face {...{ className, src, name, id }} />,
}

/**
 * /invite/:code. Shows what the server rendered, then reads the invite again as the user who is logged in. `go` opens
 * another path of the page in place of this one, or, as a step, after it. chat.md §2 "Invite landing page" and §4 "Invite page".
 */
export function InviteScreen(props: {
  code: string
  go: (path: string, isStep?: boolean) => void
  /** Loads what comes after joining, while the user fills in the form. */
  prepare?: () => void
}) {
  const { code, prepare } = props
  const go = async (path: string, isStep?: boolean) => {
    await leaveLayers()
    props.go(path, isStep)
  }
  const t = useText(text)
  const tLanding = useText(landingText)
  const [view, retry, setView] = useInviteView(code)
  const [registering, setRegistering] = useState(false)
  const [masked, setMasked] = useState(false)
  const onAccepted = (path: string) => {
    writeStored('pending_join', null)
    void go(path)
  }
  const { isBusy, failure, accept } = useAcceptInvite(onAccepted)

  useEffect(() => forceTheme('dark'), [])

  const invite = view.status === 'valid' ? view.invite : null
  const name = invite?.guild.name
  useEffect(() => {
    if (name) document.title = `${tLanding.title(name)} · ${tLanding.product}`
  }, [name, tLanding])

  // What the tap leads to is loaded while the user reads.
  const hasInvite = invite !== null
  useEffect(() => {
    if (!hasInvite) return
    const timer = setTimeout(() => (isLoggedIn() ? prepare?.() : sheet().catch(() => undefined)), 1200)
    return () => clearTimeout(timer)
  }, [hasInvite, prepare])

  useEffect(() => {
    if (failure && isInvalid(failure)) setView(viewAfter(failure))
  }, [failure, setView])

  if (view.status !== 'valid') return <LandingWithoutInvite view={view} retry={retry} />

  const { guild, channel, joined } = view.invite
  const onPress = () => {
    if (isBusy) return
    if (joined) return void go(pathInGuild(guild.id, channel?.id ?? guild.default_channel_id))
    if (isLoggedIn()) return void accept({ id: codeOf(code) })
    if (hostOf(navigator.userAgent) !== 'browser') return setMasked(true)
    prepare?.()
    setRegistering(true)
  }
  const toLogin = () => {
    writeStored('pending_join', { id: guild.id, code })
    void go(paths.login(), true)
  }
  const action = (
    <>
      {failure && !isInvalid(failure) && (
        <p className={styles.problem} role="alert">
          {failure.message}
        </p>
      )}
      {landingButton(
        reactElements,
        joined ? t.enter : tLanding.accept,
        { 'aria-busy': isBusy || undefined, onClick: onPress },
        isBusy && <span className={styles.spinner} aria-hidden="true" />,
      )}
    </>
  )

  return (
    <>
      {landingFrame(
        reactElements,
        tLanding,
        { state: 'valid', backdrop: guild.icon, action },
        ...landingInvite(reactElements, tLanding, view.invite),
      )}
      {masked && (
        <Mask
          onClose={() => setMasked(false)}
          onContinue={() => {
            setMasked(false)
            setRegistering(true)
          }}
        />
      )}
      {registering && (
        <Suspense fallback={null}>
          <RegisterSheet
            code={codeOf(code)}
            guildName={guild.name}
            onClose={() => setRegistering(false)}
            onLogin={toLogin}
            onAccepted={onAccepted}
            onInvalid={(invalid) => {
              setRegistering(false)
              setView(viewAfter(invalid))
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** The landing while the invite is loaded, and when it cannot be shown. */
function LandingWithoutInvite({
  view,
  retry,
}: {
  view: Exclude<View, { status: 'valid' }>
  retry: () => void
}) {
  const t = useText(common)
  const tLanding = useText(landingText)
  if (view.status === 'loading')
    return landingFrame(
      reactElements,
      tLanding,
      { state: 'loading', action: null },
      <div role="status" className="invite-from">
        <span className={styles.spinner} aria-hidden="true" />
        <p className="invite-line">{tLanding.loading}</p>
      </div>,
    )
  if (view.status === 'network') {
    const action = landingButton(reactElements, t.retry, { onClick: retry })
    return landingFrame(
      reactElements,
      tLanding,
      { state: 'network', action },
      ...landingProblem(reactElements, t.network, t.networkWhy),
    )
  }
  return landingFrame(
    reactElements,
    tLanding,
    { state: 'invalid', action: null },
    ...landingProblem(reactElements, tLanding.invalid, tLanding.invalidWhy),
    landingHome(reactElements, tLanding),
  )
}

/** What the screen shows of an invite, how to load it again, and how to replace it. */
function useInviteView(code: string) {
  const [view, setView] = useState<View>(() => firstView(code))
  const load = useCallback(
    (signal?: AbortSignal) => {
      if (!isInviteCode(code)) return setView({ status: 'invalid' })
      call(viewInvite, { id: code }, { signal }).then(
        (invite) => setView({ status: 'valid', invite }),
        (error: unknown) => {
          if (signal?.aborted) return
          const failure = error instanceof CallFailure ? error : new CallFailure('bad_answer', '')
          // What the server rendered stays readable when only the page's own request fails.
          setView((now) => (now.status === 'valid' && !isInvalid(failure) ? now : viewAfter(failure)))
        },
      )
    },
    [code],
  )
  useEffect(() => {
    const leaving = new AbortController()
    load(leaving.signal)
    return () => leaving.abort()
  }, [load])
  const retry = () => {
    setView({ status: 'loading' })
    load()
  }
  return [view, retry, setView] as const
}

/** The code as the calls take it. An invalid code never shows a valid invite. */
function codeOf(code: string) {
  if (!isInviteCode(code)) throw new Error('not an invite code')
  return code
}

function firstView(code: string): View {
  if (!isInviteCode(code)) return { status: 'invalid' }
  const boot = readServerData(code)
  if (!boot) return { status: 'loading' }
  if ('invite' in boot) return { status: 'valid', invite: boot.invite }
  return viewAfter(new CallFailure(boot.failure, ''))
}

function Face({
  className,
  src,
  name,
  id,
}: {
  readonly className: string
  readonly src: string
  readonly name: string
  readonly id: string
}) {
  const [broken, setBroken] = useState(false)
  if (src && !drawnGround(src) && !broken)
    return <img className={className} src={src} alt="" onError={() => setBroken(true)} />
  return (
    <span
      className={`${className} invite-letter`}
      style={{ background: letterGround(id, src) }}
      aria-hidden="true"
    >
      {letters(name)}
    </span>
  )
}

/** Overlay in the browser of a chat app: points at its menu, and offers to continue here. */
function Mask(props: { onClose: () => void; onContinue: () => void }) {
  const t = useText(text)
  const box = useModal(props.onClose)
  return (
    <div
      className={styles.mask}
      role="dialog"
      aria-modal="true"
      aria-label={t.openInBrowser}
      tabIndex={-1}
      ref={box}
    >
      <svg
        className={styles.maskArrow}
        viewBox="0 0 88 88"
        fill="none"
        stroke="currentColor"
        aria-hidden="true"
      >
        <path
          d="M14 78C18 46 38 24 74 16M56 10l19 6-8 18"
          strokeWidth="5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <p className={styles.maskText}>{t.openInBrowser}</p>
      <button className="invite-accept" type="button" onClick={props.onContinue}>
        {t.continueHere}
      </button>
      <button className={styles.link} type="button" onClick={props.onClose}>
        {useText(common).close}
      </button>
    </div>
  )
}
