/** The calls of renewals. */
import {
  closeRenewal as closeRenewalRoute,
  listRenewals,
  renewalType,
} from '@guildhall/wire/renewal/renewal.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import type { PayDeps } from '../pay/pay.ts'
import { closeRenewal, renewalsOf } from './renewal.ts'

export const renewalRoutes = (pay: PayDeps): Binding[] => [
  bindUser(listRenewals, async ({ caller, locale }, { type }) => {
    const kind = type === renewalType.buff ? 'buff' : 'golive'
    return { items: await renewalsOf(pay.appContext.db, pay.kinds, caller.userId, { kind, locale }) }
  }),
  bindUser(closeRenewalRoute, async ({ caller }, { code }) => {
    await closeRenewal(pay, caller.userId, code)
    return {}
  }),
]
