/** The native app beside the pages. Without schemas: every page reads it. */

/** The platforms that have a native app. */
export const APP_PLATFORMS = ['ios', 'android'] as const
export type AppPlatform = (typeof APP_PLATFORMS)[number]

/** The cookie that tells a page on which platforms there is an app to open or download, joined by dots: `apps=ios.android`. */
export const APPS_COOKIE = 'apps'

/** The platforms with an app that a browser's cookies tell of. */
export function offeredApps(cookies: string): readonly AppPlatform[] {
  const offered = new RegExp(`(?:^|; )${APPS_COOKIE}=([\\w.]*)`).exec(cookies)?.[1]?.split('.') ?? []
  return APP_PLATFORMS.filter((platform) => offered.includes(platform))
}
