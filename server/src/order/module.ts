/** What the server has of orders. */
import type { AppContext, Module } from '../kit/module.ts'
import type { ProductKinds } from './order.ts'
import { orderRoutes } from './routes.ts'

export const orderModule = ({ live: { db } }: AppContext, kinds: ProductKinds): Module => ({
  routes: orderRoutes({ db, kinds }),
})
