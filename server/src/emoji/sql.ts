/** Emoji of guilds. */
import type { GuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { countRows } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { IDENTITY_COLUMNS, type Identity } from '../user/user.ts'

/** An emoji with the name and avatar of the person who added it. */
export interface ListedRow {
  readonly emoji: GuildEmoji
  readonly uses: number
  readonly identity: Identity
}

const idOf = ({ guild_id, hash }: { readonly guild_id: GuildId; readonly hash: string }): string =>
  `${guild_id}/${hash}`

/** A guild's emoji, the oldest first, and how many there are. */
export async function list(
  db: Db,
  guildId: GuildId,
  input: {
    readonly limit: number
    readonly offset: number
    /** The first day of Beijing of which uses are counted. */
    readonly usedFrom: string
  },
): Promise<{ readonly items: ListedRow[]; readonly total: number }> {
  const rows = await db
    .selectFrom('guild_emoji as it')
    .innerJoin('user', 'user.id', 'it.user_id')
    .select(['it.guild_id', 'it.hash', 'it.name', 'it.emoji_type', 'user.id', ...IDENTITY_COLUMNS])
    .select(
      sql<number>`coalesce((select sum(uses) from emoji_day used
        where used.guild_id = it.guild_id and used.hash = it.hash and used.day >= ${input.usedFrom}), 0)::int`.as(
        'uses',
      ),
    )
    .where('it.guild_id', '=', guildId)
    .orderBy('it.created_at')
    .orderBy('it.hash')
    .limit(input.limit)
    .offset(input.offset)
    .execute()
  const items = rows.map(({ guild_id, hash, name, emoji_type, uses, ...identity }) => ({
    emoji: { id: idOf({ guild_id, hash }), name, emoji_type },
    uses,
    identity,
  }))
  return { items, total: await count(db, guildId) }
}

/** The emoji of some guilds, the oldest first. */
export async function ofGuilds(
  db: Db,
  guildIds: readonly GuildId[],
): Promise<(GuildEmoji & { readonly guild_id: GuildId })[]> {
  const rows = await db
    .selectFrom('guild_emoji')
    .select(['guild_id', 'hash', 'name', 'emoji_type'])
    .where('guild_id', '=', sql<GuildId>`any(${guildIds}::bigint[])`)
    .orderBy('created_at')
    .orderBy('hash')
    .execute()
  return rows.map(({ hash, ...row }) => ({ ...row, id: idOf({ ...row, hash }) }))
}

export async function count(db: Db, guildId: GuildId): Promise<number> {
  const row = await db
    .selectFrom('guild_emoji')
    .select((eb) => countRows(eb).as('count'))
    .where('guild_id', '=', guildId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Counts uses of a day. Emoji that are none, or were deleted meanwhile, are left out. */
export async function addUses(
  tx: Tx,
  day: string,
  used: readonly { readonly guildId: GuildId; readonly hash: string; readonly uses: number }[],
): Promise<void> {
  await sql`
    insert into emoji_day (guild_id, hash, day, uses)
    select it.guild_id, it.hash, ${day}, it.uses
    from unnest(${used.map(({ guildId }) => guildId)}::bigint[], ${used.map(({ hash }) => hash)}::text[],
      ${used.map(({ uses }) => uses)}::int[]) as it(guild_id, hash, uses)
    join guild_emoji on guild_emoji.guild_id = it.guild_id and guild_emoji.hash = it.hash
    on conflict (guild_id, hash, day) do update set uses = emoji_day.uses + excluded.uses`.execute(tx)
}

/** Locks a guild, so that concurrent additions to it run one after the other. */
export async function lockGuild(tx: Tx, guildId: GuildId): Promise<void> {
  await tx.selectFrom('guild').select('id').where('id', '=', guildId).forNoKeyUpdate().execute()
}

export async function add(
  tx: Tx,
  input: {
    readonly guildId: GuildId
    readonly hash: string
    readonly name: string
    readonly type: number
    readonly userId: UserId
    readonly now: number
  },
): Promise<void> {
  await tx
    .insertInto('guild_emoji')
    .values({
      guild_id: input.guildId,
      hash: input.hash,
      name: input.name,
      emoji_type: input.type,
      user_id: input.userId,
      created_at: input.now,
    })
    .execute()
}

export interface LockedRow extends GuildEmoji {
  readonly guild_id: GuildId
}

/** An emoji, locked until the transaction ends; null when there is none. */
export async function lock(tx: Tx, guildId: GuildId, hash: string): Promise<LockedRow | null> {
  const row = await tx
    .selectFrom('guild_emoji')
    .select(['guild_id', 'name', 'emoji_type'])
    .where('guild_id', '=', guildId)
    .where('hash', '=', hash)
    .forUpdate()
    .executeTakeFirst()
  return row ? { ...row, id: idOf({ guild_id: guildId, hash }) } : null
}

export async function rename(tx: Tx, guildId: GuildId, hash: string, name: string): Promise<void> {
  await tx
    .updateTable('guild_emoji')
    .set({ name })
    .where('guild_id', '=', guildId)
    .where('hash', '=', hash)
    .execute()
}

export async function remove(tx: Tx, guildId: GuildId, hash: string): Promise<void> {
  await tx.deleteFrom('guild_emoji').where('guild_id', '=', guildId).where('hash', '=', hash).execute()
}

/** An emoji of a guild of a person, and what says whether they may use it elsewhere. */
export interface UsableRow extends Pick<Identity, 'bot' | 'vip_until'> {
  readonly id: string
  readonly name: string
  readonly guild_id: GuildId
}

/** Which of some emoji belong to guilds of a person; in no order. */
export async function usable(
  db: Db,
  userId: UserId,
  ids: readonly { readonly guildId: GuildId; readonly hash: string }[],
): Promise<UsableRow[]> {
  const { rows } = await sql<UsableRow>`
    select guild_emoji.guild_id || '/' || hash as id, guild_emoji.name, guild_emoji.guild_id, "user".bot, "user".vip_until
    from guild_emoji
      join membership on membership.guild_id = guild_emoji.guild_id and membership.user_id = ${userId}
      join "user" on "user".id = membership.user_id
      join guild on guild.id = guild_emoji.guild_id and guild.deleted_at is null
    where (guild_emoji.guild_id, hash) in (
      select * from unnest(${ids.map((it) => it.guildId)}::bigint[], ${ids.map((it) => it.hash)}::text[]))
    `.execute(db)
  return rows
}
