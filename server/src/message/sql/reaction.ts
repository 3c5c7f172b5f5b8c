/** Reactions to messages of channels. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/db.ts'
import type { Face } from '../../user/user.ts'
import { raiseRevision } from './message.ts'

/** The emoji on a locked message, and whether somebody is among those who reacted with one of them. */
export async function reactionsOn(
  tx: Tx,
  id: string,
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

/** Counts a reaction of somebody who had not reacted so; answers the message's revision. */
export async function react(
  tx: Tx,
  it: { readonly id: string; readonly emoji: Emoji; readonly userId: UserId; readonly now: number },
): Promise<number> {
  const revision = await raiseRevision(tx, it.id)
  await sql`
    insert into reaction as known (message_id, emoji_id, name, count, since)
    values (${it.id}, ${it.emoji.id}, ${it.emoji.name}, 1, ${revision})
    on conflict (message_id, emoji_id) do update set count = known.count + 1`.execute(tx)
  await sql`
    insert into reaction_user (message_id, emoji_id, user_id, at)
    values (${it.id}, ${it.emoji.id}, ${it.userId}, ${it.now})`.execute(tx)
  return revision
}

/** Takes a reaction back; answers the message's revision and the emoji's name, or null when there was none. */
export async function unreact(
  tx: Tx,
  id: string,
  emojiId: string,
  userId: UserId,
): Promise<{ readonly revision: number; readonly name: string } | null> {
  const { rows } = await sql<{ name: string }>`
    select name from reaction join reaction_user using (message_id, emoji_id)
    where message_id = ${id} and emoji_id = ${emojiId} and user_id = ${userId}`.execute(tx)
  const [known] = rows
  if (!known) return null
  await sql`delete from reaction where message_id = ${id} and emoji_id = ${emojiId} and count = 1`.execute(tx)
  await sql`
    with gone as (
      delete from reaction_user where message_id = ${id} and emoji_id = ${emojiId} and user_id = ${userId}
      returning 1)
    update reaction set count = count - 1
    where message_id = ${id} and emoji_id = ${emojiId} and exists (select 1 from gone)`.execute(tx)
  return { revision: await raiseRevision(tx, id), name: known.name }
}

/** A person who reacted. */
export interface ReactorRow extends Face {
  readonly reaction_time: number
}

/** The first `limit` who reacted with an emoji, in their order. */
export async function reactors(db: Db, id: string, emojiId: string, limit: number): Promise<ReactorRow[]> {
  const { rows } = await sql<ReactorRow>`
    select "user".id, username, identify_num, avatar, vip_avatar, is_vip, bot, status, it.at::float8 as reaction_time
    from reaction_user it join "user" on "user".id = it.user_id
    where it.message_id = ${id} and it.emoji_id = ${emojiId}
    order by it.at, it.user_id limit ${limit}`.execute(db)
  return rows
}
