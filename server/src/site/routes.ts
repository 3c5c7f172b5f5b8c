/** The calls about errors of pages. */
import * as wire from '@guildhall/wire/site/clientLog.ts'
import { type Binding, bind, bindStaff } from '../kit/http/binding.ts'
import { type ClientLogDeps, listClientErrors, recordClientError } from './site.ts'

export const siteRoutes = (deps: ClientLogDeps): Binding[] => [
  bind(wire.logClientError, async ({ caller, place }, error) => {
    await recordClientError(deps, error, { userId: caller?.userId ?? null, place })
    return {}
  }),
  bindStaff(wire.listClientErrors, async (_context, { before, name }) => ({
    items: await listClientErrors(deps.db, { before, name, limit: wire.CLIENT_ERRORS_PAGE }),
  })),
]
