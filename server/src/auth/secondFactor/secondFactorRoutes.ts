/** The calls about one's own second factor. */
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
  secondFactorState,
} from '@guildhall/wire/auth/secondFactor.ts'
import { Failure, fail } from '@guildhall/wire/failure.ts'
import { clock } from '../../kit/clock.ts'
import type { AppContext } from '../../kit/events/events.ts'
import { type Binding, bindUser, type Caller } from '../../kit/http/binding.ts'
import { findUser, type UserRow } from '../../user/user.ts'
import type { Auth } from '../auth.ts'
import type { Proof } from '../owner/confirm.ts'

export const secondFactorRoutes = (auth: Auth, appContext: AppContext): Binding[] => [
  bindUser(secondFactorState, async ({ caller }) => {
    return auth.secondFactors.state(caller.userId)
  }),
  bindUser(beginSecondFactor, async ({ caller, network }, { owner }) => {
    await auth.secondFactors.requireOff(caller.userId)
    const { username, identify_num } = await userOf(appContext, caller)
    await auth.confirm(caller, owner, network)
    return auth.secondFactors.start(caller, `${username}#${identify_num}`)
  }),
  bindUser(confirmSecondFactor, async ({ caller, network }, { setup, code }) => {
    return { recovery_codes: await auth.secondFactors.confirm(caller, setup, code, network) }
  }),
  bindUser(endSecondFactor, async ({ caller, network }, { owner, second_factor }) => {
    await asOwner(auth, appContext, caller, { owner, network }, (user) =>
      auth.secondFactors.end(user, caller, second_factor, network),
    )
    return {}
  }),
  bindUser(renewRecoveryCodes, async ({ caller, network }, { owner, second_factor }) => {
    return {
      recovery_codes: await asOwner(auth, appContext, caller, { owner, network }, (user) =>
        auth.secondFactors.renew(user, caller, second_factor, network),
      ),
    }
  }),
]

/**
 * Changes a second factor that is on, after the owner's proof. A code that proved it stays valid when the
 * second factor is refused.
 * @throws Failure auth.second_factor_off, as `confirmOwner` does, and what `act` throws
 */
async function asOwner<T>(
  auth: Auth,
  appContext: AppContext,
  caller: Caller,
  { owner, network }: { readonly owner: Proof; readonly network: string },
  act: (user: UserRow) => Promise<T>,
): Promise<T> {
  await auth.secondFactors.requireOn(caller.userId)
  const user = await userOf(appContext, caller)
  const startedAt = clock.now()
  await auth.confirm(caller, owner, network)
  try {
    return await act(user)
  } catch (error) {
    const number = { prefix: user.mobile_prefix, mobile: user.mobile }
    if (error instanceof Failure && owner.code !== '') await auth.giveBackCode(number, owner.code, startedAt)
    throw error
  }
}

/** @throws Failure not_logged_in */
async function userOf(appContext: AppContext, { userId }: Caller): Promise<UserRow> {
  const user = await findUser(appContext.db, userId)
  if (!user) throw fail('not_logged_in')
  return user
}
