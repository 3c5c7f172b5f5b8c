/**
 * The files by which phones learn that addresses of this site open the app. Decision 66, docs/operations.md.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { AppConfig } from '../../config/site.ts'
import type { EndpointReply, Page } from '../../kit/http/endpoints.ts'

/** What the app opens: places, invites, and the page that leads into it. All else stays on the web. */
export const APP_PATHS = ['/invite/?*', '/user-invite/?*', '/channels/?*', '/oia', '/oia/*'] as const

/** Lists of members are pages of the web. */
const WEB_PATHS = ['/channels/userlist/*'] as const

const json = (body: unknown): EndpointReply => ({ status: 200, type: 'json', body: JSON.stringify(body) })

/**
 * `/.well-known/apple-app-site-association` (APP_LINK_IOS) and `/.well-known/assetlinks.json`
 * (APP_LINK_ANDROID); 404 without the variable. An invite that somebody chose to read on the web (`?web`)
 * stays there.
 */
export const appLinkPages = ({
  iosLink,
  androidLink,
}: Pick<AppConfig, 'iosLink' | 'androidLink'>): Page[] => [
  {
    path: '/.well-known/apple-app-site-association',
    async run() {
      if (!iosLink) throw fail('not_found')
      const components = [
        { '/': '*', '?': { web: '*' }, exclude: true },
        ...WEB_PATHS.map((path) => ({ '/': path, exclude: true })),
        ...APP_PATHS.map((path) => ({ '/': path })),
      ]
      return json({ applinks: { details: [{ appIDs: [iosLink], components }] } })
    },
  },
  {
    path: '/.well-known/assetlinks.json',
    async run() {
      if (!androidLink) throw fail('not_found')
      const { packageName, fingerprints } = androidLink
      const target = {
        namespace: 'android_app',
        package_name: packageName,
        sha256_cert_fingerprints: fingerprints,
      }
      return json([{ relation: ['delegate_permission/common.handle_all_urls'], target }])
    },
  },
]
