/** Whose a private conversation is, and who may write in it. protocol.md §4.9. */
import { CHAT_UNREAD_MAX } from '@guildhall/wire/chat/chat.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { type Relation, relationsTo } from '../friend/friend.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import { shareGuild } from '../member/member.ts'
import { countsAsVerified, findUser } from '../user/user.ts'
import * as rows from './sql.ts'

/** @throws Failure chat.unknown */
export async function sideOf(db: Db, userId: UserId, code: string): Promise<rows.SideRow> {
  const side = await rows.side(db, userId, code, CHAT_UNREAD_MAX)
  if (!side) throw fail('chat.unknown')
  return side
}

/** Whether somebody may write to a person now. */
export async function mayWrite(
  db: Db,
  userId: UserId,
  targetId: UserId,
  relation: Relation,
): Promise<boolean> {
  if (userId === targetId || relation.isBlocked || relation.isTargetBlocked) return false
  return relation.isFriend || shareGuild(db, userId, targetId)
}

/**
 * Two people may write to each other while they are friends or share a guild, and neither blocks the other.
 * The refusal does not reveal whether the other exists. Returns whether they are friends.
 * @throws Failure chat.not_allowed
 */
export async function requireMayWrite(db: Db, userId: UserId, targetId: UserId): Promise<boolean> {
  const relation = (await relationsTo(db, userId, [targetId]))(targetId)
  if (!(await mayWrite(db, userId, targetId, relation))) throw fail('chat.not_allowed')
  return relation.isFriend
}

/**
 * The code of the conversation of two people, which is opened when there is none.
 * @throws Failure chat.not_allowed
 */
export async function codeWith(appContext: AppContext, userId: UserId, targetId: UserId): Promise<string> {
  const known = await rows.between(appContext.db, userId, targetId)
  if (known) return known
  await requireMayWrite(appContext.db, userId, targetId)
  const code = ids.uuid().replaceAll('-', '')
  return commit(appContext, (tx) => rows.open(tx, { code, userId, targetId, now: clock.now() }))
}

/** A conversation by its code, or by the other person. */
export interface ChatTarget {
  readonly code: string | undefined
  readonly targetId: UserId | undefined
}

/** @throws Failure chat.unknown, chat.not_allowed, bad_input (neither is given) */
export async function codeOf(
  appContext: AppContext,
  userId: UserId,
  { code, targetId }: ChatTarget,
): Promise<string> {
  if (code !== undefined) return code
  if (targetId === undefined) throw fail('bad_input', { fields: ['chat_code', 'target_id'] })
  return codeWith(appContext, userId, targetId)
}

/**
 * As in guilds, people write with a verified number only; bots count as verified.
 * @throws Failure message.not_allowed (detail.why: unverified)
 */
export async function requireVerified(db: Db, appContext: Pick<AppContext, 'ways'>, userId: UserId) {
  const user = await findUser(db, userId)
  if (!user || !countsAsVerified(user, appContext)) throw fail('message.not_allowed', { why: 'unverified' })
  return user
}
