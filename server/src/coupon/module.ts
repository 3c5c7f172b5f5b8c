/** What the server has of codes. */
import type { Module, ModuleContext } from '../kit/module.ts'
import type { ProductKinds } from '../order/order.ts'
import type { OnStaffRedeem } from './coupon.ts'
import { couponRoutes } from './routes.ts'

export const couponModule = (
  { appContext, limits }: ModuleContext,
  input: { readonly kinds: ProductKinds; readonly onStaff: OnStaffRedeem },
): Module => ({ routes: couponRoutes({ appContext, limits, ...input }) })
