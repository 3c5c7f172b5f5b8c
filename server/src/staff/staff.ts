/**
 * Acts of operators and staff. The command line and the calls of staff use the same functions; each records
 * itself in the security log, in its own transaction.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import type { StaffRole } from '@guildhall/wire/staff/roles.ts'
import { discardAny } from '../asset/asset.ts'
import { memberTarget, writeAudit } from '../audit/audit.ts'
import { deleteAnyPrivate } from '../chat/chat.ts'
import { inviteTarget, revokeInvite } from '../invite/invite.ts'
import type { Tx } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { removeMember } from '../member/member.ts'
import { deleteAnyBy } from '../message/message.ts'
import { findUser, setStaffRights, setStaffRole, staffOf, staffRightsOf } from '../user/user.ts'
import { auditActor, onPerson, record, type StaffActor } from './staffAction.ts'

export {
  decideApproval,
  recordStaffRedeem,
  waitingApprovals,
} from './approvals/approvals.ts'
export { makeCodesBy, pauseCodesBy } from './codes/codes.ts'
export { openStaffGate } from './gate.ts'
export { giveGuildTo, recommendBy, reopenGuild, shutGuild } from './guilds/guilds.ts'
export { decideHeld } from './held.ts'
export { keepNumbers, readNumbers } from './numbers/numbers.ts'
export {
  deleteUser,
  endSecondFactorOf,
  endSuspensions,
  findPeople,
  giveBuffTo,
  type PersonQuery,
  restoreUser,
  setUserPassword,
  signOutUser,
  suspendUser,
  takeBuffFrom,
  viewPerson,
} from './people/people.ts'
export type { ReportersQueue } from './reports/reports.ts'
export { decideReview } from './reviews/reviews.ts'
export { record, type StaffActor } from './staffAction.ts'

/** Deletes a message of a channel or of a private conversation. @throws Failure message.unknown */
export const removeMessage = (
  appContext: AppContext,
  by: StaffActor,
  id: MessageId,
  reason = '',
): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    const userId =
      (await deleteAnyBy(tx, emit, auditActor(by), { id, reason })) ?? (await deleteAnyPrivate(tx, emit, id))
    if (userId === null) throw fail('message.unknown')
    await record(tx, by, 'message delete', { userId, target: id, ...(reason && { detail: { reason } }) })
  })

/** Deletes a file by its address or key, and returns the key. @throws Failure asset.unknown */
export const removeAsset = (appContext: AppContext, by: StaffActor, address: string): Promise<string> =>
  commit(appContext, async (tx) => {
    const { key, userId } = await discardAny(tx, address)
    await record(tx, by, 'asset delete', { userId, target: key })
    return key
  })

/** @throws Failure guild.unknown, guild.not_member, guild.owner, forbidden */
export const removeFromGuild = (
  appContext: AppContext,
  by: StaffActor,
  guildId: GuildId,
  userId: UserId,
): Promise<void> =>
  onPerson(appContext, by, { kind: 'member remove', userId, target: guildId }, async (tx, emit) => {
    await removeMember(tx, emit, guildId, userId, auditActor(by))
    await writeAudit(tx, { guildId, by: auditActor(by), type: 'member_kicked', target: memberTarget(userId) })
    return undefined
  })

/** Returns the guild. @throws Failure invite.invalid */
export const endInvite = (appContext: AppContext, by: StaffActor, code: string): Promise<GuildId> =>
  commit(appContext, async (tx) => {
    const guildId = await revokeInvite(tx, code)
    await writeAudit(tx, { guildId, by: auditActor(by), type: 'invite_revoked', target: inviteTarget(code) })
    await record(tx, by, 'invite revoke', { target: guildId })
    return guildId
  })

/**
 * Gives an account a role of staff, or takes it (`''`); rights that were granted beside it stay. @throws
 * Failure user.unknown
 */
export const changeRole = (
  appContext: AppContext,
  by: StaffActor,
  input: { readonly userId: UserId; readonly role: StaffRole | '' },
): Promise<StaffRight[]> =>
  commit(appContext, async (tx) => {
    await requirePerson(tx, input.userId)
    await setStaffRole(tx, input.userId, input.role)
    await record(tx, by, 'staff role', { userId: input.userId, target: input.role })
    return staffRightsOf(tx, input.userId)
  })

/** @throws Failure user.unknown */
async function requirePerson(tx: Tx, userId: UserId): Promise<void> {
  const user = await findUser(tx, userId)
  if (!user || user.deleted_at !== null || user.bot) throw fail('user.unknown')
}

/** Grants or revokes one right of staff; returns the rights there are now. @throws Failure user.unknown */
export const changeRight = (
  appContext: AppContext,
  by: StaffActor,
  input: { readonly userId: UserId; readonly right: StaffRight; readonly isGranted: boolean },
): Promise<StaffRight[]> =>
  commit(appContext, async (tx) => {
    await requirePerson(tx, input.userId)
    const others = (await staffOf(tx, input.userId)).staff_rights.filter((right) => right !== input.right)
    await setStaffRights(tx, input.userId, input.isGranted ? [...others, input.right] : others)
    const kind = input.isGranted ? 'staff grant' : 'staff revoke'
    await record(tx, by, kind, { userId: input.userId, target: input.right })
    return staffRightsOf(tx, input.userId)
  })
