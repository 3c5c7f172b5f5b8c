/** What is sold where the page is shown. commerce.md §7. */
import { market } from '@guildhall/wire/product/product.ts'
import { shell } from '../native/shell.ts'

/** The first version of the Android app that buys packages which renew themselves. commerce.md §7. */
const RENEWING_SINCE = [1, 42, 0]

/** The market of this environment: 1 in the iOS app, else 0. */
export const marketHere = (): number => (shell()?.config.app_plantform === 'IOS' ? market.ios : market.any)

/**
 * 1 where packages that renew themselves are bought, else 0: in an app that sells them, and in a browser,
 * where `soldHere` says which.
 */
export function periodHere(): 0 | 1 {
  const config = shell()?.config
  if (!config) return 1
  return config.app_plantform === 'Android' && isSince(config.version) ? 1 : 0
}

function isSince(version: string): boolean {
  const parts = version.split('.').map((it) => Number.parseInt(it, 10) || 0)
  for (const [at, least] of RENEWING_SINCE.entries()) {
    const part = parts[at] ?? 0
    if (part !== least) return part > least
  }
  return true
}
