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
import {
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { isLoggedIn } from '../auth/auth.ts'
import { CallFailure, call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { loadPart } from '../kit/lazyPart.ts'
import { paths } from '../kit/paths.ts'
import { writeStored } from '../kit/storage.ts'
import { text as common } from '../kit/text.ts'
import { forceTheme } from '../kit/theme.ts'
import { shell } from '../native/shell.ts'
import { leaveLayers } from '../ui/layers.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import styles from './InviteScreen.module.css'
import { pathInGuild, useAcceptInvite } from './invite.ts'
import { readServerData, servedNotices } from './serverData.ts'
import { text } from './text.ts'

const sheet = () => import('./RegisterSheet.tsx')
const RegisterSheet = lazy(() => loadPart(sheet))
const later = () => import('./lazyAccept.ts')
const GuestPart = lazy(() => loadPart(later).then((it) => ({ default: it.GuestPart })))

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
  picture: (className, src, name, id) => <Face className={className} src={src} name={name} id={id} />,
  notices: servedNotices(),
}

/**
 * /invite/:code. Shows what the server rendered, then reads the invite again as the user who is logged in.
 * `go` opens another path of the page in place of this one, or, as a step, after it. chat.md §2 "Invite
 * landing page" and §4 "Invite page".
 */
export function InviteScreen(props: {
  code: string
  go: (path: string, isStep?: boolean) => void
  /** Loads what comes after joining, while the user fills in the form. */
  prepare?: () => void
  /** The button that the server drew was tapped before the page was there. */
  wasTapped?: () => boolean
}) {
  const { code, prepare, wasTapped } = props
  // Asked as the button is replaced: a tap may come until then.
  const [isTapped] = useState(wasTapped)
  const go = async (path: string, isStep?: boolean) => {
    await leaveLayers()
    props.go(path, isStep)
  }
  const t = useText(text)
  const tLanding = useText(landingText)
  const [view, retry, setView] = useInviteView(code)
  // Whoever chose the web on the page that opens the app has accepted.
  const [isOnWeb] = useState(() => new URLSearchParams(location.search).has('web'))
  const [shown, show] = useState<'mask' | 'register' | null>(() =>
    isOnWeb && !isLoggedIn() ? 'register' : null,
  )
  const [isOpening, setOpening] = useState(false)
  const [isLater, setLater] = useState(false)
  const { isBusy: isJoining, failure, accept } = useAcceptInvite((path) => void enter(path))
  const isBusy = isJoining || isOpening

  useEffect(() => forceTheme('dark'), [])

  const invite = view.status === 'valid' ? view.invite : null
  const name = invite?.guild.name
  usePageTitle(name ? `${tLanding.title(name)} · ${tLanding.product}` : null)

  // What the tap leads to is loaded while the user reads.
  const hasInvite = invite !== null
  useEffect(() => {
    if (!hasInvite) return
    const load = () => {
      if (isLoggedIn()) return prepare?.()
      setLater(true)
      sheet().catch(() => undefined)
    }
    const timer = setTimeout(load, 1200)
    return () => clearTimeout(timer)
  }, [hasInvite, prepare])

  const press = useRef<() => void>(undefined)
  useEffect(() => {
    if (isTapped && hasInvite) press.current?.()
  }, [isTapped, hasInvite])

  useEffect(() => {
    if (failure && isInvalid(failure)) setView(viewAfter(failure))
  }, [failure, setView])

  if (view.status !== 'valid') return <LandingWithoutInvite view={view} retry={retry} />

  const { guild, channel, joined } = view.invite
  /** Does what the place asks for, and says meanwhile that something is under way. */
  const inPlace = async <T,>(act: (it: Awaited<ReturnType<typeof later>>) => Promise<T>) => {
    setOpening(true)
    return act(await loadPart(later)).finally(() => setOpening(false))
  }
  /** Goes where somebody goes who belongs to the guild. */
  const enter = async (path: string) => {
    writeStored('pending_join', null)
    if (!shell() || !(await inPlace((it) => it.enterInShell(view.invite)))) await go(path)
  }
  const open = (what: typeof shown) => {
    if (what === 'register') prepare?.()
    show(what)
  }
  const onPress = () => {
    if (isBusy) return
    if (!isLoggedIn())
      return void inPlace((it) =>
        it.acceptAsGuest({ code, invite: view.invite, isOnWeb }, { go, show: open }),
      )
    if (joined) return void enter(pathInGuild(guild.id, channel?.id ?? guild.default_channel_id))
    void accept({ id: codeOf(code) })
  }
  press.current = onPress
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
      {(isLater || shown === 'mask') && (
        <Suspense fallback={null}>
          <GuestPart invite={view.invite} isOnWeb={isOnWeb} isMasked={shown === 'mask'} show={open} />
        </Suspense>
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
      {shown === 'register' && (
        <Suspense fallback={null}>
          <RegisterSheet
            code={codeOf(code)}
            guildName={guild.name}
            onClose={() => show(null)}
            onLogin={toLogin}
            onAccepted={(path) => void enter(path)}
            onInvalid={(invalid) => {
              show(null)
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
