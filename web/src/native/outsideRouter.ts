/** Links that need the app: `/app/…`. commerce.md §2 "Outside the router", decision 66. */
import { paths } from '../kit/paths.ts'
import { here, isInChatApp } from './environment.ts'
import { isAppOffered } from './openApp/appOffer.ts'
import { appTarget, openApp, WAITS } from './openApp/openApp.ts'
import { shell } from './shell.ts'

/**
 * Opens the app at the path after `/app`, and its store when it did not open. Returns what the page shows
 * meanwhile: the page that offers both, or the location itself where no app is offered.
 */
export function openOutsideRouter(pathname: string): string {
  const target = appTarget(pathname.replace(/^\/app/, '').replace(/\/$/, ''))
  const isOffered = isAppOffered()
  if (shell() || (isOffered && !isInChatApp(here()))) void openApp(target, { waitMs: WAITS.outsideRouter })
  return isOffered ? paths.openInApp(target) : target
}
