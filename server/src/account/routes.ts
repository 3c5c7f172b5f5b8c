/** The calls about one's own account as a whole. */
import { deleteAccount as deleteRoute, exportAccount } from '@guildhall/wire/account/account.ts'
import type { FileAddresses } from '../asset/asset.ts'
import type { Auth } from '../auth/auth.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { recordSecurity } from '../kit/securityLog.ts'
import { deleteAccount, exportPage, type MessageDeletionQueue, type OwnReports } from './account.ts'

export const accountRoutes = ({
  appContext,
  auth,
  deletion,
  addresses,
  ownReports,
}: {
  readonly appContext: AppContext
  readonly addresses: FileAddresses
  readonly auth: Pick<Auth, 'confirm'>
  readonly deletion: MessageDeletionQueue
  readonly ownReports: OwnReports
}): Binding[] => [
  bindUser(deleteRoute, async ({ caller, network }, { password, code, words: isWithMessages }) => {
    const { userId, sessionId } = caller
    // A bot belongs to its operator.
    await auth.confirm(caller, { password, code }, network)
    await commit(appContext, async (tx, emit) => {
      await deleteAccount(tx, emit, userId)
      if (isWithMessages) await deletion.queue(tx, userId)
      await recordSecurity(tx, { kind: 'user delete', userId, sessionId, network })
    })
    if (isWithMessages) deletion.wake()
    return {}
  }),
  bindUser(exportAccount, async ({ caller, origin }, { cursor }) => {
    return exportPage(appContext.db, caller.userId, { cursor, origin, addresses, ownReports })
  }),
]
