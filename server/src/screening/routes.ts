/** The calls of authors whose messages wait for staff. */
import { viewHeld, withdrawHeld } from '@guildhall/wire/screening/screening.ts'
import type { Live } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { statesOf, withdraw } from './screening.ts'

export const screeningRoutes = ({ live }: { readonly live: Pick<Live, 'db'> }): Binding[] => [
  bindUser(viewHeld, async ({ caller }, { nonces }) => ({
    items: nonces.length === 0 ? [] : await statesOf(live.db, caller.userId, nonces),
  })),
  bindUser(withdrawHeld, async ({ caller }, { nonce }) => {
    await withdraw(live.db, caller.userId, nonce)
    return {}
  }),
]
