/**
 * Acts of operators and staff. The command line and the calls of staff use the same functions; each records itself in the
 * security log, in its own transaction.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { StaffRight } from '@guildhall/wire/route.ts'
import type { StaffRole } from '@guildhall/wire/staff/roles.ts'
import { FOUND_MAX, type FoundPerson } from '@guildhall/wire/staff/staff.ts'
import { deleteAccount } from '../account/account.ts'
import { discardAny } from '../asset/asset.ts'
import {
  countSessions,
  dropSecondFactor,
  hasSecondFactor,
  readNumber,
  resetPassword,
  restore,
  signOut,
  suspend,
} from '../auth/auth.ts'
import { deleteAnyPrivate } from '../chat/chat.ts'
import { closeGuild, everyMembership, removeMember, restoreGuild } from '../guild/guild.ts'
import { revokeInvite } from '../invite/invite.ts'
import type { Db, Tx } from '../kit/db.ts'
import { commit, type Emit, type Live } from '../kit/events.ts'
import { type Actor, recordSecurity, type SecurityEvent } from '../kit/securityLog.ts'
import { deleteAny } from '../message/message.ts'
import {
  BANNED,
  createdAt,
  findByMobile,
  findByName,
  findUser,
  maskedMobile,
  setStaffRights,
  setStaffRole,
  staffOf,
  staffRightsOf,
  type UserRow,
} from '../user/user.ts'
import { recordStaff } from './log.ts'

export { openStaffGate } from './gate.ts'
export type { ReportersQueue } from './reports.ts'
export { decideReview } from './reviews.ts'

/** Who acts, and from where. */
export interface By {
  readonly actor: Actor
  readonly place?: string
  readonly sessionId?: string
}

export interface PersonQuery {
  readonly userId?: UserId | undefined
  readonly mobile?: { readonly prefix: string; readonly mobile: string } | undefined
  /** `name#1234`, or a name. */
  readonly name?: string | undefined
}

/**
 * The people of an id, of a number, or of a name, at most `FOUND_MAX`.
 * @throws Failure auth.mobile_required, auth.mobile_wrong, bad_input (nothing is asked for)
 */
export async function findPeople(db: Db, it: PersonQuery): Promise<FoundPerson[]> {
  return Promise.all((await peopleOf(db, it)).map((user) => personOf(db, user)))
}

async function peopleOf(db: Db, { userId, mobile, name }: PersonQuery): Promise<UserRow[]> {
  const one = (user: UserRow | null) => (user ? [user] : [])
  if (userId !== undefined) return one(await findUser(db, userId))
  if (mobile !== undefined) {
    const number = readNumber(mobile)
    return one(await findByMobile(db, number.prefix, number.mobile))
  }
  if (name !== undefined) return findByName(db, name, FOUND_MAX)
  throw fail('bad_input', { fields: ['user_id', 'mobile', 'name'] })
}

async function personOf(db: Db, user: UserRow): Promise<FoundPerson> {
  const memberships = await everyMembership(db, user.id)
  const { id, username, identify_num, bot, mobile_prefix, mobile } = user
  return {
    ...{ id, username, identify_num, bot, mobile_prefix, mobile: maskedMobile(mobile) },
    state: user.deleted_at !== null ? 'deleted' : user.status === BANNED ? 'suspended' : 'active',
    created_at: await createdAt(db, id),
    sessions: await countSessions(db, id),
    second_factor: await hasSecondFactor(db, id),
    staff_rights: await staffRightsOf(db, id),
    guilds: memberships
      .filter(({ is_gone }) => !is_gone)
      .map(({ guild_id, name, owner_id }) => ({ id: guild_id, name, is_owner: owner_id === id })),
  }
}

/** Records an act in the security log and in the staff log, in its own transaction. */
export async function record(
  tx: Tx,
  by: By,
  kind: string,
  { detail, ...it }: Partial<SecurityEvent> & { readonly detail?: object },
): Promise<void> {
  await recordSecurity(tx, { kind, ...by, ...it })
  const { actor, place, sessionId } = by
  const { userId, target } = it
  await recordStaff(tx, { actor, place, sessionId, userId, target, detail, kind: 'act', name: kind })
}

/** Runs an act on a person and records it. Staff do not act on staff. */
const onPerson = (
  live: Live,
  by: By,
  it: { readonly kind: string; readonly userId: UserId; readonly target?: string },
  act: (tx: Tx, emit: Emit) => Promise<unknown>,
): Promise<void> =>
  commit(live, async (tx, emit) => {
    if (by.actor !== 'operator' && (await staffRightsOf(tx, it.userId)).length > 0) throw fail('forbidden')
    const { kind, ...of } = it
    await record(tx, by, kind, of)
    await act(tx, emit)
  })

/** @throws Failure user.unknown, forbidden */
export const suspendUser = (live: Live, by: By, userId: UserId): Promise<void> =>
  onPerson(live, by, { kind: 'user suspend', userId }, (tx, emit) => suspend(tx, emit, userId))

/** @throws Failure user.unknown, forbidden */
export const restoreUser = (live: Live, by: By, userId: UserId): Promise<void> =>
  onPerson(live, by, { kind: 'user restore', userId }, (tx) => restore(tx, userId))

/** @throws Failure user.unknown, forbidden */
export const signOutUser = (live: Live, by: By, userId: UserId): Promise<void> =>
  onPerson(live, by, { kind: 'user signout', userId }, (tx, emit) => signOut(tx, emit, userId))

/** `password` null: it is removed. @throws Failure user.unknown, forbidden */
export const setUserPassword = (live: Live, by: By, userId: UserId, password: string | null): Promise<void> =>
  onPerson(live, by, { kind: 'user password', userId }, (tx, emit) =>
    resetPassword(tx, emit, userId, password),
  )

/**
 * Turns the second factor of somebody off who has lost it, and ends their sessions, so that an owner who did not ask notices.
 * @throws Failure user.unknown, auth.second_factor_off, forbidden
 */
export const endSecondFactorOf = (live: Live, by: By, userId: UserId): Promise<void> =>
  onPerson(live, by, { kind: 'second factor off', userId }, async (tx, emit) => {
    await signOut(tx, emit, userId)
    if (!(await dropSecondFactor(tx, userId))) throw fail('auth.second_factor_off')
  })

/** `queueWords` is called in the same transaction. @throws Failure user.unknown, user.owns_guilds, forbidden */
export const deleteUser = (
  live: Live,
  by: By,
  userId: UserId,
  queueWords: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<void> =>
  onPerson(live, by, { kind: 'user delete', userId }, async (tx, emit) => {
    await deleteAccount(tx, emit, userId)
    await queueWords(tx)
  })

/** Deletes a message of a channel or of a private conversation. @throws Failure message.unknown */
export const removeMessage = (live: Live, by: By, id: MessageId, reason = ''): Promise<void> =>
  commit(live, async (tx, emit) => {
    const userId = (await deleteAny(tx, emit, id)) ?? (await deleteAnyPrivate(tx, emit, id))
    if (userId === null) throw fail('message.unknown')
    await record(tx, by, 'message delete', { userId, target: id, ...(reason && { detail: { reason } }) })
  })

/** Deletes a file by its address or key, and returns the key. @throws Failure asset.unknown */
export const removeAsset = (live: Live, by: By, address: string): Promise<string> =>
  commit(live, async (tx) => {
    const { key, userId } = await discardAny(tx, address)
    await record(tx, by, 'asset delete', { userId, target: key })
    return key
  })

/** @throws Failure guild.unknown, guild.not_member, guild.owner, forbidden */
export const removeFromGuild = (live: Live, by: By, guildId: GuildId, userId: UserId): Promise<void> =>
  onPerson(live, by, { kind: 'member remove', userId, target: guildId }, (tx, emit) =>
    removeMember(tx, emit, guildId, userId),
  )

/** Returns the guild. @throws Failure invite.invalid */
export const endInvite = (live: Live, by: By, code: string): Promise<GuildId> =>
  commit(live, async (tx) => {
    const guildId = await revokeInvite(tx, code)
    await record(tx, by, 'invite revoke', { target: guildId })
    return guildId
  })

/** @throws Failure guild.unknown */
export const shutGuild = (live: Live, by: By, guildId: GuildId): Promise<void> =>
  commit(live, async (tx, emit) => {
    await closeGuild(tx, emit, guildId)
    await record(tx, by, 'guild close', { target: guildId })
  })

/** @throws Failure guild.not_closed */
export const reopenGuild = (live: Live, by: By, guildId: GuildId): Promise<void> =>
  restoreGuild(live, guildId, (tx) => record(tx, by, 'guild restore', { target: guildId }))

/** Gives an account a role of staff, or takes it (`''`); rights that were granted beside it stay. @throws Failure user.unknown */
export const changeRole = (
  live: Live,
  by: By,
  it: { readonly userId: UserId; readonly role: StaffRole | '' },
): Promise<StaffRight[]> =>
  commit(live, async (tx) => {
    await requirePerson(tx, it.userId)
    await setStaffRole(tx, it.userId, it.role)
    await record(tx, by, 'staff role', { userId: it.userId, target: it.role })
    return staffRightsOf(tx, it.userId)
  })

/** @throws Failure user.unknown */
async function requirePerson(tx: Tx, userId: UserId): Promise<void> {
  const user = await findUser(tx, userId)
  if (!user || user.deleted_at !== null || user.bot) throw fail('user.unknown')
}

/** Grants or revokes one right of staff; returns the rights there are now. @throws Failure user.unknown */
export const changeRight = (
  live: Live,
  by: By,
  it: { readonly userId: UserId; readonly right: StaffRight; readonly isGranted: boolean },
): Promise<StaffRight[]> =>
  commit(live, async (tx) => {
    await requirePerson(tx, it.userId)
    const others = (await staffOf(tx, it.userId)).staff_rights.filter((right) => right !== it.right)
    await setStaffRights(tx, it.userId, it.isGranted ? [...others, it.right] : others)
    const kind = it.isGranted ? 'staff grant' : 'staff revoke'
    await record(tx, by, kind, { userId: it.userId, target: it.right })
    return staffRightsOf(tx, it.userId)
  })
