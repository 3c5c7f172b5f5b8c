import type { FirstAddress, ShellAddress } from '@guildhall/wire/pages.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { BrowserRouter, type RouteObject, useNavigate, useParams, useRoutes } from 'react-router'
import { isLoggedIn } from '../auth/auth.ts'
import { acceptInvite } from '../invite/invite.ts'
import { isWide } from '../kit/browser/useIsWide.ts'
import { onSessionEnded } from '../kit/call.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { FROM_INVITE, pathAfter401 } from '../kit/paths.ts'
import { cache } from '../kit/routeQuery.ts'
import { Toasts } from '../ui/overlay/Toast.tsx'
import { AppErrorBoundary } from './AppErrorBoundary.tsx'
import { RedirectAfter401 } from './RedirectAfter401.tsx'
import { isRoomPath, RouteSkeleton } from './RouteSkeleton.tsx'
import { screen } from './screen.tsx'

const LandingScreen = screen(() => import('../site/LandingScreen.tsx'))
const OtherPages = screen(() => import('./OtherPages.tsx'))
const LoginScreen = screen(() => import('../auth/LoginScreen.tsx'))
const AuthenticateScreen = lazy(() => import('../auth/AuthenticateScreen.tsx'))
const ForgotScreen = lazy(() => import('../auth/ForgotScreen.tsx'))
const keptInviteCode = () => import('../invite/inviteCodeStorage.ts').then((it) => it.keptInviteCode())
const BindMobileScreen = screen(() => import('../auth/change/BindMobileScreen.tsx'))
const Shell = screen(() => import('./shell/Shell.tsx'))
const DeskFrame = screen(() => import('./desk/DeskFrame.tsx'))
const GuildsPage = screen(() => import('./shell/GuildsPage.tsx'))
const RoomScreen = screen(() => import('../room/RoomScreen.tsx'))
const ChatsScreen = screen(() => import('../chat/ChatsScreen.tsx'))
const MemberListScreen = screen(() => import('../member/MemberListScreen.tsx'))
const PersonSheet = lazy(() => loadPart(() => import('../message/menu/PersonSheet.tsx')))
const FriendsScreen = screen(() => import('../friend/FriendsScreen.tsx'))
const AccountPages = screen(() => import('./AccountPages.tsx'))
const UserInviteScreen = screen(() => import('../invite/UserInviteScreen.tsx'))
const InviteScreen = lazy(() =>
  import('../invite/InviteScreen.tsx').then((module) => ({ default: module.InviteScreen })),
)

/** Loads the code and the data of a path, so that it is shown at once and in one step. Never rejects. */
export async function preloadPath(pathname: string): Promise<void> {
  // The component that handles it is not mounted yet.
  const stopWatching = onSessionEnded(() => {
    cache.clear()
    history.replaceState(null, '', pathAfter401())
  })
  try {
    if (pathname === '/') await LandingScreen.preload().then((it) => it.preloadStartData())
    if (pathname === '/login') await LoginScreen.preload()
    if (pathname.startsWith('/user-invite/')) await UserInviteScreen.preload()
    if (!pathname.startsWith('/channels')) return
    const [{ preloadData }, shown] = await Promise.all([
      import('./preload.ts'),
      pathname.startsWith('/channels/userlist/')
        ? MemberListScreen.preload()
        : isRoomPath(pathname)
          ? RoomScreen.preload()
          : GuildsPage.preload(),
      Shell.preload(),
      isWide() && DeskFrame.preload(),
    ])
    if (isLoggedIn()) await preloadData(pathname, 'inRail' in shown ? shown.inRail : [])
  } catch {
    // The screen itself shows what could not be loaded.
  } finally {
    stopWatching()
  }
}

/** Loads the code of the screens inside the shell, for a user who will soon be there. */
export async function preloadScreens(): Promise<void> {
  await Promise.allSettled([
    Shell.preload(),
    RoomScreen.preload(),
    GuildsPage.preload(),
    import('./preload.ts'),
  ])
}

/** When the code of the next screens is loaded, after the first one is shown, ms. */
const NEXT_SCREENS_MS = 2_500

const first: Readonly<Record<FirstAddress, ReactNode>> = {
  '/': <LandingScreen />,
  '/login': <LoginScreen acceptInvite={acceptInvite} />,
  '/authenticate': <AuthenticateScreen keptInviteCode={keptInviteCode} />,
  '/forgot': <ForgotScreen />,
  '/bindmobile': <BindMobileScreen acceptInvite={acceptInvite} />,
  '/invite': null,
  '/invite/:code': <Invite />,
  '/user-invite': null,
  '/user-invite/:code': <UserInviteScreen />,
}

/** The list of conversations stays beside the open one: it is one screen. */
const inShell: Readonly<Record<ShellAddress, ReactNode>> = {
  '/discover': <GuildsPage isDiscovering />,
  '/channels': <GuildsPage />,
  '/channels/userlist/:guildId': <MemberListScreen PersonSheet={PersonSheet} />,
  '/channels/:guildId': <GuildsPage />,
  '/channels/:guildId/:channelId': <RoomScreen />,
  '/chats': <ChatsScreen />,
  '/chats/:chatCode': <ChatsScreen />,
  '/chats/with/:userId': <ChatsScreen />,
  '/friends': <FriendsScreen />,
}

const routesOf = (elements: Readonly<Record<string, ReactNode>>): RouteObject[] =>
  Object.entries(elements).map(([path, element]) => ({ path, element }))

/** All routes of the page. chat.md §2. */
export const routes: RouteObject[] = [
  ...routesOf(first),
  {
    element: <Shell desk={<DeskFrame PersonSheet={PersonSheet} />} />,
    children: [
      ...routesOf(inShell),
      ...ACCOUNT_ADDRESSES.map((path) => ({ path, element: <AccountPages /> })),
    ],
  },
  { path: '*', element: <OtherPages /> },
]

const Screens = () => useRoutes(routes)

/** The page at any address but that of an invite which starts alone (`start.tsx`). */
export function App() {
  useEffect(() => {
    // Those who read the landing page or a document may leave again.
    if (!/^\/(?:channels|login)/.test(location.pathname)) return
    const timer = setTimeout(() => void preloadScreens(), NEXT_SCREENS_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <AppErrorBoundary>
      <QueryClientProvider client={cache}>
        <BrowserRouter>
          <RedirectAfter401 />
          <Suspense fallback={<RouteSkeleton />}>
            <Screens />
          </Suspense>
        </BrowserRouter>
      </QueryClientProvider>
      <Toasts />
    </AppErrorBoundary>
  )
}

function Invite() {
  const { code = '' } = useParams()
  const navigate = useNavigate()
  return (
    <InviteScreen
      key={code}
      code={code}
      go={(path, isStep) => void navigate(path, isStep ? { state: FROM_INVITE } : { replace: true })}
    />
  )
}
