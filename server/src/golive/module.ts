/** What the server has of screen sharing. */
import type { Module, ModuleContext } from '../kit/module.ts'
import type { Selling } from '../product/product.ts'
import { GOLIVE } from './golive.ts'
import { goliveRoutes } from './routes.ts'

export const goliveModule = (
  { config, appContext: { db } }: ModuleContext,
  { paying, hasRenewal }: Selling,
): Module => ({
  routes: goliveRoutes({
    db,
    paying,
    video: config.site.goliveVideo,
    hasRenewal: (userId) => hasRenewal(userId, GOLIVE),
  }),
})
