/** Emoji of guilds. */
import type { GuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/db.ts'
import type { Face } from '../user/user.ts'

/** An emoji with the face of whoever brought it. */
export interface ListedRow {
  readonly emoji: GuildEmoji
  readonly face: Face
}

const emojiColumns = sql`guild_id || '/' || hash as id, name, emoji_type::int as emoji_type`

/** A guild's emoji, the oldest first, and how many there are. */
export async function list(
  db: Db,
  guildId: string,
  it: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: ListedRow[]; readonly total: number }> {
  const { rows } = await sql<ListedRow>`
    select json_build_object('id', it.guild_id || '/' || hash, 'name', name, 'emoji_type', emoji_type) as emoji,
      json_build_object('id', "user".id::text, 'username', username, 'identify_num', identify_num,
        'avatar', avatar, 'vip_avatar', vip_avatar, 'is_vip', is_vip, 'bot', bot, 'status', status) as face
    from guild_emoji it join "user" on "user".id = it.user_id
    where it.guild_id = ${guildId}
    order by it.created_at, hash limit ${it.limit} offset ${it.offset}`.execute(db)
  return { items: rows, total: await count(db, guildId) }
}

export async function count(db: Db, guildId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from guild_emoji where guild_id = ${guildId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Two who add to a guild at once do it one after the other. */
export async function holdGuild(tx: Tx, guildId: string): Promise<void> {
  await sql`select 1 from guild where id = ${guildId} for no key update`.execute(tx)
}

export async function add(
  tx: Tx,
  it: {
    readonly guildId: string
    readonly hash: string
    readonly name: string
    readonly type: number
    readonly userId: string
    readonly now: number
  },
): Promise<void> {
  await sql`
    insert into guild_emoji (guild_id, hash, name, emoji_type, user_id, created_at)
    values (${it.guildId}, ${it.hash}, ${it.name}, ${it.type}, ${it.userId}, ${it.now})`.execute(tx)
}

export interface HeldRow extends GuildEmoji {
  readonly guild_id: GuildId
}

/** An emoji, locked until the transaction ends; null when there is none. */
export async function hold(tx: Tx, guildId: string, hash: string): Promise<HeldRow | null> {
  const { rows } = await sql<HeldRow>`
    select guild_id, ${emojiColumns} from guild_emoji
    where guild_id = ${guildId} and hash = ${hash} for update`.execute(tx)
  return rows[0] ?? null
}

export async function rename(tx: Tx, guildId: string, hash: string, name: string): Promise<void> {
  await sql`
    update guild_emoji set name = ${name} where guild_id = ${guildId} and hash = ${hash}`.execute(tx)
}

export async function remove(tx: Tx, guildId: string, hash: string): Promise<void> {
  await sql`delete from guild_emoji where guild_id = ${guildId} and hash = ${hash}`.execute(tx)
}

/** Those of some emoji that are in guilds of a person's, in no order. */
export async function usable(
  db: Db,
  userId: string,
  ids: readonly { readonly guildId: string; readonly hash: string }[],
): Promise<{ readonly id: string; readonly name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select guild_emoji.guild_id || '/' || hash as id, guild_emoji.name
    from guild_emoji
      join membership on membership.guild_id = guild_emoji.guild_id and membership.user_id = ${userId}
      join guild on guild.id = guild_emoji.guild_id and guild.deleted_at is null
    where (guild_emoji.guild_id, hash) in (
      select * from unnest(${ids.map((it) => it.guildId)}::bigint[], ${ids.map((it) => it.hash)}::text[]))
    `.execute(db)
  return rows
}
