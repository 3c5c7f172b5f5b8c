import { userState } from '@guildhall/wire/auth/auth.ts'
import { useEffect, useSyncExternalStore } from 'react'
import { matchPath, Navigate, Outlet, useLocation } from 'react-router'
import { isLoggedIn, MeProvider, saveSession } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { RoomStoreContext } from '../roomStore/roomStoreContext.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { OfflineIcon } from '../ui/icons.tsx'
import { LoadingState } from '../ui/LoadingState.tsx'
import { Page } from '../ui/Page.tsx'
import { ConnectionBar } from './ConnectionBar.tsx'
import { clearUserState, connection, roomStore } from './composition.ts'
import { text } from './text.ts'

/**
 * Layout of every /channels page: loads the user, keeps the connection, and shows the page once it is connected. After
 * that the page is never hidden again; a thin bar shows the state of the connection. chat.md §2.
 */
export default function Shell() {
  const { pathname, search } = useLocation()
  if (!isLoggedIn()) return <Navigate to={paths.login(pathname + search)} replace />
  return <Inside />
}

function Inside() {
  const t = useText(text)
  const session = useRouteQuery(userState, {})
  const status = useSyncExternalStore(connection.subscribe, connection.status)
  const shown = useSyncExternalStore(connection.subscribe, connection.hasConnected)
  const address = session.answer?.gateway_url

  useEffect(() => {
    if (session.answer) saveSession(session.answer)
  }, [session.answer])
  useEffect(() => {
    if (address) connection.start(address)
  }, [address])
  const { pathname } = useLocation()
  const guild = matchPath('/channels/:guildId/*', pathname)?.params.guildId ?? null
  useEffect(() => connection.setViewedGuild(guild), [guild])
  const me = session.answer?.user.id
  useEffect(() => {
    if (me) void roomStore.resumeSending(me)
  }, [me])
  // Leaving /channels, by logging out or otherwise, disconnects; without events the rooms would go stale.
  useEffect(
    () => () => {
      connection.stop()
      clearUserState()
    },
    [],
  )

  if (session.status === 'failed')
    return (
      <Page>
        <ErrorState page title={t.failed} message={session.failure.message} onRetry={session.refetch} />
      </Page>
    )
  if (!session.answer || !shown)
    return (
      <Page>
        {status === 'offline' ? (
          <ErrorState
            page
            icon={<OfflineIcon size={32} />}
            title={t.offlineTitle}
            message={t.offlineWhy}
            onRetry={connection.retry}
          />
        ) : (
          <LoadingState page message={status === 'reconnecting' ? t.reconnecting : t.connecting} />
        )}
      </Page>
    )
  return (
    <MeProvider value={session.answer.user}>
      <ConnectionBar />
      <RoomStoreContext value={roomStore}>
        <Outlet />
      </RoomStoreContext>
    </MeProvider>
  )
}
