import './shell.css'
import { userState } from '@guildhall/wire/auth/auth.ts'
import { useEffect, useSyncExternalStore } from 'react'
import { matchPath, Navigate, Outlet, useLocation } from 'react-router'
import { isLoggedIn, keepSession, Me } from '../auth/auth.ts'
import { forgetTrays } from '../composer/attachments.ts'
import { forgetReplies } from '../composer/replyDraft.ts'
import { gateway } from '../gateway/socket.ts'
import { useAsk } from '../kit/ask.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { forgetRooms, lineStands, onKnown, resumeSending } from '../roomStore/roomStore.ts'
import { OfflineIcon } from '../ui/icons.tsx'
import { ErrorState, LoadingState, Page, Spinner } from '../ui/parts.tsx'
import { applyEvent, refetchAll } from './events.ts'
import { text } from './text.ts'

const line = gateway({ onEvent: applyEvent, onRefetch: refetchAll })
line.subscribe(() => lineStands(line.face() === 'connected'))
onKnown(line.known)

/**
 * Around every /channels page: knows who is here, holds the line, and shows the page once the line stands. Once it
 * has stood the page is never hidden again; a thin bar says how the line is. chat.md §2.
 */
export default function Shell() {
  const { pathname, search } = useLocation()
  if (!isLoggedIn()) return <Navigate to={paths.login(pathname + search)} replace />
  return <Inside />
}

function Inside() {
  const t = useText(text)
  const session = useAsk(userState, {})
  const face = useSyncExternalStore(line.subscribe, line.face)
  const shown = useSyncExternalStore(line.subscribe, line.hasStood)
  const address = session.answer?.gateway_url

  useEffect(() => {
    if (session.answer) keepSession(session.answer)
  }, [session.answer])
  useEffect(() => {
    if (address) line.start(address)
  }, [address])
  const { pathname } = useLocation()
  const guild = matchPath('/channels/:guildId/*', pathname)?.params.guildId ?? null
  useEffect(() => line.look(guild), [guild])
  const me = session.answer?.user.id
  useEffect(() => {
    if (me) void resumeSending(me)
  }, [me])
  // Leaving the guilds, by logging out or otherwise, lets the line go; without it the rooms would grow old.
  useEffect(
    () => () => {
      line.stop()
      forgetRooms()
      forgetTrays()
      forgetReplies()
    },
    [],
  )

  if (session.status === 'failed')
    return (
      <Page>
        <ErrorState page title={t.failed} words={session.failure.message} onRetry={session.again} />
      </Page>
    )
  if (!session.answer || !shown)
    return (
      <Page>
        {face === 'offline' ? (
          <ErrorState
            page
            icon={<OfflineIcon size={32} />}
            title={t.offlineTitle}
            words={t.offlineWhy}
            onRetry={line.retry}
          />
        ) : (
          <LoadingState page words={face === 'reconnecting' ? t.reconnecting : t.connecting} />
        )}
      </Page>
    )
  return (
    <Me value={session.answer.user}>
      <div className="line" role="status" data-face={face}>
        {face !== 'connected' && (
          <p className="line-words">
            {face === 'offline' ? <OfflineIcon size={16} /> : <Spinner size={14} />}
            {face === 'offline' ? t.offline : t.reconnecting}
          </p>
        )}
      </div>
      <Outlet />
    </Me>
  )
}
