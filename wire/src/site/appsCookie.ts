/** The native app beside the pages. Without schemas: every page reads it. */

/** The platforms that have a native app. */
export const APP_PLATFORMS = ['ios', 'android'] as const
export type AppPlatform = (typeof APP_PLATFORMS)[number]

/**
 * The cookie that tells a page where there is an app to open or download, joined by dots: `apps=ios.android`.
 */
export const APPS_COOKIE = 'apps'

/** In the cookie beside the platforms: the reference shell stands in for the app. Development only. */
export const SHELL_IS_APP = 'shell'

/** Where there is an app, as a browser's cookies tell of. */
export const offeredApps = (cookies: string): readonly string[] =>
  new RegExp(`(?:^|; )${APPS_COOKIE}=([\\w.]+)`).exec(cookies)?.[1]?.split('.') ?? []

/**
 * The address that shows a path of this site in the reference shell, with the login of the browser.
 * docs/native.md.
 */
export const shellAddress = (path: string): string =>
  `/dev/shell?login=browser&path=${encodeURIComponent(path)}`
