/** What the server has of codes. */
import type { AppContext, Module } from '../kit/module.ts'
import type { ProductKinds } from '../order/order.ts'
import { couponRoutes } from './routes.ts'

export const couponModule = ({ live, limits }: AppContext, kinds: ProductKinds): Module => ({
  routes: couponRoutes({ live, kinds, limits }),
})
