import type { AppContext, Module } from '../kit/module.ts'
import { tellEnds } from './entitlement.ts'

/** `tell` tells of something that ended by the clock, in a transaction. */
export const entitlementModule = ({ live }: AppContext, tell: Parameters<typeof tellEnds>[1]): Module => ({
  everyMinute: [(signal) => tellEnds(live, tell, signal)],
})
