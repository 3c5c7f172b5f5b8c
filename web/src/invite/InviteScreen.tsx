import './landing.css'
import type { InviteCode } from '@guildhall/wire/id.ts'
import type { Invite } from '@guildhall/wire/invite/invite.ts'
import {
  landingButton,
  landingFrame,
  landingHome,
  landingInvite,
  landingProblem,
} from '@guildhall/wire/invite/landing.ts'
import { landingText } from '@guildhall/wire/invite/landingText.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { isLoggedIn } from '../auth/auth.ts'
import { writeStored } from '../kit/browser/storage.ts'
import { forceTheme } from '../kit/browser/theme.ts'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { paths } from '../kit/paths.ts'
import { reactFactory } from '../kit/reactFactory.tsx'
import { text as common } from '../kit/text.ts'
import { shell } from '../native/shell.ts'
import { leaveLayers } from '../ui/overlay/layers.ts'
import { usePageTitle } from '../ui/page/usePageTitle.ts'
import { pathInGuild, useAcceptInvite } from './invite.ts'
import { isInvalid, useInviteView, type View, viewAfter } from './inviteView.ts'
import { servedNotices } from './serverData.ts'

/** What a personal invite draws, too. It is loaded from here, because a file of its own costs both more. */
export { landingButton, landingFrame, landingProblem, landingText }
export const landingFactory = { ...reactFactory, notices: servedNotices() }

const sheet = () => import('./RegisterSheet.tsx')
const RegisterSheet = lazy(() => loadPart(sheet))
const later = () => import('./lazyAccept.ts')
const GuestPart = lazy(() => loadPart(later))

/**
 * /invite/:code. Shows what the server rendered, then reads the invite again as the user who is logged in.
 * `go` opens another path of the page in place of this one, or, as a step, after it. chat.md §2 "Invite
 * landing page" and §4 "Invite page".
 */
export function InviteScreen(props: {
  code: string
  go: (path: string, isStep?: boolean) => void
  /** Loads what comes after joining, while the user fills in the form; `path`: where they go now. */
  prepare?: (path?: string) => void
  /** The button that the server drew was tapped before the page was there. */
  wasTapped?: () => boolean
}) {
  const { code, go, prepare, wasTapped } = props
  // Asked as the button is replaced: a tap may come until then.
  const [isTapped] = useState(wasTapped)
  const tLanding = useText(landingText)
  const [view, retry, setView] = useInviteView(code)

  useEffect(() => forceTheme('dark'), [])

  const name = view.status === 'valid' && view.invite.guild.name
  usePageTitle(name ? `${tLanding.title(name)} · ${tLanding.product}` : null)

  if (view.status !== 'valid') return <LandingWithoutInvite view={view} retry={retry} />
  return (
    <Landing
      {...view}
      isTapped={isTapped}
      go={async (path, isStep) => {
        prepare?.(path)
        await leaveLayers()
        go(path, isStep)
      }}
      prepare={prepare}
      onInvalid={(failure) => setView(viewAfter(failure))}
    />
  )
}

interface LandingProps {
  readonly code: InviteCode
  readonly invite: Invite
  readonly isTapped: boolean | undefined
  readonly go: (path: string, isStep?: boolean) => Promise<void>
  readonly prepare: (() => void) | undefined
  /** The link itself cannot be used any more. */
  readonly onInvalid: (failure: CallFailure) => void
}

/** The landing of an invite that can be used. */
function Landing(props: LandingProps) {
  const { code, invite } = props
  const { guild } = invite
  const t = useText(landingText)
  const { isOnWeb, open, show, isBusy, failure, enter, press } = useAccepting(props)
  const isLater = useLater(props.prepare)
  const action = (
    <>
      {failure?.message && !isInvalid(failure) && (
        <p className="invite-problem" role="alert">
          {failure.message}
        </p>
      )}
      {landingButton(
        landingFactory,
        invite.joined ? t.enter : t.accept,
        { 'aria-disabled': isBusy || undefined, onClick: press },
        isBusy && <span className="invite-spinner" />,
      )}
      {(isLater || open === 'mask') && (
        <Suspense fallback={null}>
          <GuestPart invite={invite} isOnWeb={isOnWeb} isMasked={open === 'mask'} show={show} />
        </Suspense>
      )}
    </>
  )
  return (
    <>
      {landingFrame(
        landingFactory,
        t,
        { state: 'valid', backdrop: guild.icon, banner: guild.banner, action },
        ...landingInvite(landingFactory, t, invite),
      )}
      {open === 'register' && (
        <Suspense fallback={null}>
          <RegisterSheet
            code={code}
            guildName={guild.name}
            onClose={() => show(null)}
            onLogin={() => {
              writeStored('pending_join', { id: guild.id, code })
              void props.go(paths.login(), true)
            }}
            onAccepted={enter}
            onInvalid={props.onInvalid}
          />
        </Suspense>
      )}
    </>
  )
}

/** Loads what the tap leads to while the user reads. Returns whether a guest has read for that long. */
function useLater(prepare: (() => void) | undefined): boolean {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const load = () => {
      if (isLoggedIn()) return prepare?.()
      setLater(true)
      sheet().catch(() => undefined)
    }
    const timer = setTimeout(load, 1200)
    return () => clearTimeout(timer)
  }, [prepare])
  return isLater
}

/** What the button does, and what is open above the landing. */
function useAccepting({ code, invite, isTapped, go, prepare, onInvalid }: LandingProps) {
  // Whoever chose the web on the page that opens the app has accepted.
  const [isOnWeb] = useState(() => new URLSearchParams(location.search).has('web'))
  const [open, setOpen] = useState<'mask' | 'register' | null>(() =>
    isOnWeb && !isLoggedIn() ? 'register' : null,
  )
  const [isOpening, setOpening] = useState(false)
  const { isBusy: isJoining, failure, accept } = useAcceptInvite((path) => enter(path))
  const isBusy = isJoining || isOpening

  /** Does what the environment asks for, and says meanwhile that something is under way. */
  const whileOpening = async <T,>(act: (part: Awaited<ReturnType<typeof later>>) => Promise<T>) => {
    setOpening(true)
    return act(await loadPart(later)).finally(() => setOpening(false))
  }
  /** Goes where somebody goes who belongs to the guild. */
  const enter = async (path: string) => {
    writeStored('pending_join', null)
    if (!shell() || !(await whileOpening((part) => part.enterInShell(invite)))) await go(path)
  }
  const show = (what: typeof open) => {
    if (what === 'register') prepare?.()
    setOpen(what)
  }
  const press = () => {
    const { guild, channel, joined } = invite
    if (isBusy) return
    if (!isLoggedIn())
      void whileOpening((part) => part.acceptAsGuest({ code, invite, isOnWeb }, { go, show }))
    else if (joined) void enter(pathInGuild(guild.id, channel?.id ?? guild.default_channel_id))
    else void accept({ id: code })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tap counts once
  useEffect(() => {
    if (isTapped) press()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failure is told once
  useEffect(() => {
    if (failure && isInvalid(failure)) onInvalid(failure)
  }, [failure])
  return { isOnWeb, open, show, isBusy, failure, enter, press }
}

/** The landing while the invite is loaded, and when it cannot be shown. */
function LandingWithoutInvite(props: { view: Exclude<View, { status: 'valid' }>; retry: () => void }) {
  const { status } = props.view
  const t = useText(common)
  const tLanding = useText(landingText)
  const frame = (action: ReactNode, ...body: ReactNode[]) =>
    landingFrame(landingFactory, tLanding, { state: status, action }, ...body)
  if (status === 'loading')
    return frame(
      null,
      <div role="status" className="invite-from">
        <span className="invite-spinner" />
        <p className="invite-line">{tLanding.loading}</p>
      </div>,
    )
  if (status === 'network')
    return frame(
      landingButton(landingFactory, t.retry, { onClick: props.retry }),
      ...landingProblem(landingFactory, t.network, t.networkWhy),
    )
  return frame(
    null,
    ...landingProblem(landingFactory, tLanding.invalid, tLanding.invalidWhy),
    landingHome(landingFactory, tLanding),
  )
}
