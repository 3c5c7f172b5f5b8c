/** What the server has of orders. */
import type { Module, ModuleContext } from '../kit/module.ts'
import type { ProductKinds } from './order.ts'
import { orderRoutes } from './routes.ts'

export const orderModule = ({ appContext: { db } }: ModuleContext, kinds: ProductKinds): Module => ({
  routes: orderRoutes({ db, kinds }),
})
