/** What the server has of codes. */
import type { AppContext, Module } from '../kit/module.ts'
import type { ProductKinds } from '../order/order.ts'
import type { OnStaffRedeem } from './coupon.ts'
import { couponRoutes } from './routes.ts'

export const couponModule = (
  { live, limits }: AppContext,
  input: { readonly kinds: ProductKinds; readonly onStaff: OnStaffRedeem },
): Module => ({ routes: couponRoutes({ live, limits, ...input }) })
