/** An account as a whole: its deletion, with or without its words, and the copy of its data. */
import type { UserId } from '@guildhall/wire/id.ts'
import { z } from '@guildhall/wire/schema.ts'
import { discardAt, discardSomeOf } from '../asset/asset.ts'
import { eraseLogin } from '../auth/auth.ts'
import { forgetRules } from '../channel/channel.ts'
import { deleteSomePrivateOf, forgetChats } from '../chat/chat.ts'
import { forgetFriends } from '../friend/friend.ts'
import { requireOwnsNone } from '../guild/guild.ts'
import { forgetReferrals } from '../invite/invite.ts'
import { type Tx, transaction } from '../kit/database/db.ts'
import { type AppContext, type Emit, forgetPersonEvents } from '../kit/events/events.ts'
import { type Jobs, jobKind } from '../kit/jobs.ts'
import { forgetMember, forgetMutes, forgetNotes } from '../member/member.ts'
import { deleteSomeOf, deleteWelcomesOf, forgetReader } from '../message/message.ts'
import { forgetRealName } from '../realname/realname.ts'
import { endAllRenewals } from '../renewal/renewal.ts'
import { forgetHeld } from '../screening/screening.ts'
import { eraseUser, lockUser, numberOf } from '../user/user.ts'

export { exportPage, type OwnReports } from './export.ts'
export {
  changeIdentity,
  holderNotifier,
  type IdentityNotifier,
  identityDeps,
  notifyGuilds,
  notifyGuildsJob,
} from './identity.ts'

/**
 * Deletes an account for good: its sessions end, its memberships end with events, its number is free, its
 * personal data is gone. Its messages stay under the name of a deleted user; `deleteMessagesOf` deletes them
 * afterwards.
 * @throws Failure user.unknown, user.owns_guilds
 */
export async function deleteAccount(tx: Tx, emit: Emit, userId: UserId): Promise<void> {
  const user = await lockUser(tx, userId)
  await requireOwnsNone(tx, userId)
  await forgetPersonEvents(tx, userId)
  await deleteWelcomesOf(tx, emit, userId)
  await forgetMember(tx, emit, userId)
  await forgetMutes(tx, userId)
  await forgetNotes(tx, userId)
  await forgetRules(tx, userId)
  await forgetReader(tx, userId)
  await forgetFriends(tx, emit, userId)
  await forgetChats(tx, userId)
  await forgetHeld(tx, emit, userId)
  await forgetReferrals(tx, userId)
  await forgetRealName(tx, userId)
  await endAllRenewals(tx, userId)
  for (const picture of [user.avatar, user.vip_avatar]) await discardAt(tx, picture)
  await eraseLogin(tx, emit, {
    userId,
    prefix: user.mobile_prefix,
    mobile: user.mobile,
    name: `${user.username}#${numberOf(user)}`,
  })
  await eraseUser(tx, userId)
}

/** The words of a deleted account are deleted in the background. */
export const deleteMessagesJob = jobKind({
  name: 'delete-words',
  data: z.object({ user_id: z.string() }),
  pollSeconds: 30,
  expiresAfterSeconds: 3_600,
})

/** Where the deletion of words is queued. */
export interface MessageDeletionQueue {
  /** In the transaction that deletes the account. */
  readonly queue: (tx: Tx, userId: UserId) => Promise<void>
  /** Called after its commit. */
  readonly wake: () => void
}

export const messageDeletionQueue = (jobs: Pick<Jobs, 'send' | 'wake'>): MessageDeletionQueue => ({
  queue: (tx, userId) => jobs.send(tx, deleteMessagesJob, { user_id: userId }),
  wake: () => jobs.wake(deleteMessagesJob),
})

/** Messages, or files, deleted in one transaction. */
const AT_ONCE = 50

/**
 * Deletes all messages and files of a person, with events, batch by batch. May be repeated. Returns how many
 * messages.
 */
export async function deleteMessagesOf(
  appContext: AppContext,
  userId: UserId,
  signal?: AbortSignal,
): Promise<number> {
  let all = 0
  const steps = [
    () => deleteSomeOf(appContext, userId, AT_ONCE),
    () => deleteSomePrivateOf(appContext, userId, AT_ONCE),
  ]
  for (const step of steps) {
    for (let deleted = AT_ONCE; deleted === AT_ONCE; all += deleted) {
      signal?.throwIfAborted()
      deleted = await step()
    }
  }
  for (let deleted = AT_ONCE; deleted === AT_ONCE; ) {
    signal?.throwIfAborted()
    deleted = await transaction(appContext.db, (tx) => discardSomeOf(tx, userId, AT_ONCE))
  }
  return all
}
