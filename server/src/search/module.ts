/** What the server has of the search. */
import type { FileAddresses } from '../asset/asset.ts'
import type { Module, ModuleContext } from '../kit/module.ts'
import { searchRoutes } from './routes.ts'

export const searchModule = (
  { appContext, limits }: ModuleContext,
  { addresses }: { readonly addresses: FileAddresses },
): Module => ({
  routes: searchRoutes({ appContext: { ...appContext, addresses }, limits }),
})
