import { createRoot, type Root } from 'react-dom/client'
import { onCaptcha, onSecondFactor, onSessionEnded } from '../kit/call.ts'
import { reportUncaught } from '../kit/errors/clientErrors.ts'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { FROM_INVITE, pathAfter401 } from '../kit/paths.ts'
import { here } from '../native/environment.ts'

const loadApp = () => loadPart(() => import('./App.tsx'))

/** When what no first screen needs is loaded, ms. */
const LATER_MS = 1_500

const INVITE = /^\/invite\/([^/]+)\/?$/

/**
 * Mounts the page. Inside of a native shell it waits for the shell first: that says who is logged in. chat.md
 * §4 "Native bridge".
 */
export function start(container: HTMLElement): void {
  reportUncaught()
  onCaptcha((failure, input) =>
    loadPart(() => import('../captcha/captcha.tsx')).then(
      (it) => it.askCaptcha(failure, input),
      () => null,
    ),
  )
  onSecondFactor((...refused) =>
    loadPart(() => import('../auth/secondFactor/secondFactor.tsx')).then((it) =>
      it.askSecondFactor(...refused),
    ),
  )
  setTimeout(() => void loadPart(() => import('./later.ts')).catch(() => undefined), LATER_MS)
  const root = createRoot(container)
  if (!here().hasShell) return open(root)
  const enter = () => open(root)
  void loadPart(() => import('./shell/enterShell.tsx'))
    .then((it) => it.enterShell(root))
    .then(enter, enter)
}

/**
 * Renders the page's address. Invite links are opened by new users on slow networks: they start without the
 * router, the cache and the gateway connection, which are loaded when the user continues.
 */
function open(root: Root): void {
  const code = INVITE.exec(location.pathname)?.[1]
  const openApp = async () => {
    const { App, preloadPath } = await loadApp()
    await preloadPath(location.pathname)
    endSnapshot()
    root.render(<App />)
  }
  if (code === undefined) return void openApp()

  /** What is being loaded for the next page. */
  let next: { readonly path: string; readonly loaded: Promise<void> } | null = null
  const load = (path: string) => {
    if (next?.path !== path) next = { path, loaded: loadApp().then((it) => it.preloadPath(path)) }
    return next.loaded
  }
  const prepare = (path?: string) =>
    path === undefined
      ? void loadApp().then(({ preloadScreens }) => preloadScreens())
      : void load(path).catch(() => undefined)
  const go = async (path: string, isStep = false) => {
    // From here on the router redirects.
    stopRedirecting()
    const { App } = await loadApp()
    await load(path)
    // The router reads `usr` as the location's state.
    if (isStep) history.pushState({ usr: FROM_INVITE }, '', path)
    else history.replaceState(null, '', path)
    root.render(<App />)
  }
  const goOrLoad = (path: string, isStep?: boolean) =>
    void go(path, isStep).catch(() => location.assign(path))
  // The session may end while somebody accepts. chat.md §8 "HTTP 401".
  const stopRedirecting = onSessionEnded(() => goOrLoad(pathAfter401()))
  void loadPart(() => import('../invite/InviteScreen.tsx')).then(({ InviteScreen }) =>
    root.render(
      <InviteScreen
        code={decode(code)}
        go={goOrLoad}
        prepare={prepare}
        wasTapped={() => 'earlyTap' in window}
      />,
    ),
  )
}

/** What `showSnapshot.ts` shows is not the page: the page is drawn in its place in this moment. */
function endSnapshot(): void {
  document.getElementById('snapshot-css')?.remove()
  document.getElementById('root')?.removeAttribute('inert')
}

/** A malformed percent sign must not break the page; the code is then invalid. */
function decode(code: string): string {
  try {
    return decodeURIComponent(code)
  } catch {
    return code
  }
}
