/** What the server has of entitlements: it tells of their ends. */
import type { AppContext, Module } from '../kit/module.ts'
import { type NotifyEnded, notifyEnds } from './entitlement.ts'

export const entitlementModule = ({ live }: AppContext, notify: NotifyEnded): Module => ({
  everyMinute: [(signal) => notifyEnds(live, notify, signal)],
})
