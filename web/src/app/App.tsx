import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { BrowserRouter, Navigate, Route, Routes, useNavigate, useParams } from 'react-router'
import { acceptInvite } from '../invite/invite.ts'
import { FROM_INVITE, paths } from '../kit/paths.ts'
import { cache } from '../kit/routeQuery.ts'
import { LoadingState } from '../ui/LoadingState.tsx'
import { Page } from '../ui/Page.tsx'
import { Toasts } from '../ui/Toast.tsx'
import { AppErrorBoundary } from './AppErrorBoundary.tsx'
import { RedirectAfter401 } from './RedirectAfter401.tsx'

const LandingScreen = lazy(() => import('../site/LandingScreen.tsx'))
const DocumentScreen = lazy(() => import('../site/DocumentScreen.tsx'))
const NotFoundScreen = lazy(() => import('../site/NotFoundScreen.tsx'))
const LoginScreen = lazy(() => import('../auth/LoginScreen.tsx'))
const shell = () => import('./Shell.tsx')
const Shell = lazy(shell)
const channels = () => import('../channel/ChannelsScreen.tsx')
const ChannelsScreen = lazy(channels)
const room = () => import('../room/RoomScreen.tsx')
const RoomScreen = lazy(room)
const InviteScreen = lazy(() =>
  import('../invite/InviteScreen.tsx').then((module) => ({ default: module.InviteScreen })),
)

/** Only in development. */
const Gallery = import.meta.env.DEV ? lazy(() => import('../testing/gallery/Gallery.tsx')) : null

// Preloads the screen inside the shell in parallel.
if (location.pathname.startsWith('/channels')) {
  void shell()
  void (/^\/channels\/\d+\/\d/.test(location.pathname) ? room() : channels())
}

/** All routes of the page. chat.md §2. */
export function App() {
  return (
    <AppErrorBoundary>
      <QueryClientProvider client={cache}>
        <BrowserRouter>
          <RedirectAfter401 />
          <Suspense fallback={<Waiting />}>
            <Routes>
              <Route path="/" element={<LandingScreen />} />
              <Route path="/login" element={<LoginScreen acceptInvite={acceptInvite} />} />
              <Route path="/terms" element={<DocumentScreen which="terms" />} />
              <Route path="/privacy" element={<DocumentScreen which="privacy" />} />
              <Route path="/invite" element={null} />
              <Route path="/invite/:code" element={<Invite />} />
              <Route path="/channels/userlist/*" element={<NotFoundScreen />} />
              <Route path="/channels" element={<Shell />}>
                <Route index element={<ChannelsScreen />} />
                <Route path=":guildId" element={<ChannelsScreen />} />
                <Route path=":guildId/:channelId" element={<RoomScreen />} />
              </Route>
              <Route path="/index.html" element={<Navigate to={paths.home()} replace />} />
              <Route path="/home" element={<Navigate to={paths.home()} replace />} />
              {Gallery && <Route path="/dev/gallery" element={<Gallery />} />}
              <Route path="*" element={<NotFoundScreen />} />
            </Routes>
          </Suspense>
        </BrowserRouter>
      </QueryClientProvider>
      <Toasts />
    </AppErrorBoundary>
  )
}

function Waiting() {
  return (
    <Page>
      <LoadingState page />
    </Page>
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
