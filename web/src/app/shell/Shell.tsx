import { userState } from '@guildhall/wire/auth/userState.ts'
import { type ReactNode, useEffect } from 'react'
import { matchPath, Navigate, Outlet, useLocation } from 'react-router'
import { isLoggedIn, MeProvider, saveSession } from '../../auth/auth.ts'
import { useIsWide } from '../../kit/browser/useIsWide.ts'
import { useText } from '../../kit/i18n.ts'
import { Suspense } from '../../kit/lazy/lazy.tsx'
import { paths } from '../../kit/paths.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { here } from '../../native/environment.ts'
import { RoomStoreContext } from '../../roomStore/roomStoreContext.ts'
import { Page } from '../../ui/page/Page.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { clearUserState, connection, roomStore } from '../composition.ts'
import { ConnectionBar } from '../connection/ConnectionBar.tsx'
import { keepAnswers, selfOnDevice } from '../deviceAnswers.ts'
import { RouteSkeleton } from '../RouteSkeleton.tsx'
import { text } from '../text.ts'

keepAnswers()

/** Delay before the user's state is requested again when the network did not carry it, ms. */
const RETRY_MS = 5_000

/**
 * Layout of every /channels page: loads the user and keeps the connection. What is known is shown at once,
 * whether connected or not; a thin bar shows the state of the connection. chat.md §2, decision 49.
 */
export default function Shell({ desk }: { desk: ReactNode }) {
  const { pathname, search } = useLocation()
  if (!isLoggedIn()) return <Navigate to={paths.login(pathname + search)} replace />
  return <Inside desk={desk} />
}

function Inside({ desk }: { desk: ReactNode }) {
  const t = useText(text)
  const isDesk = useIsWide() && !here().hasShell
  const session = useRouteQuery(userState, {})
  const user = session.answer?.user ?? selfOnDevice()
  const address = session.answer?.gateway_url

  useEffect(() => {
    if (session.answer) saveSession(session.answer)
  }, [session.answer])
  useEffect(() => {
    if (address) connection.start(address)
  }, [address])
  // The device's own data are on screen: they are not replaced by an error, and the network may come back.
  const isRetried = session.status === 'failed' && user !== null
  const { refetch } = session
  useEffect(() => {
    if (!isRetried) return
    const timer = setInterval(refetch, RETRY_MS)
    return () => clearInterval(timer)
  }, [isRetried, refetch])
  const { pathname } = useLocation()
  const guild = matchPath('/channels/:guildId/*', pathname)?.params.guildId ?? null
  useEffect(() => connection.setViewedGuild(guild), [guild])
  const me = session.answer?.user.id
  useEffect(() => (me ? sendWhatIsLeft(me) : undefined), [me])
  // Leaving /channels, by logging out or otherwise, disconnects; without events the rooms would go stale.
  useEffect(
    () => () => {
      connection.stop()
      clearUserState()
    },
    [],
  )

  if (session.status === 'failed' && !user)
    return (
      <Page>
        <ErrorState page title={t.failed} message={session.failure.message} onRetry={session.refetch} />
      </Page>
    )
  if (!user) return <RouteSkeleton />
  return (
    <MeProvider value={user}>
      <ConnectionBar isCutOff={session.status === 'failed'} onRetry={refetch} />
      <RoomStoreContext value={roomStore}>
        {isDesk ? <Suspense fallback={<RouteSkeleton />}>{desk}</Suspense> : <Outlet />}
      </RoomStoreContext>
    </MeProvider>
  )
}

/**
 * Sends what other pages of the user left unsent: now, and when the connection or this tab is back, because
 * another tab may have been closed meanwhile. Returns what ends it.
 */
function sendWhatIsLeft(me: string): () => void {
  const send = () => {
    if (connection.status() === 'connected' && document.visibilityState === 'visible')
      void roomStore.resumeSending(me)
  }
  void roomStore.resumeSending(me)
  const unsubscribe = connection.subscribe(send)
  document.addEventListener('visibilitychange', send)
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', send)
  }
}
