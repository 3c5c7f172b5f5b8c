/** The calls of the site itself: errors of pages, and the apps beside it. */
import type { AnswerOf } from '@guildhall/wire/route.ts'
import * as wire from '@guildhall/wire/site/clientLog.ts'
import { latestVersion, siteDocument, siteInfo } from '@guildhall/wire/site/site.ts'
import { type Binding, bind, bindStaff } from '../kit/http/binding.ts'
import { documentOf } from './face/documents.ts'
import type { SiteFace } from './face/folder.ts'
import { type ClientLogDeps, listClientErrors, recordClientError } from './site.ts'

/** The newest app of a platform. */
interface AppVersion {
  readonly url: string
  readonly version: string
}

export interface SiteDeps extends ClientLogDeps {
  readonly apps: Readonly<Record<'ios' | 'android', AppVersion>>
  readonly info: AnswerOf<typeof siteInfo>
  readonly face: Pick<SiteFace, 'documents'>
}

export const siteRoutes = ({ apps, info, face, ...deps }: SiteDeps): Binding[] => [
  bind(wire.logClientError, async ({ caller, network }, error) => {
    await recordClientError(deps, error, { userId: caller?.userId ?? null, network })
    return {}
  }),
  bindStaff(wire.listClientErrors, async (_context, { before, name }) => ({
    items: await listClientErrors(deps.db, { before, name, limit: wire.CLIENT_ERRORS_PAGE }),
  })),
  bind(latestVersion, async (_context, { platform }) => {
    const name = platform.toLowerCase()
    return name === 'ios' || name === 'android' ? apps[name] : { url: '', version: '' }
  }),
  bind(siteInfo, async () => info),
  bind(siteDocument, async (_context, which) => documentOf(face, which)),
]
