/** The calls of authors whose messages wait for staff. */
import { viewHeld, withdrawHeld } from '@guildhall/wire/screening/screening.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { statesOf, withdraw } from './screening.ts'

export const screeningRoutes = ({ appContext }: { readonly appContext: AppContext }): Binding[] => [
  bindUser(viewHeld, async ({ caller }, { nonces }) => ({
    items: nonces.length === 0 ? [] : await statesOf(appContext.db, caller.userId, nonces),
  })),
  bindUser(withdrawHeld, async ({ caller }, { nonce }) => {
    await withdraw(appContext, caller.userId, nonce)
    return {}
  }),
]
