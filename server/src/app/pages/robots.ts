/** What robots may read of the site: `GET /robots.txt`. */
import { pages, pagesForRobots } from '@guildhall/wire/pages.ts'
import { GATEWAY_PATH } from '../../gateway/connectionAcceptor.ts'
import type { Page } from '../../kit/http/endpoints.ts'
import { SITE_MAP_PATH } from '../../profile/profile.ts'

/** What is not a page, and nothing for robots. */
const NO_PAGES = ['api', 'dev', 'metrics', 'healthz', 'readyz', GATEWAY_PATH.slice(1)]

const firstPart = (address: string): string => address.split('/')[1] ?? ''

/** `siteMap`: its address; null: there is none. */
export function robotsText({ siteMap }: { readonly siteMap: string | null }): string {
  const open: ReadonlySet<string> = new Set(pagesForRobots)
  const closed = Object.keys(pages).flatMap((address) => (open.has(address) ? [] : [firstPart(address)]))
  // An address, and all below it; not others that only begin so, such as short links of invites.
  const rules = [...new Set([...closed, ...NO_PAGES])].flatMap((part) =>
    ['$', '?', '/'].map((end) => `Disallow: /${part}${end}`),
  )
  return ['User-agent: *', ...rules, ...(siteMap === null ? [] : ['', `Sitemap: ${siteMap}`]), ''].join('\n')
}

/** `hasSiteMap`: the operator wants a map of the site. */
export const robotsPage = (hasSiteMap: boolean): Page => ({
  path: '/robots.txt',
  run: async ({ origin }) => ({
    status: 200,
    type: 'text',
    body: robotsText({ siteMap: hasSiteMap ? origin + SITE_MAP_PATH : null }),
  }),
})
