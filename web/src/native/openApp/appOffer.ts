/**
 * Whether the native app is offered on this device. Small: pages ask it before their first paint. Decision
 * 66.
 */
import { offeredApps } from '@guildhall/wire/site/appsCookie.ts'
import { type Environment, here } from '../environment.ts'
import { shell } from '../shell.ts'

/** Whether there is an app to open or to download on a platform. */
export const hasApp = (
  { platform }: Pick<Environment, 'platform'>,
  cookies: string = document.cookie,
): boolean => offeredApps(cookies).includes(platform)

/** Whether this page offers the app: there is one for this phone, and the page is not inside of it. */
export const isAppOffered = (): boolean => !shell() && hasApp(here())
