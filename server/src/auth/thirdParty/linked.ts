/**
 * Accounts at third parties as the owner of an account sees them, linking and unlinking them. Decision 53.
 */
import { linkThirdParty, listThirdParties, unlinkThirdParty } from '@guildhall/wire/auth/linked.ts'
import type { ThirdPartyName } from '@guildhall/wire/auth/thirdParty.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { type Db, type Tx, transaction } from '../../kit/database/db.ts'
import type { AppContext } from '../../kit/events/events.ts'
import { type Binding, bindUser, type Caller } from '../../kit/http/binding.ts'
import { recordSecurity } from '../../kit/securityLog.ts'
import { findUser, lockUser } from '../../user/user.ts'
import { hasPassword } from '../accountControl.ts'
import type { Auth } from '../auth.ts'
import type { Proof } from '../owner/confirm.ts'
import * as rows from './thirdPartySql.ts'

export const linkedRoutes = ({
  appContext,
  auth,
}: {
  readonly appContext: AppContext
  readonly auth: Auth
}): Binding[] => [
  bindUser(listThirdParties, async ({ caller }) => {
    const linked = await rows.thirdPartiesOf(appContext.db, caller.userId)
    return { items: linked.map(({ provider, created_at }) => ({ token_type: provider, created_at })) }
  }),
  bindUser(linkThirdParty, async (context, { token_type, auth_code, state, owner }) => {
    const { caller, network } = context
    const { userId, sessionId } = caller
    const answer = { provider: token_type, code: auth_code, state }
    const event = { kind: 'user link', userId, sessionId, network, target: token_type }
    const to = {
      userId,
      confirm: () => auth.confirm(caller, owner, network),
      record: (tx: Tx) => recordSecurity(tx, event),
    }
    await auth.thirdParties.link(answer, to, context)
    return {}
  }),
  bindUser(unlinkThirdParty, async ({ caller, network }, { token_type, owner }) => {
    await unlink(appContext.db, auth, caller, { provider: token_type, owner, network })
    return {}
  }),
]

/** @throws Failure auth.third_part_last, and as `confirmOwner` does */
async function unlink(
  db: Db,
  auth: Pick<Auth, 'confirm' | 'ways'>,
  caller: Caller,
  input: { readonly provider: ThirdPartyName; readonly owner: Proof; readonly network: string },
): Promise<void> {
  const { userId, sessionId } = caller
  // Before the proof, whose code would be used up.
  await requireAnotherWay(db, auth, caller, input.provider)
  await auth.confirm(caller, input.owner, input.network)
  await transaction(db, async (tx) => {
    await lockUser(tx, userId)
    await requireAnotherWay(tx, auth, caller, input.provider)
    if (!(await rows.remove(tx, input.provider, userId))) return
    await recordSecurity(tx, {
      kind: 'user unlink',
      userId,
      sessionId,
      network: input.network,
      target: input.provider,
    })
  })
}

/**
 * A number is always a way to log in: by a code; and so is a password where names log in.
 * @throws Failure auth.third_part_last, not_logged_in
 */
async function requireAnotherWay(
  db: Db,
  { ways }: Pick<Auth, 'ways'>,
  { userId }: Caller,
  provider: ThirdPartyName,
): Promise<void> {
  const user = await findUser(db, userId)
  if (!user) throw fail('not_logged_in')
  if (user.mobile !== '' || (ways.includes('invite') && (await hasPassword(db, userId)))) return
  const linked = await rows.thirdPartiesOf(db, userId)
  if (!linked.some((each) => each.provider !== provider)) throw fail('auth.third_part_last')
}
