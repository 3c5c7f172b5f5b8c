/**
 * People, as staff find and see them, and what staff do to their accounts. The command line uses the same
 * functions.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { FOUND_MAX, type FoundPerson, SHOWN_MAX, type StaffPerson } from '@guildhall/wire/staff/people.ts'
import { SUSPENDED_MOST_MS } from '@guildhall/wire/staff/staff.ts'
import { DAY_MS, type Millis } from '@guildhall/wire/unit.ts'
import { deleteAccount } from '../../account/account.ts'
import {
  dropSecondFactor,
  hasPassword,
  hasSecondFactor,
  readNumber,
  resetPassword,
  restore,
  sessionsOf,
  signOut,
  suspend,
} from '../../auth/auth.ts'
import { unusedBoosts, usedBy } from '../../boost/boost.ts'
import { buffGrants, giveBuff, takeGivenBuff } from '../../buff/buff.ts'
import { notifyFromOfficialAccount } from '../../chat/chat.ts'
import type { NotifyHolder } from '../../entitlement/entitlement.ts'
import { goliveEnds } from '../../golive/golive.ts'
import { clock } from '../../kit/clock.ts'
import type { Db, Tx } from '../../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../../kit/events/events.ts'
import { recordSecurity } from '../../kit/securityLog.ts'
import { someMembershipsOf } from '../../member/member.ts'
import { verifiedSince } from '../../realname/realname.ts'
import {
  buffEnd,
  clearSuspensions,
  type FoundRow,
  findPeopleByName,
  findPerson,
  lockUser,
  maskedContact,
  pictureOf,
  type Suspension,
  staffRightsOf,
  suspensionOf,
} from '../../user/user.ts'
import { onPerson, onPersonIn, type StaffActor } from '../staffAction.ts'
import { text } from '../text.ts'

type PersonContext = Pick<AppContext, 'db' | 'publicUrl'>

export interface PersonQuery {
  readonly userId?: UserId | undefined
  readonly mobile?: { readonly prefix: string; readonly mobile: string } | undefined
  /** `name#1234`, or how a name begins. */
  readonly name?: string | undefined
  /** Those that follow this one of the people of a name. */
  readonly after?: UserId | undefined
}

/**
 * The people of an id, of a number, or of a name: a page of at most `FOUND_MAX`.
 * @throws Failure auth.mobile_required, auth.mobile_wrong, bad_input (nothing is asked for)
 */
export async function findPeople(
  appContext: PersonContext,
  input: PersonQuery,
): Promise<{ readonly items: FoundPerson[]; readonly has_more: boolean }> {
  const found = await rowsOf(appContext.db, input)
  return {
    items: found.slice(0, FOUND_MAX).map((row) => hitOf(row, appContext)),
    has_more: found.length > FOUND_MAX,
  }
}

async function rowsOf(db: Db, { userId, mobile, name, after }: PersonQuery): Promise<FoundRow[]> {
  const one = (row: FoundRow | null) => (row ? [row] : [])
  if (userId !== undefined) return one(await findPerson(db, { id: userId }))
  if (mobile !== undefined) return one(await findPerson(db, readNumber(mobile)))
  const typed = name?.trim() ?? ''
  if (typed !== '') return findPeopleByName(db, { name: typed, after: after ?? null }, FOUND_MAX + 1)
  throw fail('bad_input', { fields: ['user_id', 'mobile', 'name'] })
}

function hitOf(row: FoundRow, appContext: Pick<AppContext, 'publicUrl'>): FoundPerson {
  const { id, username, identify_num, bot, created_at } = row
  const suspension = suspensionOf(row)
  return {
    id,
    username,
    identify_num,
    bot,
    ...maskedContact(row),
    created_at,
    avatar: row.deleted_at === null ? pictureOf(row, appContext) : '',
    state: row.deleted_at !== null ? 'deleted' : suspension ? 'suspended' : 'active',
    suspended_until: suspension?.until ?? 0,
    is_staff: row.staff_role !== '' || row.staff_rights.length > 0,
  }
}

/** All that staff see of a person. @throws Failure user.unknown */
export async function viewPerson(appContext: PersonContext, userId: UserId): Promise<StaffPerson> {
  const { db } = appContext
  const row = await findPerson(db, { id: userId })
  if (!row) throw fail('user.unknown')
  const [sessions, memberships, grants, unused, used, golive, verified_at, has_password, second_factor] =
    await Promise.all([
      sessionsOf(db, userId),
      someMembershipsOf(db, userId, SHOWN_MAX),
      buffGrants(db, userId, SHOWN_MAX),
      unusedBoosts(db, userId),
      usedBy(db, userId, clock.now()),
      goliveEnds(db, userId),
      verifiedSince(db, userId),
      hasPassword(db, userId),
      hasSecondFactor(db, userId),
    ])
  return {
    ...hitOf(row, appContext),
    custom_num: row.custom_num,
    mobile_verified: row.mobile_verified,
    has_password,
    second_factor,
    staff_role: row.staff_role,
    staff_rights: await staffRightsOf(db, userId),
    verified_at,
    suspended_reason: suspensionOf(row)?.reason ?? '',
    sessions: sessions.map((it) => ({
      id: it.id,
      os: it.device_os ?? '',
      app: it.device_app ?? '',
      network: it.network ?? '',
      created_at: it.created_at,
      seen_at: it.seen_at,
    })),
    guilds: memberships.map(({ guild_id, name, owner_id, is_gone, joined_at }) => ({
      id: guild_id,
      name,
      is_gone,
      joined_at,
      is_owner: owner_id === userId,
    })),
    buff_until: buffEnd(row),
    buff_grants: grants.map(({ id, order_id, length, granted_at, revoked_at }) => ({
      id,
      order_id: order_id ?? '',
      days: length / DAY_MS,
      granted_at,
      revoked_at: revoked_at ?? 0,
    })),
    boost_unused: unused,
    boost_used: used.slice(0, SHOWN_MAX).map(({ guild_id, name, use_boost_num, boost_end_time }) => ({
      guild_id,
      name,
      count: use_boost_num,
      end_at: boost_end_time,
    })),
    golive_normal: golive.normal,
    golive_pro: golive.pro,
  }
}

/** A suspension in the staff log. */
const logged = (input: Suspension | null) =>
  input ? { until: input.until ?? 'endless', reason: input.reason } : null

/**
 * Suspends somebody until a moment, ms, or until they are restored, null.
 * @throws Failure user.unknown, staff.end_wrong, forbidden
 */
export const suspendUser = (
  appContext: AppContext,
  by: StaffActor,
  userId: UserId,
  input: Suspension,
): Promise<void> =>
  onPerson(appContext, by, { kind: 'user suspend', userId, reason: input.reason }, async (tx, emit) => {
    const now = clock.now()
    if (input.until !== null && (input.until <= now || input.until > now + SUSPENDED_MOST_MS))
      throw fail('staff.end_wrong')
    const before = await suspend(tx, emit, userId, input)
    return { before: logged(before), until: input.until ?? 'endless' }
  })

/** @throws Failure user.unknown, forbidden */
export const restoreUser = (
  appContext: AppContext,
  by: StaffActor,
  userId: UserId,
  reason?: string,
): Promise<void> =>
  onPerson(appContext, by, { kind: 'user restore', userId, reason }, async (tx) => ({
    before: logged(await restore(tx, userId)),
  }))

/** People who are told in one transaction that their suspension is over. */
const TOLD_AT_ONCE = 50

/**
 * Tells people whose suspension is over, in one bounded batch, and clears it; how many there were. Nothing
 * waits for it: they may log in since the moment itself.
 */
export const endSuspensions = (appContext: AppContext): Promise<number> =>
  commit(appContext, async (tx, emit) => {
    const over = await clearSuspensions(tx, TOLD_AT_ONCE)
    for (const userId of over) {
      await recordSecurity(tx, { kind: 'user suspension over', userId })
      await notifyFromOfficialAccount(appContext, tx, emit, {
        to: userId,
        text: text[defaultLocale].suspensionOver,
      })
    }
    return over.length
  })

/** @throws Failure user.unknown, forbidden */
export const signOutUser = (
  appContext: AppContext,
  by: StaffActor,
  userId: UserId,
  reason?: string,
): Promise<void> =>
  onPerson(appContext, by, { kind: 'user signout', userId, reason }, async (tx, emit) => ({
    sessions: await signOut(tx, emit, userId),
  }))

/** `password` null: it is removed. @throws Failure user.unknown, forbidden */
export const setUserPassword = (
  appContext: AppContext,
  by: StaffActor,
  userId: UserId,
  input: { readonly password: string | null; readonly reason?: string | undefined },
): Promise<void> =>
  onPerson(appContext, by, { kind: 'user password', userId, reason: input.reason }, async (tx, emit) => {
    await resetPassword(tx, emit, userId, input.password)
    return { removed: input.password === null }
  })

/**
 * Turns the second factor of somebody off who has lost it, and ends their sessions, so that an owner who did
 * not ask notices.
 * @throws Failure user.unknown, auth.second_factor_off, forbidden
 */
export const endSecondFactorOf = (appContext: AppContext, by: StaffActor, userId: UserId): Promise<void> =>
  onPerson(appContext, by, { kind: 'second factor off', userId }, async (tx, emit) => {
    await signOut(tx, emit, userId)
    if (!(await dropSecondFactor(tx, userId))) throw fail('auth.second_factor_off')
    return undefined
  })

/**
 * `queueMessageDeletion` is called in the same transaction. @throws Failure user.unknown, user.owns_guilds,
 * forbidden
 */
export const deleteUser = (
  appContext: AppContext,
  by: StaffActor,
  userId: UserId,
  it: {
    readonly reason?: string | undefined
    readonly queueMessageDeletion?: (tx: Tx) => Promise<void>
  } = {},
): Promise<void> =>
  onPerson(appContext, by, { kind: 'user delete', userId, reason: it.reason }, async (tx, emit) => {
    await deleteAccount(tx, emit, userId)
    await it.queueMessageDeletion?.(tx)
    return { words: it.queueMessageDeletion !== undefined }
  })

/** Where acts begin whose person, and who sees them, are told what changed. */
export interface NotifyingContext {
  readonly appContext: AppContext
  readonly notify: NotifyHolder
}

/** To whom BUFF is given, for how long, and why. */
export interface BuffGift {
  readonly userId: UserId
  readonly days: number
  readonly reason?: string | undefined
}

/**
 * Gives BUFF after what the person has, and answers until when it lasts, ms. They are told. @throws Failure
 * user.unknown, forbidden
 */
export async function giveBuffIn(
  { appContext, notify, tx, emit }: NotifyingContext & { readonly tx: Tx; readonly emit: Emit },
  by: StaffActor,
  { userId, days, reason }: BuffGift,
): Promise<Millis> {
  let until: Millis = 0
  await onPersonIn(tx, by, { kind: 'buff give', userId, reason }, async () => {
    const user = await lockUser(tx, userId)
    if (user.bot) throw fail('user.unknown')
    until = await giveBuff({ tx, emit, notify }, userId, days)
    const content = text[defaultLocale].buffGiven(days, until)
    await notifyFromOfficialAccount(appContext, tx, emit, { to: userId, text: content })
    return { days, before: buffEnd(user), until }
  })
  return until
}

/** The same in a transaction of its own. @throws Failure user.unknown, forbidden */
export const giveBuffTo = (input: NotifyingContext, by: StaffActor, gift: BuffGift): Promise<Millis> =>
  commit(input.appContext, (tx, emit) => giveBuffIn({ ...input, tx, emit }, by, gift))

/**
 * Takes BUFF back that the operator gave; what was bought is ended by a refund. The person is told.
 * @throws Failure user.unknown, buff.not_given, forbidden
 */
export const takeBuffFrom = (
  { appContext, notify }: NotifyingContext,
  by: StaffActor,
  userId: UserId,
  { grantId, reason }: { readonly grantId: string; readonly reason?: string | undefined },
): Promise<void> =>
  onPerson(appContext, by, { kind: 'buff take', userId, target: grantId, reason }, async (tx, emit) => {
    const user = await lockUser(tx, userId)
    const taken = await takeGivenBuff({ tx, emit, notify }, userId, grantId)
    if (!taken) throw fail('buff.not_given')
    const days = taken.length / DAY_MS
    const content = text[defaultLocale].buffTaken(days, reason ?? '')
    await notifyFromOfficialAccount(appContext, tx, emit, { to: userId, text: content })
    return { days, before: buffEnd(user), until: taken.until }
  })
