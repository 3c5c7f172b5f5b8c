/** Whose bots are, and which bots are where. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { countRows } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'

export async function setOwner(tx: Tx, botId: UserId, ownerId: UserId, now: number): Promise<void> {
  await tx.insertInto('bot_owner').values({ bot_id: botId, owner_id: ownerId, created_at: now }).execute()
}

export async function forget(tx: Tx, botId: UserId): Promise<void> {
  await tx.deleteFrom('bot_owner').where('bot_id', '=', botId).execute()
}

/** How many bots a person has. */
export async function countOwned(db: Db, ownerId: UserId): Promise<number> {
  const row = await db
    .selectFrom('bot_owner')
    .innerJoin('user', 'user.id', 'bot_owner.bot_id')
    .select((eb) => countRows(eb).as('count'))
    .where('owner_id', '=', ownerId)
    .where('user.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** How many bots are in a guild. */
export async function countIn(db: Db, guildId: GuildId): Promise<number> {
  const row = await db
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .select((eb) => countRows(eb).as('count'))
    .where('membership.guild_id', '=', guildId)
    .where('user.bot', '=', true)
    .executeTakeFirstOrThrow()
  return row.count
}

/** A bot and whose it is; `owner_id` null: nobody's who is still there. */
export interface BotRow {
  readonly id: UserId
  readonly owner_id: UserId | null
  /** The owners of the open guilds that it is in, each once. */
  readonly masters: readonly UserId[]
}

const BOT = sql`"user".id,
  (select owner.id from bot_owner join "user" owner on owner.id = bot_owner.owner_id and owner.deleted_at is null
   where bot_owner.bot_id = "user".id) as owner_id,
  array(select distinct guild.user_id::text from membership it join guild on guild.id = it.guild_id
        where it.user_id = "user".id and guild.deleted_at is null) as masters`

/** The bot of an id; null: there is none. The official account is none. */
export async function byId(db: Db, id: UserId): Promise<BotRow | null> {
  const { rows } = await sql<BotRow>`
    select ${BOT} from "user"
    where "user".id = ${id} and "user".bot and not "user".is_official and "user".deleted_at is null`.execute(
    db,
  )
  return rows[0] ?? null
}

/** The bots of a guild, with their roles there, in the order of their ids. */
export async function inGuild(
  db: Db,
  guildId: GuildId,
  limit: number,
): Promise<(BotRow & { readonly roles: readonly number[] })[]> {
  const { rows } = await sql<BotRow & { roles: number[] }>`
    select ${BOT},
      array(select role_id from membership_role it where it.guild_id = membership.guild_id and it.user_id = "user".id
            order by role_id) as roles
    from membership join "user" on "user".id = membership.user_id
    where membership.guild_id = ${guildId} and "user".bot and not "user".is_official and "user".deleted_at is null
    order by "user".id limit ${limit}`.execute(db)
  return rows
}

/** The open guilds that some bots are in, with whether a person is in them. */
export async function guildsOf(
  db: Db,
  botIds: readonly UserId[],
  personId: UserId,
): Promise<
  { readonly bot_id: UserId; readonly id: GuildId; readonly name: string; readonly is_shared: boolean }[]
> {
  const { rows } = await sql<{ bot_id: UserId; id: GuildId; name: string; is_shared: boolean }>`
    select it.user_id as bot_id, guild.id, guild.name,
      exists (select 1 from membership mine where mine.guild_id = guild.id and mine.user_id = ${personId}) as is_shared
    from membership it join guild on guild.id = it.guild_id and guild.deleted_at is null
    where it.user_id = any(${botIds}::bigint[]) order by guild.id`.execute(db)
  return rows
}
