import { createRoot } from 'react-dom/client'
import { onCaptcha } from '../kit/call.ts'
import { loadPart } from '../kit/laterPart.ts'
import { FROM_INVITE } from '../kit/paths.ts'

const loadApp = () => loadPart(() => import('./App.tsx'))

const INVITE = /^\/invite\/([^/]+)\/?$/

/**
 * Mounts the page. Invite links are opened by new users on slow networks: they start without the router, the cache
 * and the gateway connection, which are loaded when the user continues.
 */
export function start(place: HTMLElement): void {
  onCaptcha((failure, input) =>
    loadPart(() => import('../captcha/captcha.tsx')).then(
      (it) => it.askCaptcha(failure, input),
      () => null,
    ),
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
    const { App, preloadPath } = await loadApp()
    await preloadPath(path)
    // The router reads `usr` as the location's state.
    if (isStep) history.pushState({ usr: FROM_INVITE }, '', path)
    else history.replaceState(null, '', path)
    root.render(<App />)
  }
  void loadPart(() => import('../invite/InviteScreen.tsx')).then(({ InviteScreen }) =>
    root.render(
      <InviteScreen
        code={decode(code)}
        go={(path, isStep) => void go(path, isStep).catch(() => location.assign(path))}
        prepare={prepare}
      />,
    ),
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
