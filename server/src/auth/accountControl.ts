/**
 * Acts on an account by staff, by an operator, or by its owner: what they end takes effect at once on every
 * node.
 */
import { NAME } from '@guildhall/wire/auth/address.ts'
import { isPassword } from '@guildhall/wire/auth/password.ts'
import { loginEnded } from '@guildhall/wire/auth/userState.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { Emit } from '../kit/events/events.ts'
import { lockUser, type Suspension, setSuspension, suspensionOf } from '../user/user.ts'
import { keyOf } from './number.ts'
import { hashPassword } from './password.ts'
import { usedAfter } from './sessions.ts'
import * as rows from './sql.ts'

/**
 * Ends the sessions of a person, all or all but one: their tokens are no longer valid and their connections
 * close. Returns how many.
 */
export async function endSessions(
  tx: Tx,
  emit: Emit,
  userId: UserId,
  keptId: string | null = null,
): Promise<number> {
  const ended = await rows.revokeSessionsOf(tx, userId, clock.now(), keptId)
  for (const login_id of ended) emit.person(userId, loginEnded, { login_id })
  return ended.length
}

/**
 * The person can no longer log in, until an end or until they are restored, and their sessions end. How they
 * were suspended before.
 * @throws Failure user.unknown
 */
export async function suspend(
  tx: Tx,
  emit: Emit,
  userId: UserId,
  input: Suspension,
): Promise<Suspension | null> {
  const before = suspensionOf(await lockUser(tx, userId))
  await setSuspension(tx, userId, input)
  await endSessions(tx, emit, userId)
  return before
}

/** Whether somebody logs in by a password. */
export const hasPassword = async (db: Db, userId: UserId): Promise<boolean> =>
  (await rows.passwordHash(db, userId)) !== null

/** A suspended person can log in again. How they were suspended before. @throws Failure user.unknown */
export async function restore(tx: Tx, userId: UserId): Promise<Suspension | null> {
  const before = suspensionOf(await lockUser(tx, userId))
  await setSuspension(tx, userId, null)
  return before
}

/** Ends all sessions of a person, and returns how many. @throws Failure user.unknown */
export async function signOut(tx: Tx, emit: Emit, userId: UserId): Promise<number> {
  await lockUser(tx, userId)
  return endSessions(tx, emit, userId)
}

/** Gives an account a password, replacing an earlier one. @throws Failure auth.password_weak */
export async function setPassword(db: Db, userId: UserId, password: string): Promise<void> {
  if (!isPassword(password)) throw fail('auth.password_weak')
  await rows.setPasswordHash(db, userId, await hashPassword(password), clock.now())
}

/**
 * Replaces a person's password, or removes it, null, so that only codes log in; their sessions end.
 * @throws Failure user.unknown, auth.password_weak
 */
export async function resetPassword(
  tx: Tx,
  emit: Emit,
  userId: UserId,
  password: string | null,
): Promise<void> {
  await lockUser(tx, userId)
  if (password === null) await rows.deletePassword(tx, userId)
  else await setPassword(tx, userId, password)
  await endSessions(tx, emit, userId)
}

/**
 * Ends and deletes the sessions of an account, and deletes its password and what is stored by its number, or
 * by its name with its digits.
 */
export async function eraseLogin(
  tx: Tx,
  emit: Emit,
  input: { readonly userId: UserId; readonly prefix: string; readonly mobile: string; readonly name: string },
): Promise<void> {
  await endSessions(tx, emit, input.userId)
  const keys = [{ prefix: NAME, mobile: input.name }, ...(input.mobile === '' ? [] : [input])].map(keyOf)
  await rows.erase(tx, { ...input, keys })
}

/** Sessions of one person that are listed. */
const SESSIONS_LISTED = 100

/** The valid sessions of a person, the one used last first. */
export const sessionsOf = (db: Db, userId: UserId) =>
  rows.devicesOf(db, userId, usedAfter(clock.now()), SESSIONS_LISTED)

/** A person's sessions, as they may take them along. */
export const sessionFacts = rows.sessionFacts
