import type { NavigateFunction } from 'react-router'
import { leaveFor } from '../native/openApp/leaveFor.ts'

/**
 * Leads the browser to a provider from the page of ours to which it leads back, so that this page is there
 * whichever way the person comes back. `from`: that page, by its whole address. False: one of the addresses
 * is none.
 */
export function leaveFrom(
  navigate: NavigateFunction,
  { url, from, replace = false }: { readonly url: string; readonly from: string; readonly replace?: boolean },
): boolean {
  const page = URL.canParse(from) ? new URL(from) : null
  if (!page || !/^https?:/.test(url)) return false
  // Without its site: people may use the server by several addresses.
  void navigate(page.pathname + page.search, { replace })
  return leaveFor(url, { isBack: true })
}
