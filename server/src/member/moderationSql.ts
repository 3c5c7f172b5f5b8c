/** Mutes and bans. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { asNumber, countRows, int8 } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { IDENTITY_COLUMNS, type Identity } from '../user/user.ts'

/** The mutes of a guild that are not over, the newest first; `ends_at`: ms. */
export const mutes = (
  db: Db,
  guildId: GuildId,
  now: number,
): Promise<{ readonly user_id: UserId; readonly type: number; readonly ends_at: number | null }[]> =>
  db
    .selectFrom('guild_mute')
    .select(['user_id', 'type'])
    .select((eb) => asNumber(eb, 'ends_at').as('ends_at'))
    .where('guild_id', '=', guildId)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', int8(now))]))
    .orderBy('created_at', 'desc')
    .limit(LISTED_MAX)
    .execute()

/** The call that lists mutes has no pages. */
const LISTED_MAX = 10_000

export async function mute(
  tx: Tx,
  input: {
    readonly guildId: GuildId
    readonly userId: UserId
    readonly type: number
    readonly endsAt: number | null
    readonly now: number
  },
): Promise<void> {
  await tx
    .insertInto('guild_mute')
    .values({
      guild_id: input.guildId,
      user_id: input.userId,
      type: input.type,
      ends_at: input.endsAt,
      created_at: input.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['guild_id', 'user_id', 'type']).doUpdateSet({ ends_at: input.endsAt }),
    )
    .execute()
}

/** False when there is none. */
export async function unmute(tx: Tx, guildId: GuildId, userId: UserId, type: number): Promise<boolean> {
  const row = await tx
    .deleteFrom('guild_mute')
    .where('guild_id', '=', guildId)
    .where('user_id', '=', userId)
    .where('type', '=', type)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the mutes of somebody that are over; returns their types. */
export async function takeEnded(tx: Tx, guildId: GuildId, userId: UserId, now: number): Promise<number[]> {
  const ended = await tx
    .deleteFrom('guild_mute')
    .where('guild_id', '=', guildId)
    .where('user_id', '=', userId)
    .where('ends_at', '<=', int8(now))
    .returning('type')
    .execute()
  return ended.map(({ type }) => type)
}

export async function forgetMutes(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('guild_mute').where('user_id', '=', userId).execute()
}

export async function isBanned(db: Db, guildId: GuildId, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('ban')
    .select('user_id')
    .where('guild_id', '=', guildId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** `limit`: null: all. */
export async function bans(
  db: Db,
  guildId: GuildId,
  input: { readonly limit: number | null; readonly offset: number },
): Promise<{
  readonly items: (Identity & {
    readonly created_at: number
    readonly remark: string
    readonly operator_id: UserId | null
  })[]
  readonly total: number
}> {
  const items = await db
    .selectFrom('ban')
    .innerJoin('user', 'user.id', 'ban.user_id')
    .select(['user.id', ...IDENTITY_COLUMNS, 'ban.remark'])
    .select((eb) => eb.ref('ban.operator_id').$castTo<UserId | null>().as('operator_id'))
    .select((eb) => asNumber(eb, 'ban.created_at').as('created_at'))
    .where('ban.guild_id', '=', guildId)
    .orderBy('ban.created_at', 'desc')
    .orderBy('ban.user_id')
    .limit(input.limit)
    .offset(input.offset)
    .execute()
  const { total } = await db
    .selectFrom('ban')
    .select((eb) => countRows(eb).as('total'))
    .where('guild_id', '=', guildId)
    .executeTakeFirstOrThrow()
  return { items, total }
}

export async function ban(
  tx: Tx,
  input: {
    readonly guildId: GuildId
    readonly userId: UserId
    readonly operatorId: UserId
    readonly remark: string
    readonly now: number
  },
): Promise<void> {
  await tx
    .insertInto('ban')
    .values({
      guild_id: input.guildId,
      user_id: input.userId,
      operator_id: input.operatorId,
      remark: input.remark,
      created_at: input.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['guild_id', 'user_id'])
        .doUpdateSet({ remark: input.remark, operator_id: input.operatorId }),
    )
    .execute()
}

/** False when there is none. */
export async function unban(tx: Tx, guildId: GuildId, userId: UserId): Promise<boolean> {
  const row = await tx
    .deleteFrom('ban')
    .where('guild_id', '=', guildId)
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function forgetBans(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('ban').where('user_id', '=', userId).execute()
}

/**
 * Which of some people share which guilds with which bots; guilds with more than `most` members are left out.
 */
export async function sharedGuilds(
  db: Db,
  botIds: readonly UserId[],
  userIds: readonly UserId[],
  most: number,
): Promise<{ readonly bot_id: UserId; readonly user_id: UserId; readonly guilds: GuildId[] }[]> {
  const { rows } = await sql<{ bot_id: UserId; user_id: UserId; guilds: GuildId[] }>`
    with small as materialized (
      select guild_id from membership bot join guild on guild.id = bot.guild_id and guild.deleted_at is null
      where bot.user_id = any(${botIds}::bigint[])
      group by guild_id
      having (select count(*) from (
        select 1 from membership it where it.guild_id = bot.guild_id limit ${most + 1}) first) <= ${most}
    )
    select bot.user_id::text as bot_id, it.user_id::text as user_id, array_agg(it.guild_id::text) as guilds
    from membership bot
    join small on small.guild_id = bot.guild_id
    join membership it on it.guild_id = bot.guild_id and it.user_id = any(${userIds}::bigint[])
    where bot.user_id = any(${botIds}::bigint[]) and it.user_id <> bot.user_id
    group by bot.user_id, it.user_id`.execute(db)
  return rows
}
