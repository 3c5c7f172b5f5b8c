import './landing.css'
import { isInviteCode } from '@guildhall/wire/id.ts'
import { type Invite, joinGuild, viewInvite } from '@guildhall/wire/invite/invite.ts'
import { landing } from '@guildhall/wire/invite/text.ts'
import { letters } from '@guildhall/wire/user/letter.ts'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { isLoggedIn } from '../auth/auth.ts'
import { CallFailure, call } from '../kit/call.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { remember } from '../kit/storage.ts'
import { forceTheme } from '../kit/theme.ts'
import { useCall } from '../kit/useCall.ts'
import { hostOf } from '../native/host.ts'
import { readBoot } from './boot.ts'
import { whereTo } from './join.ts'
import { text } from './text.ts'

const sheet = () => import('./RegisterSheet.tsx')
const RegisterSheet = lazy(sheet)

type View =
  | { status: 'loading' }
  | { status: 'valid'; invite: Invite }
  | { status: 'invalid'; why: string | null }
  | { status: 'network' }

/** Refusals that mean the link itself is of no use. */
const isDead = (failure: CallFailure) =>
  failure.name.startsWith('invite.') || failure.name === 'bad_input' || failure.name === 'not_found'

function viewAfter(failure: CallFailure): View {
  if (!isDead(failure)) return { status: 'network' }
  return { status: 'invalid', why: failure.name === 'invite.full' ? failure.message || null : null }
}

/**
 * /invite/:code. Draws what the server drew, then asks again as whoever is logged in. `go` opens another address
 * of the page. chat.md §2 "Invite landing page" and §4 "Invite page".
 */
export function InviteScreen({ code, go }: { code: string; go: (path: string) => void }) {
  const t = useText(text)
  const words = landing[useLocale()]
  const [view, setView] = useState<View>(() => firstView(code))
  const [registering, setRegistering] = useState(false)
  const [masked, setMasked] = useState(false)
  const join = useCall(joinGuild)

  useEffect(() => forceTheme('dark'), [])

  const look = useCallback(
    (signal?: AbortSignal) => {
      if (!isInviteCode(code)) return setView({ status: 'invalid', why: null })
      call(viewInvite, { id: code }, { signal }).then(
        (invite) => setView({ status: 'valid', invite }),
        (error: unknown) => {
          if (signal?.aborted) return
          const failure = error instanceof CallFailure ? error : new CallFailure('bad_answer', '')
          // What the server drew stays readable when only the second look fails.
          setView((now) => (now.status === 'valid' && !isDead(failure) ? now : viewAfter(failure)))
        },
      )
    },
    [code],
  )
  useEffect(() => {
    const leaving = new AbortController()
    look(leaving.signal)
    return () => leaving.abort()
  }, [look])

  const invite = view.status === 'valid' ? view.invite : null
  const name = invite?.guild.name
  useEffect(() => {
    if (name) document.title = `${words.title(name)} · ${words.product}`
  }, [name, words])

  // The sheet is fetched while the person reads, so that the tap opens it at once.
  useEffect(() => {
    if (!invite || isLoggedIn()) return
    const timer = setTimeout(() => void sheet(), 1200)
    return () => clearTimeout(timer)
  }, [invite])

  const failure = join.failure
  useEffect(() => {
    if (failure && isDead(failure)) setView(viewAfter(failure))
  }, [failure])

  if (view.status === 'loading')
    return (
      <Frame state="loading">
        <div role="status" className="invite-from">
          <span className="invite-wheel" aria-hidden="true" />
          <p className="invite-line">{words.loading}</p>
        </div>
      </Frame>
    )
  if (view.status === 'network')
    return (
      <Frame
        state="network"
        act={
          <button
            className="invite-accept"
            type="button"
            onClick={() => {
              setView({ status: 'loading' })
              look()
            }}
          >
            {t.retry}
          </button>
        }
      >
        <Broken title={t.network} why={t.networkWhy} />
      </Frame>
    )
  if (view.status === 'invalid')
    return (
      <Frame state="invalid">
        <Broken title={words.invalid} why={view.why ?? words.invalidWhy} />
      </Frame>
    )

  const { guild, inviter, joined } = view.invite
  const enter = async () => {
    const answer = await join.run({ id: codeOf(code) })
    if (answer) go(whereTo(answer))
  }
  const accept = () => {
    if (join.status === 'busy') return
    if (joined) return go(placeOf(view.invite))
    if (isLoggedIn()) return void enter()
    if (hostOf(navigator.userAgent) !== 'browser') return setMasked(true)
    setRegistering(true)
  }
  const toLogin = () => {
    remember('pending_join', { id: guild.id, code })
    go(paths.login())
  }

  return (
    <>
      <Frame
        state="valid"
        backdrop={guild.icon}
        act={
          <>
            {failure && !isDead(failure) && (
              <p className="invite-problem" role="alert">
                {failure.message}
              </p>
            )}
            <button
              className="invite-accept"
              type="button"
              aria-busy={join.status === 'busy' || undefined}
              onClick={accept}
            >
              {join.status === 'busy' && <span className="invite-wheel" aria-hidden="true" />}
              {joined ? t.enter : words.accept}
            </button>
          </>
        }
      >
        <div className="invite-from">
          <Face className="invite-avatar" src={inviter.avatar} name={inviter.username} />
          <p className="invite-line">
            <b className="invite-inviter">{inviter.username}</b> <span>{words.invites}</span>
          </p>
        </div>
        <Face className="invite-icon" src={guild.icon} name={guild.name} />
        <h1 className="invite-guild">{guild.name}</h1>
        <p className="invite-counts">
          <span className="invite-count invite-count-online">{words.online(guild.online_count)}</span>
          <span className="invite-count">{words.members(guild.members_count)}</span>
        </p>
      </Frame>
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
            onJoined={(answer) => go(whereTo(answer))}
            onDead={(dead) => {
              setRegistering(false)
              setView(viewAfter(dead))
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** A code is checked before anything is asked with it. */
function codeOf(code: string) {
  if (!isInviteCode(code)) throw new Error('not an invite code')
  return code
}

function firstView(code: string): View {
  if (!isInviteCode(code)) return { status: 'invalid', why: null }
  const boot = readBoot(code)
  if (!boot) return { status: 'loading' }
  if ('invite' in boot) return { status: 'valid', invite: boot.invite }
  return viewAfter(new CallFailure(boot.failure, ''))
}

function placeOf(invite: Invite): string {
  const channel = invite.channel?.id ?? invite.guild.default_channel_id
  return channel === '0' || channel === ''
    ? paths.guild(invite.guild.id)
    : paths.room(invite.guild.id, channel)
}

function Frame(props: { state: View['status']; backdrop?: string; act?: ReactNode; children: ReactNode }) {
  const words = landing[useLocale()]
  return (
    <div className="invite" data-state={props.state}>
      {props.backdrop && <img className="invite-backdrop" src={props.backdrop} alt="" />}
      <main className="invite-main">{props.children}</main>
      {props.act && <div className="invite-act">{props.act}</div>}
      <footer className="invite-footer">
        <p className="invite-product">
          <img className="invite-logo" src="/logo.svg" alt="" />
          {words.product}
        </p>
        <p className="invite-notice">{words.notice}</p>
      </footer>
    </div>
  )
}

function Face(props: { className: string; src: string; name: string }) {
  const [broken, setBroken] = useState(false)
  if (props.src !== '' && !broken)
    return <img className={props.className} src={props.src} alt="" onError={() => setBroken(true)} />
  return (
    <span className={`${props.className} invite-letter`} aria-hidden="true">
      {letters(props.name)}
    </span>
  )
}

function Broken(props: { title: string; why: string }) {
  return (
    <>
      <span className="invite-icon invite-letter invite-broken" aria-hidden="true">
        !
      </span>
      <h1 className="invite-guild">{props.title}</h1>
      <p className="invite-why">{props.why}</p>
    </>
  )
}

/** Over the page in a chat app's own browser: where the menu is, and a way to go on regardless. */
function Mask(props: { onClose: () => void; onContinue: () => void }) {
  const t = useText(text)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div
      className="invite-mask"
      role="dialog"
      aria-modal="true"
      aria-label={t.openInBrowser}
      tabIndex={-1}
      ref={box}
      onKeyDown={(event) => event.key === 'Escape' && props.onClose()}
    >
      <svg
        className="invite-mask-arrow"
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
      <p className="invite-mask-words">{t.openInBrowser}</p>
      <button className="invite-accept" type="button" onClick={props.onContinue}>
        {t.continueHere}
      </button>
      <button className="invite-link" type="button" onClick={props.onClose}>
        {t.close}
      </button>
    </div>
  )
}
