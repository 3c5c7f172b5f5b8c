/** Referral: codes of users, and crediting who brought a new one. chat.md §3 "Inviter lookup", §7. */
import type { ExportedReferral } from '@guildhall/wire/account/account.ts'
import { Failure, fail } from '@guildhall/wire/failure.ts'
import type { InviteCode, UserId } from '@guildhall/wire/id.ts'
import { CREDIT_WITHIN_MS, type Referral, referralCodeIn } from '@guildhall/wire/invite/referral.ts'
import { findGuild } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { AppContext } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import { createdAt, findUser, isSuspended, lockUser, pictureOf, type UserRow } from '../user/user.ts'
import * as rows from './referralSql.ts'
import { byCode, type InviteRow } from './sql.ts'

/** Who is named by a code, and by which kind of code. */
interface Inviter {
  readonly user: UserRow
  readonly via: rows.Credit['via']
  /** As it is stored. */
  readonly code: InviteCode
}

const canInvite = (user: UserRow): boolean => !user.bot && !isSuspended(user) && user.deleted_at === null

/** @throws Failure referral.invalid */
async function ownerOfCode(db: Db, typed: string): Promise<Inviter> {
  const code = referralCodeIn(typed)
  const userId = code && (await rows.ownerOf(db, code))
  const user = userId && (await findUser(db, userId))
  if (!code || !user || !canInvite(user)) throw fail('referral.invalid')
  return { user, via: 'user', code }
}

const isUsable = ({ expires_at, uses, uses_max }: InviteRow): boolean =>
  (expires_at === null || expires_at > clock.now()) && (uses_max === null || uses < uses_max)

/** The owner of a user's code, or who made an invite into a guild. @throws Failure referral.invalid */
async function inviterOf(db: Db, code: string): Promise<Inviter> {
  const invite = await byCode(db, code)
  if (!invite) return ownerOfCode(db, code)
  const user = await findUser(db, invite.user_id)
  const guild = await findGuild(db, invite.guild_id)
  if (!user || !guild || !canInvite(user) || !isUsable(invite)) throw fail('referral.invalid')
  return { user, via: 'guild', code: code as InviteCode }
}

const describe = ({ user, code }: Inviter, site: Pick<AppContext, 'publicUrl'>): Referral => ({
  inviter: {
    username: user.username,
    identify_num: user.identify_num,
    avatar: pictureOf(user, site),
  },
  user_invite_code: code,
})

/** Whose code it is. @throws Failure referral.invalid */
export const viewReferral = async (
  site: Pick<AppContext, 'db' | 'publicUrl'>,
  code: string,
): Promise<Referral> => describe(await ownerOfCode(site.db, code), site)

/** The user's code, made when they have none, and how many people registered by it. */
export async function myCode(
  db: Db,
  userId: UserId,
): Promise<{ readonly code: InviteCode; readonly count: number }> {
  for (let tries = 0; tries < 10; tries++) {
    const code = await rows.codeOf(db, userId)
    if (code) return { code, count: await rows.countInvited(db, userId) }
    await rows.addCode(db, userId, ids.referralCode(), clock.now())
  }
  throw new Error('no free referral code was found')
}

/** By what the inviter of a new account is known; `none`: nobody is credited. */
export type Via = rows.Credit['via'] | 'none'

/**
 * Records how an account came to be, in the transaction that makes it. A code that cannot be used credits
 * nobody and keeps nobody from registering.
 */
export async function recordRegistration(
  tx: Tx,
  userId: UserId,
  input: { readonly code: string | null; readonly source: number | null },
): Promise<Via> {
  const inviter = input.code === null ? null : await inviterOf(tx, input.code).catch(nobody)
  const credit = inviter && { inviterId: inviter.user.id, via: inviter.via }
  await rows.add(tx, { userId, credit, source: input.source, now: clock.now() })
  return credit?.via ?? 'none'
}

/** @throws what is no refusal */
function nobody(error: unknown): null {
  if (error instanceof Failure) return null
  throw error
}

/** Whether a code would be credited for an account, null: for a guest's next one. */
export async function checkCode(
  site: Pick<AppContext, 'db' | 'publicUrl'>,
  userId: UserId | null,
  code: string,
): Promise<Referral> {
  const inviter = await inviterOf(site.db, code)
  if (userId !== null) await requireCreditable(site.db, userId, inviter)
  return describe(inviter, site)
}

async function requireCreditable(db: Db, userId: UserId, { user }: Inviter): Promise<void> {
  if (user.id === userId) throw fail('referral.own')
  const registeredAt = await createdAt(db, userId)
  if (clock.now() - registeredAt > CREDIT_WITHIN_MS) throw fail('referral.late')
  if (await rows.isCredited(db, userId)) throw fail('referral.recorded')
  // Two newcomers cannot credit each other.
  if ((await createdAt(db, user.id)) >= registeredAt) throw fail('referral.invalid')
}

/**
 * Credits the inviter whom a new user names after registering, once: within seven days, and when nobody was
 * credited.
 * @throws Failure referral.invalid, referral.own, referral.late, referral.recorded, user.unknown
 */
export async function creditReferral(tx: Tx, userId: UserId, code: string): Promise<void> {
  // Of two at once the second sees what the first has recorded.
  await lockUser(tx, userId)
  const inviter = await inviterOf(tx, code)
  await requireCreditable(tx, userId, inviter)
  const credit = { inviterId: inviter.user.id, via: inviter.via }
  const now = clock.now()
  // An account of the command line, or from before referrals, has no row yet.
  if (await rows.add(tx, { userId, credit, source: null, now })) return
  if (!(await rows.credit(tx, userId, credit, now))) throw fail('referral.recorded')
}

/** Ends the code of an account that is deleted. */
export const forgetReferrals = rows.forget

/** What is recorded of a person's referral, for the copy of their data. */
export async function referralFacts(db: Db, userId: UserId): Promise<ExportedReferral> {
  const origin = await rows.originOf(db, userId)
  return {
    code: (await rows.codeOf(db, userId)) ?? '',
    invited: await rows.countInvited(db, userId),
    inviter_id: origin?.inviter_id ?? '',
    via: origin?.via ?? '',
    source: origin?.source ?? null,
  }
}
