/** The calls of the site itself: errors of pages, and the apps beside it. */
import * as wire from '@guildhall/wire/site/clientLog.ts'
import { latestVersion } from '@guildhall/wire/site/site.ts'
import { type Binding, bind, bindStaff } from '../kit/http/binding.ts'
import { type ClientLogDeps, listClientErrors, recordClientError } from './site.ts'

/** The newest app of a platform. */
interface AppVersion {
  readonly url: string
  readonly version: string
}

export const siteRoutes = ({
  apps,
  ...deps
}: ClientLogDeps & { readonly apps: Readonly<Record<'ios' | 'android', AppVersion>> }): Binding[] => [
  bind(wire.logClientError, async ({ caller, place }, error) => {
    await recordClientError(deps, error, { userId: caller?.userId ?? null, place })
    return {}
  }),
  bindStaff(wire.listClientErrors, async (_context, { before, name }) => ({
    items: await listClientErrors(deps.db, { before, name, limit: wire.CLIENT_ERRORS_PAGE }),
  })),
  bind(latestVersion, async (_context, { platform }) => {
    const name = platform.toLowerCase()
    return name === 'ios' || name === 'android' ? apps[name] : { url: '', version: '' }
  }),
]
