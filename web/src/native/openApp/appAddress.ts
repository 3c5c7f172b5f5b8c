/** The addresses that open the native app. Decision 66. */
import type { Environment } from '../environment.ts'

/** What of the app its addresses need. */
export interface AppIdentity {
  /** The scheme of its own addresses, without `:`; empty without one. */
  readonly scheme: string
  /** The Android package whose app links are set up; empty without one. */
  readonly androidPackage: string
}

/** A guild, a channel or an invite by the path that the page has for it; no query, no escapes. */
const TARGET = /^\/(?:channels\/[1-9]\d{0,15}(?:\/[1-9]\d{0,15})?|(?:user-)?invite\/[A-Za-z\d]{6,32})$/

/** What the app is to show: a path that it knows, else `/`, which only opens it. */
export const appTarget = (path: string): string => (TARGET.test(path) ? path : '/')

/**
 * The address that opens the app at a path, in the browser that shows this page; null where none can.
 * Universal links are not among them: iOS opens those of a page's own host in the browser.
 */
export function addressOf(
  { scheme, androidPackage }: AppIdentity,
  { platform }: Pick<Environment, 'platform'>,
  path: string,
  { host, store }: { readonly host: string; readonly store: string | null },
): string | null {
  const target = appTarget(path)
  if (platform === 'android' && androidPackage) {
    // Without a scheme of its own the app takes the address of this site (app links).
    const [before, of] = scheme ? [target.slice(1) || 'home', scheme] : [host + target, 'https']
    const fallback = store ? `S.browser_fallback_url=${encodeURIComponent(store)};` : ''
    return `intent://${before}#Intent;scheme=${of};package=${androidPackage};${fallback}end`
  }
  return scheme && platform !== 'desktop' ? `${scheme}://${target.slice(1) || 'home'}` : null
}
