/** Friendships, requests and blocks. */
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { countRows } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type Identity, identityColumns } from '../user/user.ts'

/** The row of two people. */
export interface FriendshipRow {
  readonly id: number
  readonly low_id: UserId
  readonly high_id: UserId
  /** Who asked. */
  readonly user_id: UserId
  readonly is_friend: boolean
}

/** The two ids as the tables have them, the lower one first. */
const ordered = (a: UserId, b: UserId): readonly [UserId, UserId] => (BigInt(a) < BigInt(b) ? [a, b] : [b, a])

/** Serialises all that changes between two people, until the transaction ends. */
export async function lockPair(tx: Tx, a: UserId, b: UserId): Promise<void> {
  const [low, high] = ordered(a, b)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`friends ${low} ${high}`}, 0))`.execute(tx)
}

const friendship = (db: Db) =>
  db
    .selectFrom('friendship')
    .select(['id', 'low_id', 'high_id', 'user_id'])
    .select((eb) => eb('accepted_at', 'is not', null).$castTo<boolean>().as('is_friend'))

export async function between(db: Db, a: UserId, b: UserId): Promise<FriendshipRow | null> {
  const [low, high] = ordered(a, b)
  const row = await friendship(db).where('low_id', '=', low).where('high_id', '=', high).executeTakeFirst()
  return row ?? null
}

export async function byId(db: Db, id: number): Promise<FriendshipRow | null> {
  return (await friendship(db).where('id', '=', id).executeTakeFirst()) ?? null
}

export async function ask(tx: Tx, userId: UserId, targetId: UserId, now: number): Promise<void> {
  const [low_id, high_id] = ordered(userId, targetId)
  await tx.insertInto('friendship').values({ low_id, high_id, user_id: userId, created_at: now }).execute()
}

export async function accept(tx: Tx, id: number, now: number): Promise<void> {
  await tx.updateTable('friendship').set({ accepted_at: now }).where('id', '=', id).execute()
}

export async function remove(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('friendship').where('id', '=', id).execute()
}

/** Who of the two blocks the other. */
export async function blocksBetween(
  db: Db,
  userId: UserId,
  otherId: UserId,
): Promise<{ readonly mine: boolean; readonly theirs: boolean }> {
  const { rows } = await sql<{ user_id: UserId }>`
    select user_id::text from friend_block
    where (user_id = ${userId} and target_id = ${otherId}) or (user_id = ${otherId} and target_id = ${userId})`.execute(
    db,
  )
  return {
    mine: rows.some((it) => it.user_id === userId),
    theirs: rows.some((it) => it.user_id === otherId),
  }
}

/** False when it was so before. */
export async function block(tx: Tx, userId: UserId, targetId: UserId, now: number): Promise<boolean> {
  const added = await tx
    .insertInto('friend_block')
    .values({ user_id: userId, target_id: targetId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

/** False when there was no block. */
export async function unblock(tx: Tx, userId: UserId, targetId: UserId): Promise<boolean> {
  const row = await tx
    .deleteFrom('friend_block')
    .where('user_id', '=', userId)
    .where('target_id', '=', targetId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function countBlocks(db: Db, userId: UserId): Promise<number> {
  const row = await db
    .selectFrom('friend_block')
    .select((eb) => countRows(eb).as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.n
}

/** How many friends a person has, and how many of their own requests wait for an answer. */
export async function counts(db: Db, userId: UserId): Promise<{ friends: number; asked: number }> {
  const { rows } = await sql<{ friends: number; asked: number }>`
    select count(*) filter (where accepted_at is not null)::int as friends,
      count(*) filter (where accepted_at is null and user_id = ${userId})::int as asked
    from friendship where low_id = ${userId} or high_id = ${userId}`.execute(db)
  return rows[0]!
}

/** A friend, a request or a block, with the other person. */
export interface EntryRow extends Identity {
  readonly entry_id: number
  readonly type: 'friend' | 'request' | 'blocked'
  readonly own: boolean
  /** ms */
  readonly began_at: number
}

/** All of a person's, the newest first, at most `limit`. */
export async function entriesOf(db: Db, userId: UserId, limit: number): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select it.entry_id, it.type, it.own, it.began_at::float8 as began_at, "user".id, ${identityColumns}
    from (
      select id as entry_id, case when accepted_at is null then 'request' else 'friend' end as type,
        user_id = ${userId} as own, coalesce(accepted_at, created_at) as began_at,
        case when low_id = ${userId} then high_id else low_id end as other_id
      from friendship where low_id = ${userId} or high_id = ${userId}
      union all
      select id, 'blocked', true, created_at, target_id from friend_block where user_id = ${userId}
    ) it join "user" on "user".id = it.other_id
    order by it.began_at desc, it.entry_id desc limit ${limit}`.execute(db)
  return rows
}

/** Of some people, what they are to somebody; those who are nothing are left out. */
export async function relations(
  db: Db,
  userId: UserId,
  otherIds: readonly UserId[],
): Promise<
  {
    readonly other_id: UserId
    readonly is_friend: boolean
    readonly mine: boolean
    readonly theirs: boolean
  }[]
> {
  const { rows } = await sql<{ other_id: UserId; is_friend: boolean; mine: boolean; theirs: boolean }>`
    select * from (
      select asked.id::text as other_id,
        exists (select 1 from friendship it where it.accepted_at is not null
          and it.low_id = least(asked.id, ${userId}::bigint) and it.high_id = greatest(asked.id, ${userId}::bigint)) as is_friend,
        exists (select 1 from friend_block it where it.user_id = ${userId} and it.target_id = asked.id) as mine,
        exists (select 1 from friend_block it where it.user_id = asked.id and it.target_id = ${userId}) as theirs
      from unnest(${otherIds}::bigint[]) asked(id)
    ) it where is_friend or mine or theirs`.execute(db)
  return rows
}

/** A person's friends and those with a request between them, and who blocks them; at most `limit`. */
export async function acquaintances(db: Db, userId: UserId, limit: number): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select id::text from (
      select case when low_id = ${userId} then high_id else low_id end as id
      from friendship where low_id = ${userId} or high_id = ${userId}
      union select user_id from friend_block where target_id = ${userId}
    ) it limit ${limit}`.execute(db)
  return rows.map((it) => it.id)
}

/**
 * Deletes all friendships, requests, blocks and notes of a person, also the blocks of and notes on them;
 * returns who was their friend or asked.
 */
export async function forget(tx: Tx, userId: UserId): Promise<UserId[]> {
  await sql`delete from friend_block where user_id = ${userId} or target_id = ${userId}`.execute(tx)
  await sql`delete from person_note where user_id = ${userId} or target_id = ${userId}`.execute(tx)
  const { rows } = await sql<{ other_id: UserId }>`
    delete from friendship where low_id = ${userId} or high_id = ${userId}
    returning (case when low_id = ${userId} then high_id else low_id end)::text as other_id`.execute(tx)
  return rows.map((it) => it.other_id)
}
