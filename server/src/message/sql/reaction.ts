/** Reactions to messages of channels. */
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import { asNumber } from '../../kit/database/columns.ts'
import type { Db, Tx } from '../../kit/database/db.ts'
import { firstUuidOf } from '../../kit/ids.ts'
import { IDENTITY_COLUMNS, type Identity } from '../../user/user.ts'
import { raiseRevision } from './message.ts'

/** The emoji on a locked message, and whether somebody is among those who reacted with one of them. */
export async function reactionsOn(
  tx: Tx,
  id: MessageId,
  emojiId: string,
  userId: UserId,
): Promise<{ readonly kinds: number; readonly isThere: boolean; readonly isMine: boolean }> {
  const { rows } = await sql<{ kinds: number; isThere: boolean; isMine: boolean }>`
    select count(*)::int as kinds, coalesce(bool_or(emoji_id = ${emojiId}), false) as "isThere",
      exists (select 1 from reaction_user where message_id = ${id} and emoji_id = ${emojiId}
              and user_id = ${userId}) as "isMine"
    from reaction where message_id = ${id}`.execute(tx)
  return rows[0]!
}

/** Adds a reaction of somebody who has not reacted with this emoji; returns the message's revision. */
export async function react(
  tx: Tx,
  input: { readonly id: MessageId; readonly emoji: Emoji; readonly userId: UserId; readonly now: number },
): Promise<number> {
  const revision = await raiseRevision(tx, input.id)
  await tx
    .insertInto('reaction')
    .values({
      message_id: input.id,
      emoji_id: input.emoji.id,
      name: input.emoji.name,
      count: 1,
      since: revision,
    })
    .onConflict((conflict) =>
      conflict.columns(['message_id', 'emoji_id']).doUpdateSet((eb) => ({
        count: eb('reaction.count', '+', 1),
      })),
    )
    .execute()
  await tx
    .insertInto('reaction_user')
    .values({ message_id: input.id, emoji_id: input.emoji.id, user_id: input.userId, at: input.now })
    .execute()
  return revision
}

/** Removes a reaction; returns the message's revision and the emoji's name, or null when there was none. */
export async function unreact(
  tx: Tx,
  id: MessageId,
  emojiId: string,
  userId: UserId,
): Promise<{ readonly revision: number; readonly name: string } | null> {
  const known = await tx
    .selectFrom('reaction')
    .innerJoin('reaction_user as mine', (join) =>
      join
        .onRef('mine.message_id', '=', 'reaction.message_id')
        .onRef('mine.emoji_id', '=', 'reaction.emoji_id'),
    )
    .select('reaction.name')
    .where('reaction.message_id', '=', id)
    .where('reaction.emoji_id', '=', emojiId)
    .where('mine.user_id', '=', userId)
    .executeTakeFirst()
  if (!known) return null
  await tx
    .deleteFrom('reaction')
    .where('message_id', '=', id)
    .where('emoji_id', '=', emojiId)
    .where('count', '=', 1)
    .execute()
  await sql`
    with gone as (
      delete from reaction_user where message_id = ${id} and emoji_id = ${emojiId} and user_id = ${userId}
      returning 1)
    update reaction set count = count - 1
    where message_id = ${id} and emoji_id = ${emojiId} and exists (select 1 from gone)`.execute(tx)
  return { revision: await raiseRevision(tx, id), name: known.name }
}

/** A person who reacted. */
export interface ReactorRow extends Identity {
  readonly nickname: string
  /** ms */
  readonly reaction_time: number
}

/** The first `limit` people who reacted with an emoji, in the order of their reactions. */
export const reactors = (db: Db, id: MessageId, emojiId: string, limit: number): Promise<ReactorRow[]> =>
  db
    .selectFrom('reaction_user as it')
    .innerJoin('user', 'user.id', 'it.user_id')
    .innerJoin('message', 'message.id', 'it.message_id')
    .leftJoin('membership as member', (join) =>
      join.onRef('member.guild_id', '=', 'message.guild_id').onRef('member.user_id', '=', 'it.user_id'),
    )
    .select(['user.id', ...IDENTITY_COLUMNS])
    .select(sql<string>`coalesce(nullif(member.nickname, ''), "user".username)`.as('nickname'))
    .select((eb) => asNumber(eb, 'it.at').as('reaction_time'))
    .where('it.message_id', '=', id)
    .where('it.emoji_id', '=', emojiId)
    .orderBy('it.at')
    .orderBy('it.user_id')
    .limit(limit)
    .execute()

/**
 * How often the emoji of guilds were used within a time, ms, in messages of channels and in reactions that
 * stand; in no order.
 */
export async function emojiUsedWithin(
  db: Db,
  input: { readonly from: number; readonly to: number },
): Promise<{ readonly id: string; readonly uses: number }[]> {
  const { rows } = await sql<{ id: string; uses: number }>`
    select id, count(*)::int as uses from (
      select (regexp_matches(content, '\\(emj\\)[^()]*\\(emj\\)\\[(\\d+/\\w+)\\]', 'g'))[1] as id from message
      where id >= ${firstUuidOf(input.from)}::uuid and id < ${firstUuidOf(input.to)}::uuid
        and content like '%(emj)%'
      union all
      select emoji_id from reaction_user
      where at >= ${input.from} and at < ${input.to} and emoji_id like '%/%') it
    group by id`.execute(db)
  return rows
}
