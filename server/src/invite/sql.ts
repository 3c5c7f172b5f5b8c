/** Invites. */
import { beijingDay } from '@guildhall/wire/beijing.ts'
import type { ChannelId, GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { asNumber } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type Identity, identityColumns } from '../user/user.ts'

export interface InviteRow {
  readonly code: string
  readonly guild_id: GuildId
  readonly channel_id: ChannelId | null
  readonly user_id: UserId
  /** ms; null when it does not expire. */
  readonly expires_at: number | null
  /** Null: without limit. */
  readonly uses_max: number | null
  readonly uses: number
  /** What those who join by it get; null: none. */
  readonly role_id: RoleId | null
}

const query = (db: Db, code: string) =>
  db
    .selectFrom('invite')
    .select(['code', 'guild_id', 'channel_id', 'user_id', 'uses_max', 'uses', 'role_id'])
    .select((eb) => asNumber(eb, 'expires_at').as('expires_at'))
    .where('code', '=', code)
    .where('deleted_at', 'is', null)

export async function byCode(db: Db, code: string): Promise<InviteRow | null> {
  return (await query(db, code).executeTakeFirst()) ?? null
}

/** The same, locked until the transaction ends. */
export async function lock(tx: Tx, code: string): Promise<InviteRow | null> {
  return (await query(tx, code).forUpdate().executeTakeFirst()) ?? null
}

/** Counts that somebody joined by an invite. */
export async function spendUse(tx: Tx, code: string, now: number): Promise<void> {
  await sql`
    with used as (
      update invite set uses = uses + 1 where code = ${code} returning guild_id, code)
    insert into invite_day (guild_id, day, code, joins) select guild_id, ${beijingDay(now)}, code, 1 from used
    on conflict (guild_id, day, code) do update set joins = invite_day.joins + 1`.execute(tx)
}

/** Invites by which somebody joined, from one day of Beijing on, the best first, with who made them. */
export async function thatWorked(
  db: Db,
  guildId: GuildId,
  from: string,
  limit: number,
): Promise<{ readonly code: string; readonly username: string; readonly joins: number }[]> {
  const { rows } = await sql<Awaited<ReturnType<typeof thatWorked>>[number]>`
    select it.code, coalesce("user".username, '') as username, it.joins
    from (
      select code, sum(joins)::int as joins from invite_day
      where guild_id = ${guildId} and day >= ${from}
      group by code order by joins desc, code limit ${limit}) it
    left join invite on invite.code = it.code
    left join "user" on "user".id = invite.user_id
    order by it.joins desc, it.code`.execute(db)
  return rows
}

/** Ends an invite; returns its guild, null when there is none. */
export async function revoke(tx: Tx, code: string, now: number): Promise<GuildId | null> {
  const row = await tx
    .updateTable('invite')
    .set({ deleted_at: now })
    .where('code', '=', code)
    .where('deleted_at', 'is', null)
    .returning('guild_id')
    .executeTakeFirst()
  return row?.guild_id ?? null
}

/** False when the code is taken. */
export async function add(
  db: Db,
  input: {
    readonly code: string
    readonly guildId: GuildId
    readonly channelId: ChannelId | null
    readonly userId: UserId
    readonly expiresAt: number | null
    readonly usesMax: number | null
    readonly roleId: RoleId | null
    readonly now: number
  },
): Promise<boolean> {
  const added = await db
    .insertInto('invite')
    .values({
      code: input.code,
      guild_id: input.guildId,
      channel_id: input.channelId,
      user_id: input.userId,
      created_at: input.now,
      expires_at: input.expiresAt,
      uses_max: input.usesMax,
      role_id: input.roleId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('code')
    .executeTakeFirst()
  return added !== undefined
}

/** The code of the invite that the short address of a guild leads to; null when there is none. */
export async function ofShortAddress(db: Db, guildId: GuildId): Promise<string | null> {
  const row = await db
    .selectFrom('guild')
    .innerJoin('invite', 'invite.code', 'guild.custom_invite')
    .select('invite.code')
    .where('guild.id', '=', guildId)
    .where('invite.deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.code ?? null
}

/** An invite with the names of what it leads to, and the person who created it. */
export interface ListedRow {
  readonly invite: InviteRow & {
    readonly id: number
    readonly guild_name: string
    readonly channel_name: string | null
    readonly channel_type: number | null
    /** Null: none, or it is gone. */
    readonly role_name: string | null
    readonly created_at: number
  }
  readonly identity: Identity
}

const valid = (guildId: GuildId, now: number) => sql`
  invite.guild_id = ${guildId} and invite.deleted_at is null
  and (invite.expires_at is null or invite.expires_at > ${now})
  and (invite.uses_max is null or invite.uses < invite.uses_max)`

/** How many invites of a guild can be used. */
export async function countValid(db: Db, guildId: GuildId, now: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from invite where ${valid(guildId, now)}`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * A page of the invites that can be used, the newest first. `channelId` null: of all channels; `own` null: of
 * everybody.
 */
export async function list(
  db: Db,
  input: {
    readonly guildId: GuildId
    readonly channelId: ChannelId | null
    readonly own: UserId | null
    readonly now: number
    readonly limit: number
    readonly offset: number
  },
): Promise<{ items: ListedRow[]; total: number }> {
  const those = sql`from invite where ${valid(input.guildId, input.now)}
    ${input.channelId === null ? sql`` : sql`and invite.channel_id = ${input.channelId}`}
    ${input.own === null ? sql`` : sql`and invite.user_id = ${input.own}`}`
  const { rows } = await sql<ListedRow['invite'] & Identity & { readonly creator_id: UserId }>`
    select it.*, guild.name as guild_name, channel.name as channel_name, channel.type as channel_type,
      role.name as role_name, "user".id as creator_id, ${identityColumns}
    from (
      select id::float8 as id, code, guild_id, channel_id, user_id, uses, uses_max, role_id,
        created_at::float8 as created_at, expires_at::float8 as expires_at
      ${those} order by created_at desc, id desc limit ${input.limit} offset ${input.offset}
    ) it
    join guild on guild.id = it.guild_id
    join "user" on "user".id = it.user_id
    left join channel on channel.id = it.channel_id
    left join role on role.guild_id = it.guild_id and role.role_id = it.role_id
    order by it.created_at desc, it.id desc`.execute(db)
  const counted = await sql<{ n: number }>`select count(*)::int as n ${those}`.execute(db)
  return {
    items: rows.map((row) => ({ invite: row, identity: { ...row, id: row.creator_id } })),
    total: counted.rows[0]?.n ?? 0,
  }
}
