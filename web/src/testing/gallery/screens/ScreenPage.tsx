import { unreadChats } from '@guildhall/wire/chat/page.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { locales } from '@guildhall/wire/locale.ts'
import { listWaiting } from '@guildhall/wire/message/readMark.ts'
import { startTransition, useEffect, useLayoutEffect, useState } from 'react'
import {
  MemoryRouter,
  UNSAFE_LocationContext as OuterLocation,
  UNSAFE_RouteContext as OuterRoute,
  Outlet,
  type RouteObject,
  useLocation,
  useParams,
  useRoutes,
} from 'react-router'
import { routes } from '../../../app/App.tsx'
import { clearUserState, roomStore } from '../../../app/composition.ts'
import { MeProvider } from '../../../auth/auth.ts'
import { noteConnected } from '../../../gateway/whenConnected.ts'
import { useIsWide } from '../../../kit/browser/useIsWide.ts'
import { locale, setLocale } from '../../../kit/i18n.ts'
import { lazy } from '../../../kit/lazy/lazy.tsx'
import { cache } from '../../../kit/routeQuery.ts'
import { RoomStoreContext } from '../../../roomStore/roomStoreContext.ts'
import { answers } from '../../answers.ts'
import { friendsOf, sessionOf } from '../../fixtures.ts'
import { ofAccount } from './account.ts'
import { guilds } from './guild.ts'
import { faces } from './pictures.ts'
import type { Shown } from './screen.ts'
import { screens } from './screens.ts'

const DeskFrame = lazy(() => import('../../../app/desk/DeskFrame.tsx'))

/**
 * Draws one screen of the product, as the app does it, with made-up answers in place of the server.
 * `/dev/gallery/NAME`, and with a language `/dev/gallery/NAME?en`.
 */
export default function ScreenPage() {
  const { name } = useParams()
  const { search } = useLocation()
  const shown = screens.find((it) => it.name === name)
  useLayoutEffect(() => {
    const wanted = locales.find((it) => search === `?${it}`)
    if (!wanted || wanted === locale()) return
    setLocale(wanted)
    // Some answers have words.
    void cache.invalidateQueries()
  }, [search])
  return shown ? <Screen key={name} shown={shown} /> : <p>There is no screen {name}.</p>
}

function Screen({ shown }: { shown: Shown }) {
  const [isReady, setReady] = useState(false)
  // By now the screen before is gone, with its timers: their calls would find no answer here.
  useEffect(() => {
    begin(shown)
    // In one step, where what is missing is loaded first.
    startTransition(() => setReady(true))
    return clearUserState
  }, [shown])
  if (!isReady) return null
  return (
    // The screen has addresses of its own.
    <OuterLocation value={null as never}>
      <OuterRoute value={{ outlet: null, matches: [], isDataRoute: false }}>
        <MemoryRouter initialEntries={[shown.at]}>
          <MeProvider value={{ ...sessionOf().user, avatar: faces.me, ...shown.me }}>
            <Screens />
            {shown.above?.()}
            <span hidden data-screen={shown.name} />
          </MeProvider>
        </MemoryRouter>
      </OuterRoute>
    </OuterLocation>
  )
}

const network = globalThis.fetch
const boot = document.createElement('script')
boot.id = 'boot'
boot.type = 'application/json'
document.getElementById('boot')?.remove()
document.head.append(boot)

/** Nothing of the screen before is left, and from now on this one's answers come. */
function begin(shown: Shown): void {
  cache.clear()
  // Lists of people wait a moment for the connection.
  noteConnected(true)
  boot.textContent = JSON.stringify(shown.boot ?? null)
  const { on, fetch } = answers()
  on(listGuilds, () => guilds)
  on(listWaiting, () => [])
  on(unreadChats, () => ({ count: 2 }))
  on(listFriends, () => friendsOf([]))
  ofAccount(on)
  shown.answer?.(on)
  globalThis.fetch = (address, init = {}) => {
    if (typeof address !== 'string' || !address.startsWith('/api/')) return network(address, init)
    return fetch(address, init).catch((error: Error) => {
      if (error.name !== 'AbortError') console.error(error.message)
      throw error
    })
  }
}

/** In place of the shell: somebody is logged in, and there is no connection. */
function Inside() {
  const isDesk = useIsWide()
  return (
    <RoomStoreContext value={roomStore}>
      {isDesk ? <DeskFrame PersonSheet={() => null} /> : <Outlet />}
    </RoomStoreContext>
  )
}

/** Those of the app. */
const inside: RouteObject[] = routes.map(
  (it) => (it.children ? { ...it, element: <Inside /> } : it) as RouteObject,
)
const Screens = () => useRoutes(inside)
