/** What the server has of the search: its calls, and the care of its index. */
import type { FileAddresses } from '../asset/asset.ts'
import { EVERY_MINUTE, type Module, type ModuleContext } from '../kit/module.ts'
import { searchRoutes } from './routes.ts'
import { makeMissing, settle } from './searchIndex.ts'

export const searchModule = (
  { appContext, limits, alone }: ModuleContext,
  { addresses }: { readonly addresses: FileAddresses },
): Module => ({
  routes: searchRoutes({ appContext: { ...appContext, addresses }, limits }),
  schedules: [
    {
      name: 'keep-search-index',
      cron: EVERY_MINUTE,
      // After an upgrade a large server makes it beside its work.
      atStart: true,
      run: () =>
        alone(async (query) => {
          await makeMissing(query)
          await settle(query)
        }),
    },
  ],
})
