/** The calls about one's own account as a whole. */
import { deleteAccount as deleteRoute, exportAccount } from '@guildhall/wire/account/account.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { Auth } from '../auth/auth.ts'
import type { Tx } from '../kit/db.ts'
import { commit, type Live } from '../kit/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { recordSecurity } from '../kit/securityLog.ts'
import { deleteAccount, exportPage } from './account.ts'

export const accountRoutes = ({
  live,
  auth,
  queueWords,
}: {
  readonly live: Live
  readonly auth: Pick<Auth, 'confirm'>
  /** Queues the deletion of a person's words, in the transaction that deletes the account. */
  readonly queueWords: (tx: Tx, userId: UserId) => Promise<void>
}): Binding[] => [
  bindUser(deleteRoute, async ({ caller, place }, { password, code, words }) => {
    const { userId, sessionId } = caller
    // A bot belongs to its operator.
    if (caller.isBot) throw fail('forbidden')
    await auth.confirm(userId, { password, code })
    await commit(live, async (tx, emit) => {
      await deleteAccount(tx, emit, userId)
      if (words) await queueWords(tx, userId)
      await recordSecurity(tx, { kind: 'user delete', userId, sessionId, place })
    })
    return {}
  }),
  bindUser(exportAccount, async ({ caller, origin }, { cursor }) => {
    if (caller.isBot) throw fail('forbidden')
    return exportPage(live.db, caller.userId, { cursor, origin })
  }),
]
