/** What people change of their own account: number, password, name. Decision 52. */
import type { Mobile } from '@guildhall/wire/auth/mobile.ts'
import type { ChangedSelf } from '@guildhall/wire/auth/owner.ts'
import { isPassword } from '@guildhall/wire/auth/password.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { type InviteCode, isInviteCode, type UserId } from '@guildhall/wire/id.ts'
import { clock } from '../../kit/clock.ts'
import { type Db, sqlState, type Tx, transaction } from '../../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../../kit/events/events.ts'
import type { Caller } from '../../kit/http/binding.ts'
import { useAttempt } from '../../kit/limits/rateLimitDatabase.ts'
import { requireAllowed } from '../../kit/screening.ts'
import { recordSecurity } from '../../kit/securityLog.ts'
import {
  findByMobile,
  findUser,
  isSuspended,
  lockUser,
  markVerified,
  requireName,
  selfOf,
  setMobile,
  suspendedFailure,
} from '../../user/user.ts'
import { endSessions, resetPassword, setPassword } from '../accountControl.ts'
import type { Auth } from '../auth.ts'
import { AVATAR_FRAMES_PER_PERSON, AVATARS_PER_PERSON, RENAMES_PER_PERSON } from '../limit.ts'
import { codeFailure, isRefused } from '../login.ts'
import type { NewIdentity } from '../newIdentity.ts'
import { readNumber, saidOf } from '../number.ts'
import * as rows from '../sql.ts'
import type { Proof } from './confirm.ts'

type Owner = Pick<Caller, 'userId' | 'sessionId'>

/** What changing an account needs. */
export interface OwnerDeps {
  readonly appContext: AppContext
  readonly auth: Auth
  /** Checks and keeps somebody's real name. @throws Failure realname.* and too_many */
  readonly verifyRealName: (
    userId: UserId,
    typed: { readonly name: string; readonly number: string },
    network: string,
  ) => Promise<void>
  /** Gives a person another name or picture, and tells who sees it. @throws Failure asset.unknown */
  readonly changeIdentity: (tx: Tx, emit: Emit, userId: UserId, identity: NewIdentity) => Promise<void>
}

const UNIQUE_VIOLATION = '23505'

/** A person's account as they see it. @throws Failure not_logged_in */
export async function describeSelf(appContext: AppContext, userId: UserId): Promise<ChangedSelf> {
  const row = await findUser(appContext.db, userId)
  if (!row) throw fail('not_logged_in')
  const self = selfOf(row, appContext)
  return { ...self, user: self, has_password: (await rows.passwordHash(appContext.db, userId)) !== null }
}

/**
 * Gives an account a number that its owner proves by a code. Who has a verified one and wants another proves
 * to own the account too. That the number is somebody else's is said after the code is right: it used the
 * code up, and a stranger learns nothing.
 * @throws Failure auth.mobile_required, auth.mobile_wrong, auth.mobile_taken, auth.code_required,
 *   auth.code_wrong, auth.code_expired, auth.too_many_tries, captcha.needed, and as `confirmOwner` does
 */
export async function verifyMobile(
  appContext: AppContext,
  auth: Auth,
  { userId, sessionId }: Owner,
  input: Mobile & { readonly code: string; readonly sign?: string | undefined; readonly owner: Proof },
  network: string,
): Promise<void> {
  const number = readNumber(input)
  const code = input.code
  if (code === '') throw fail('auth.code_required')
  const before = await findUser(appContext.db, userId)
  if (!before) throw fail('not_logged_in')
  const isOwn = before.mobile_prefix === number.prefix && before.mobile === number.mobile
  const event = { kind: 'user number', userId, sessionId, network }
  await auth.withCode({ ...input, ...number }, event, async () => {
    const isChange = before.mobile_verified && !isOwn
    const startedAt = clock.now()
    if (isChange) await auth.confirm({ userId, sessionId }, input.owner, network)
    const outcome = await transaction(appContext.db, async (tx) => {
      const verdict = await auth.tryCode(tx, number, code, { network, purpose: 'verify' })
      if (verdict !== 'right') return verdict
      const now = await lockUser(tx, userId)
      // Another call has given it a number meanwhile, which nobody was asked to confirm.
      if (now.mobile_verified && !before.mobile_verified && now.mobile !== number.mobile) return 'none'
      if (!(await setMobile(tx, userId, number))) return 'taken'
      await recordSecurity(tx, event)
      return 'done'
    }).catch((error: unknown) => {
      // Two accounts that are given one number at the same moment.
      if (sqlState(error) === UNIQUE_VIOLATION) return 'taken' as const
      throw error
    })
    // Who mistyped the code of the new number need not wait for another one of the old number.
    if (isChange && isRefused(outcome) && input.owner.code !== '')
      await auth.giveBackCode(
        { prefix: before.mobile_prefix, mobile: before.mobile },
        input.owner.code,
        startedAt,
      )
    if (outcome === 'taken') throw fail(saidOf(number).taken)
    if (isRefused(outcome)) throw codeFailure(outcome)
  })
}

/** Changes a person's name. */
export async function renameSelf(
  { appContext, changeIdentity }: Pick<OwnerDeps, 'appContext' | 'changeIdentity'>,
  { userId }: Owner,
  username: string,
): Promise<void> {
  requireName(username)
  await countIdentityChange(appContext.db, userId, { username })
  await requireAllowed(appContext, { target: 'username', userId, texts: [username] })
  await commit(appContext, (tx, emit) => changeIdentity(tx, emit, userId, { username }))
}

/** @throws Failure too_many */
async function countIdentityChange(
  db: Db,
  userId: UserId,
  { username, avatar, identify_num, avatar_frame }: NewIdentity,
): Promise<void> {
  if (username !== undefined || identify_num !== undefined) await useAttempt(db, RENAMES_PER_PERSON, userId)
  if (avatar !== undefined) await useAttempt(db, AVATARS_PER_PERSON, userId)
  if (avatar_frame !== undefined) await useAttempt(db, AVATAR_FRAMES_PER_PERSON, userId)
}

/** What `updateSelf` changes; absent: it stays. */
interface Changes extends NewIdentity {
  readonly password?: string | undefined
  /** `''`: none. */
  readonly inviteCode: string
  readonly realName?: { readonly name: string; readonly number: string } | undefined
  readonly owner: Proof
}

/**
 * Changes several things of an account, all or none; a real name is verified before. With a new password the
 * other sessions end; an account that has one proves its owner.
 * @throws Failure auth.password_weak, referral.invalid, user.name_required, user.name_wrong,
 *   user.number_wrong, user.number_taken, user.needs_buff, asset.unknown, content.refused, too_many, and as
 *   `confirmOwner` does
 */
export async function updateSelf(
  { appContext, auth, changeIdentity, verifyRealName }: OwnerDeps,
  caller: Owner,
  { password, inviteCode, owner, realName, ...identity }: Changes,
  network: string,
): Promise<void> {
  const { userId } = caller
  const { username } = identity
  if (realName) await verifyRealName(userId, realName, network)
  if (password !== undefined && !isPassword(password)) throw fail('auth.password_weak')
  if (username !== undefined) requireName(username)
  if (inviteCode !== '' && !isInviteCode(inviteCode)) throw fail('referral.invalid')
  const before = await rows.passwordHash(appContext.db, userId)
  if (password !== undefined && before !== null) await auth.confirm(caller, owner, network)
  await countIdentityChange(appContext.db, userId, identity)
  if (username !== undefined)
    await requireAllowed(appContext, { target: 'username', userId, texts: [username] })
  const change = () =>
    commit(appContext, async (tx, emit) => {
      await lockUser(tx, userId)
      if (password !== undefined) await replacePassword(tx, emit, caller, { password, before, network })
      if (Object.values(identity).some((it) => it !== undefined))
        await changeIdentity(tx, emit, userId, identity)
      if (inviteCode !== '') await auth.creditReferral?.(tx, userId, inviteCode as InviteCode)
    })
  await (inviteCode !== '' && auth.limitGuesses ? auth.limitGuesses(network, change) : change())
}

async function replacePassword(
  tx: Tx,
  emit: Emit,
  { userId, sessionId }: Owner,
  input: { readonly password: string; readonly before: string | null; readonly network: string },
): Promise<void> {
  // Another call has set one meanwhile, which nobody was asked to confirm.
  if ((await rows.passwordHash(tx, userId)) !== input.before) throw fail('auth.password_required')
  await setPassword(tx, userId, input.password)
  await endSessions(tx, emit, userId, sessionId)
  await recordSecurity(tx, { kind: 'password set', userId, sessionId, network: input.network })
}

/**
 * Sets a new password of the account of a number, proven by a code. All its sessions end, and none begins. An
 * unknown number is answered like a known one until the code is right.
 */
export async function forgotPassword(
  appContext: AppContext,
  auth: Auth,
  input: Mobile & { readonly code: string; readonly password: string; readonly sign?: string | undefined },
  network: string,
): Promise<void> {
  const number = readNumber(input)
  const code = input.code
  if (code === '') throw fail('auth.code_required')
  if (input.password === '') throw fail('auth.password_required')
  if (!isPassword(input.password)) throw fail('auth.password_weak')
  await auth.withCode({ ...input, ...number }, { kind: 'password forgot', network }, async () => {
    const outcome = await commit(appContext, async (tx, emit) => {
      const verdict = await auth.tryCode(tx, number, code, { network, purpose: 'forgot' })
      if (verdict !== 'right') return verdict
      const user = await findByMobile(tx, number.prefix, number.mobile)
      if (!user) return 'unknown'
      if (isSuspended(user)) return { suspended: user }
      await resetPassword(tx, emit, user.id, input.password)
      await markVerified(tx, user.id)
      await recordSecurity(tx, { kind: 'password forgot', userId: user.id, network })
      return 'done'
    })
    if (outcome === 'unknown') throw fail(saidOf(number).unknown)
    if (isRefused(outcome)) throw codeFailure(outcome)
    if (outcome !== 'done') throw suspendedFailure(outcome.suspended)
  })
  await auth.forgive(number, network)
}
