/** What the server has of entitlements: it tells of their ends. */
import type { Module, ModuleContext } from '../kit/module.ts'
import { type NotifyEnded, notifyEnds } from './entitlement.ts'

export const entitlementModule = ({ appContext }: ModuleContext, notify: NotifyEnded): Module => ({
  everyMinute: [(signal) => notifyEnds(appContext, notify, signal)],
})
