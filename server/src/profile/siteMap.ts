/**
 * The map of the site for search engines: the guilds that are recommended now. sitemaps.org, decision 108.
 */
import type { Db } from '../kit/database/db.ts'
import type { Page } from '../kit/http/endpoints.ts'
import type { Limits } from '../kit/limits/rateLimit.ts'
import { SITE_MAPS_PER_NETWORK } from './limit.ts'
import * as rows from './sql.ts'

export const SITE_MAP_PATH = '/sitemap.xml'
/** Where guilds are found that have no address of their own. */
const DISCOVERY = '/discover'
/** As many as a map may have. */
const ENTRIES_MAX = 50_000

/** `GET /sitemap.xml`. */
export const siteMapPage = ({ db, limits }: { readonly db: Db; readonly limits: Limits }): Page => ({
  path: SITE_MAP_PATH,
  async run({ origin, network }) {
    await limits.use(SITE_MAPS_PER_NETWORK, network)
    const changes = new Map<string, number>()
    for (const { custom_id, changed_at } of await rows.mappedGuilds(db, ENTRIES_MAX)) {
      const path = custom_id === null ? DISCOVERY : `/g/${custom_id}`
      changes.set(path, Math.max(changes.get(path) ?? 0, changed_at))
    }
    return { status: 200, type: 'xml', body: siteMapOf(origin, changes) }
  },
})

/** Paths need no escapes: those of guilds are letters, digits and hyphens. */
function siteMapOf(origin: string, changes: ReadonlyMap<string, number>): string {
  const entries = [...changes].map(
    ([path, at]) =>
      `<url><loc>${origin}${path}</loc><lastmod>${new Date(at).toISOString().slice(0, 10)}</lastmod></url>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`
}
