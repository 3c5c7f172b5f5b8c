import { createRoot } from 'react-dom/client'
import { onCaptcha, onSessionEnded } from '../kit/call.ts'
import { reportUncaught } from '../kit/clientErrors.ts'
import { FROM_INVITE, pathAfter401 } from '../kit/paths.ts'

const RELOADED = 'reloaded'
const RELOAD_AGAIN_MS = 60_000

const INVITE = /^\/invite\/([^/]+)\/?$/

/**
 * Mounts the page. Invite links are opened by new users on slow networks: they start without the router, the cache
 * and the gateway connection, which are loaded when the user continues.
 */
export function start(place: HTMLElement): void {
  reloadAfterDeploy()
  reportUncaught()
  onCaptcha((failure, input) =>
    import('../captcha/captcha.tsx').then(
      (it) => it.askCaptcha(failure, input),
      () => null,
    ),
  )
  const root = createRoot(place)
  const code = INVITE.exec(location.pathname)?.[1]
  const openApp = async () => {
    const { App, preloadPath } = await import('./App.tsx')
    await preloadPath(location.pathname)
    root.render(<App />)
  }
  if (code === undefined) return void openApp()

  const prepare = () => void import('./App.tsx').then(({ preloadScreens }) => preloadScreens())
  const go = async (path: string, isStep = false) => {
    // From here on the router redirects.
    stopRedirecting()
    const { App, preloadPath } = await import('./App.tsx')
    await preloadPath(path)
    // The router reads `usr` as the location's state.
    if (isStep) history.pushState({ usr: FROM_INVITE }, '', path)
    else history.replaceState(null, '', path)
    root.render(<App />)
  }
  const open = (path: string, isStep?: boolean) => void go(path, isStep).catch(() => location.assign(path))
  // The session may end while somebody accepts. chat.md §8 "HTTP 401".
  const stopRedirecting = onSessionEnded(() => open(pathAfter401()))
  void import('../invite/InviteScreen.tsx').then(({ InviteScreen }) =>
    root.render(<InviteScreen code={decode(code)} go={open} prepare={prepare} />),
  )
}

/**
 * A script of this page is gone: the server has a newer page. Loads that one, once; a second failure is the network's, and
 * what asked for the script shows it.
 */
function reloadAfterDeploy(): void {
  addEventListener('vite:preloadError', () => {
    // Without a network the script is only out of reach, and a reload would lose the page.
    fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
      ({ ok }) => ok && reloadOnce(),
      () => undefined,
    )
  })
  // A page that works for this long may reload again after the next deploy.
  setTimeout(() => {
    try {
      sessionStorage.removeItem(RELOADED)
    } catch {
      // As above.
    }
  }, RELOAD_AGAIN_MS)
}

function reloadOnce(): void {
  try {
    if (sessionStorage.getItem(RELOADED) !== null) return
    sessionStorage.setItem(RELOADED, '1')
  } catch {
    // Without storage it could reload for ever.
    return
  }
  location.reload()
}

/** A malformed percent sign must not break the page; the code is then invalid. */
function decode(code: string): string {
  try {
    return decodeURIComponent(code)
  } catch {
    return code
  }
}
