/** What the server has of screen sharing. */
import type { AppContext, Module } from '../kit/module.ts'
import type { Selling } from '../product/product.ts'
import { GOLIVE } from './golive.ts'
import { goliveRoutes } from './routes.ts'

export const goliveModule = (
  { config, live: { db } }: AppContext,
  { paying, hasRenewal }: Selling,
): Module => ({
  routes: goliveRoutes({
    db,
    paying,
    video: config.site.goliveVideo,
    hasRenewal: (userId) => hasRenewal(userId, GOLIVE),
  }),
})
