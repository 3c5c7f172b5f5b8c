import { createRoot } from 'react-dom/client'
import { onCaptcha, onSecondFactor, onSessionEnded } from '../kit/call.ts'
import { reportUncaught } from '../kit/clientErrors.ts'
import { loadPart } from '../kit/laterPart.ts'
import { FROM_INVITE, pathAfter401 } from '../kit/paths.ts'

const loadApp = () => loadPart(() => import('./App.tsx'))

const INVITE = /^\/invite\/([^/]+)\/?$/

/**
 * Mounts the page. Invite links are opened by new users on slow networks: they start without the router, the cache
 * and the gateway connection, which are loaded when the user continues.
 */
export function start(place: HTMLElement): void {
  reportUncaught()
  onCaptcha((failure, input) =>
    loadPart(() => import('../captcha/captcha.tsx')).then(
      (it) => it.askCaptcha(failure, input),
      () => null,
    ),
  )
  onSecondFactor((...refused) =>
    loadPart(() => import('../auth/secondFactor.tsx')).then((it) => it.askSecondFactor(...refused)),
  )
  const root = createRoot(place)
  const code = INVITE.exec(location.pathname)?.[1]
  const openApp = async () => {
    const { App, preloadPath } = await loadApp()
    await preloadPath(location.pathname)
    root.render(<App />)
  }
  if (code === undefined) return void openApp()

  const prepare = () => void loadApp().then(({ preloadScreens }) => preloadScreens())
  const go = async (path: string, isStep = false) => {
    // From here on the router redirects.
    stopRedirecting()
    const { App, preloadPath } = await loadApp()
    await preloadPath(path)
    // The router reads `usr` as the location's state.
    if (isStep) history.pushState({ usr: FROM_INVITE }, '', path)
    else history.replaceState(null, '', path)
    root.render(<App />)
  }
  const open = (path: string, isStep?: boolean) => void go(path, isStep).catch(() => location.assign(path))
  // The session may end while somebody accepts. chat.md §8 "HTTP 401".
  const stopRedirecting = onSessionEnded(() => open(pathAfter401()))
  void loadPart(() => import('../invite/InviteScreen.tsx')).then(({ InviteScreen }) =>
    root.render(<InviteScreen code={decode(code)} go={open} prepare={prepare} />),
  )
}

/** A malformed percent sign must not break the page; the code is then invalid. */
function decode(code: string): string {
  try {
    return decodeURIComponent(code)
  } catch {
    return code
  }
}
