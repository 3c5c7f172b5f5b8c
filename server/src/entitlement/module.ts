/** What the server has of entitlements: it tells of their ends. */
import type { AppContext, Module } from '../kit/module.ts'
import { type TellEnded, tellEnds } from './entitlement.ts'

export const entitlementModule = ({ live }: AppContext, tell: TellEnded): Module => ({
  everyMinute: [(signal) => tellEnds(live, tell, signal)],
})
