import { createRoot } from 'react-dom/client'
import { FROM_INVITE } from '../kit/paths.ts'

const INVITE = /^\/invite\/([^/]+)\/?$/

/**
 * Mounts the page. Invite links are opened by new users on slow networks: they start without the router, the cache
 * and the gateway connection, which are loaded when the user continues.
 */
export function start(place: HTMLElement): void {
  const root = createRoot(place)
  const code = INVITE.exec(location.pathname)?.[1]
  const openApp = async () => {
    const { App } = await import('./App.tsx')
    root.render(<App />)
  }
  if (code === undefined) return void openApp()

  const go = async (path: string, isStep = false) => {
    const { App } = await import('./App.tsx')
    // The router reads `usr` as the location's state.
    if (isStep) history.pushState({ usr: FROM_INVITE }, '', path)
    else history.replaceState(null, '', path)
    root.render(<App />)
  }
  void import('../invite/InviteScreen.tsx').then(({ InviteScreen }) =>
    root.render(
      <InviteScreen
        code={decode(code)}
        go={(path, isStep) => void go(path, isStep).catch(() => location.assign(path))}
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
