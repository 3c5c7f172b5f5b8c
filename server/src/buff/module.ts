/** What the server has of BUFF. */
import type { Module, ModuleContext } from '../kit/module.ts'
import type { Selling } from '../product/product.ts'
import { BUFF } from './buff.ts'
import { buffRoutes } from './routes.ts'

export const buffModule = (
  { appContext: { db } }: ModuleContext,
  { paying, hasRenewal }: Selling,
): Module => ({
  routes: buffRoutes({ db, paying, hasRenewal: (userId) => hasRenewal(userId, BUFF) }),
})
