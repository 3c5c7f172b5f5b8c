/** Friends: requests, friendships, blocks. protocol.md §4.15. */
import { fail } from '@guildhall/wire/failure.ts'
import {
  BLOCKS_MAX,
  FRIENDS_MAX,
  type FriendEntry,
  friendUpdated,
  REQUESTS_MAX,
} from '@guildhall/wire/friend/friend.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { DAY_MS, HOUR_MS } from '@guildhall/wire/unit.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { consumeAttempt, type RateLimit } from '../kit/limits/rateLimitDatabase.ts'
import { countsAsVerified, findByName, findUser, identityOf } from '../user/user.ts'
import * as rows from './sql.ts'

const REQUESTS_PER_HOUR: RateLimit = { name: 'friend requests by person', most: 20, windowMs: HOUR_MS }
const REQUESTS_PER_DAY: RateLimit = { name: 'friend requests by person and day', most: 60, windowMs: DAY_MS }
const ENTRIES_MAX = FRIENDS_MAX + BLOCKS_MAX + 1_000

/** What somebody is to a person. */
type Kind = 'friend' | 'request' | 'blocked' | 'none'

const notify = (emit: Emit, to: UserId, about: UserId, type: Kind, own: boolean): void =>
  emit.person(to, friendUpdated, { user_id: about, type, own })

/** Everything of a person's, the newest first. */
export async function entriesOf(
  appContext: Pick<AppContext, 'db' | 'presence' | 'publicUrl'>,
  userId: UserId,
): Promise<FriendEntry[]> {
  const found = await rows.entriesOf(appContext.db, userId, ENTRIES_MAX)
  return found.map((row) => ({
    id: row.entry_id,
    type: row.type,
    friend_info: publicUser(identityOf(row, appContext)),
    own: row.own,
    relation_type: 0,
    relation_time: 0,
    relation_status: 0,
    friend_status: row.type === 'friend' ? 1 : 0,
    created_at: row.began_at,
  }))
}

/** What a person is to another. */
export interface Relation {
  readonly isFriend: boolean
  /** The person blocks the other. */
  readonly isBlocked: boolean
  /** The other blocks the person. */
  readonly isTargetBlocked: boolean
}
const STRANGER: Relation = { isFriend: false, isBlocked: false, isTargetBlocked: false }

/** What some people are to a person, in one query. */
export async function relationsTo(
  db: Db,
  userId: UserId,
  otherIds: readonly UserId[],
): Promise<(otherId: UserId) => Relation> {
  const found = otherIds.length === 0 ? [] : await rows.relations(db, userId, otherIds)
  const known = new Map(
    found.map((it) => [
      it.other_id,
      { isFriend: it.is_friend, isBlocked: it.mine, isTargetBlocked: it.theirs },
    ]),
  )
  return (otherId) => known.get(otherId) ?? STRANGER
}

export { noteOn, personNoteFacts, writePersonNote } from './personNote.ts'

/** Asks somebody, by name and digits. Two requests that cross make a friendship. */
export async function requestFriend(appContext: AppContext, userId: UserId, userCode: string): Promise<void> {
  if (!/#\d{4,10}$/.test(userCode)) throw fail('friend.unknown')
  const caller = await findUser(appContext.db, userId)
  if (!caller || !countsAsVerified(caller, appContext)) throw fail('friend.unverified')
  const [target] = await findByName(appContext.db, userCode, 1)
  if (!target || target.bot) throw fail('friend.unknown')
  if (target.id === userId) throw fail('friend.self')
  await commit(appContext, async (tx, emit) => {
    await rows.lockPair(tx, userId, target.id)
    const blocks = await rows.blocksBetween(tx, userId, target.id)
    if (blocks.mine) throw fail('friend.blocked')
    const known = await rows.between(tx, userId, target.id)
    if (known?.is_friend) throw fail('friend.already')
    if (known?.user_id === userId) return
    if (known) return becomeFriends(tx, emit, known)
    if (!(await consumeAttempt(tx, REQUESTS_PER_HOUR, userId))) throw fail('friend.too_fast')
    if (!(await consumeAttempt(tx, REQUESTS_PER_DAY, userId))) throw fail('friend.too_fast')
    // The caller must not learn that they are blocked.
    if (blocks.theirs) return
    if ((await rows.counts(tx, userId)).asked >= REQUESTS_MAX) throw fail('friend.too_many')
    await rows.ask(tx, userId, target.id, clock.now())
    notify(emit, target.id, userId, 'request', false)
    notify(emit, userId, target.id, 'request', true)
  })
}

/** @throws Failure friend.too_many */
async function becomeFriends(tx: Tx, emit: Emit, row: rows.FriendshipRow): Promise<void> {
  const { low_id, high_id } = row
  for (const id of [low_id, high_id])
    if ((await rows.counts(tx, id)).friends >= FRIENDS_MAX) throw fail('friend.too_many')
  await rows.accept(tx, row.id, clock.now())
  notify(emit, low_id, high_id, 'friend', row.user_id === low_id)
  notify(emit, high_id, low_id, 'friend', row.user_id === high_id)
}

/** Answers a request that somebody else sent. A refusal is told to the asker as no request any more. */
export async function answerRequest(
  appContext: AppContext,
  userId: UserId,
  input: { readonly id: number; readonly accept: boolean },
): Promise<void> {
  await commit(appContext, async (tx, emit) => {
    const asked = await rows.byId(tx, input.id)
    const isTheirs = asked && [asked.low_id, asked.high_id].includes(userId) && asked.user_id !== userId
    if (!asked || !isTheirs) throw fail('friend.request_unknown')
    await rows.lockPair(tx, asked.low_id, asked.high_id)
    const now = await rows.byId(tx, input.id)
    if (!now) throw fail('friend.request_unknown')
    if (now.is_friend) {
      if (input.accept) return
      throw fail('friend.request_unknown')
    }
    if (input.accept) return becomeFriends(tx, emit, now)
    await end(tx, emit, now)
  })
}

/** Ends what is between two people and tells both. */
async function end(tx: Tx, emit: Emit, row: rows.FriendshipRow): Promise<void> {
  await rows.remove(tx, row.id)
  notify(emit, row.low_id, row.high_id, 'none', false)
  notify(emit, row.high_id, row.low_id, 'none', false)
}

/** Ends a friendship or a request, whoever sent it. Nothing happens when there is none. */
export async function deleteFriend(appContext: AppContext, userId: UserId, otherId: UserId): Promise<void> {
  await commit(appContext, async (tx, emit) => {
    await rows.lockPair(tx, userId, otherId)
    const known = await rows.between(tx, userId, otherId)
    if (known) await end(tx, emit, known)
  })
}

/**
 * Blocks a person and ends what is between the two. The blocked person is not told of the block.
 * @throws Failure friend.self, user.unknown, friend.too_many
 */
export async function blockPerson(appContext: AppContext, userId: UserId, otherId: UserId): Promise<void> {
  if (userId === otherId) throw fail('friend.self')
  if (!(await findUser(appContext.db, otherId))) throw fail('user.unknown')
  await commit(appContext, async (tx, emit) => {
    await rows.lockPair(tx, userId, otherId)
    if ((await rows.countBlocks(tx, userId)) >= BLOCKS_MAX) throw fail('friend.too_many')
    const known = await rows.between(tx, userId, otherId)
    if (known) await end(tx, emit, known)
    if (await rows.block(tx, userId, otherId, clock.now())) notify(emit, userId, otherId, 'blocked', true)
  })
}

/** Ends a block. Nothing happens when there is none. */
export async function unblockPerson(appContext: AppContext, userId: UserId, otherId: UserId): Promise<void> {
  await commit(appContext, async (tx, emit) => {
    await rows.lockPair(tx, userId, otherId)
    if (await rows.unblock(tx, userId, otherId)) notify(emit, userId, otherId, 'none', true)
  })
}

/** Those in whose lists of friends, requests and blocks a person is. */
export const acquaintancesOf = (db: Db, userId: UserId): Promise<UserId[]> =>
  rows.acquaintances(db, userId, ENTRIES_MAX)

/** Forgets everything between a person whose account is deleted and others, who are told. */
export async function forgetFriends(tx: Tx, emit: Emit, userId: UserId): Promise<void> {
  for (const otherId of await rows.forget(tx, userId)) notify(emit, otherId, userId, 'none', false)
}

/** For the copy of a person's data: with whom they are friends, whom they asked or block. */
export async function friendFacts(db: Db, userId: UserId) {
  const found = await rows.entriesOf(db, userId, ENTRIES_MAX)
  return found.map(({ type, own, began_at, username, identify_num }) => ({
    type,
    own,
    created_at: began_at,
    name: `${username}#${identify_num}`,
  }))
}
