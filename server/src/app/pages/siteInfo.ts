/** What pages are told of the configuration: the native app, and the operator's lines. */
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { APP_PLATFORMS, SHELL_IS_APP } from '@guildhall/wire/site/appsCookie.ts'
import type { siteInfo } from '@guildhall/wire/site/site.ts'
import type { Config, SiteRecord } from '../../config.ts'
import type { SiteFace } from '../../site/site.ts'

type SiteConfig = Pick<Config, 'app' | 'apps' | 'site' | 'hasDemoApp'>

/** Where there is an app to open or to download, as the cookie of the pages says it. */
export function appsCookieOf({ app, apps, hasDemoApp }: SiteConfig): string {
  const links = { ios: app.iosLink !== '', android: app.androidLink !== null }
  const platforms = APP_PLATFORMS.filter((it) => app.scheme !== '' || links[it] || apps[it].url !== '')
  return [...platforms, ...(hasDemoApp ? [SHELL_IS_APP] : [])].join('.')
}

/** A variable goes before the folder of the operator's face. */
export const siteInfoOf = (
  { app, apps, site }: SiteConfig,
  face: Pick<SiteFace, 'contact'>,
): AnswerOf<typeof siteInfo> => ({
  app: {
    scheme: app.scheme,
    version: app.version,
    ios_url: app.iosUrl || apps.ios.url,
    android_url: app.androidUrl || apps.android.url,
    ios_links: app.iosLink !== '',
    android_package: app.androidLink?.packageName ?? '',
    wechat_app_id: app.wechatId,
  },
  contact: site.contact || face.contact,
  copyright: site.copyright,
  records: [...site.records],
})

/** Licences and registrations, as an invite's footer shows them. */
export const noticesOf = ({ site }: Pick<SiteConfig, 'site'>): readonly SiteRecord[] => [
  ...(site.copyright === '' ? [] : [{ text: site.copyright, url: '' }]),
  ...site.records,
]
