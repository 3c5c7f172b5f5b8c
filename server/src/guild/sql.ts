/** Guilds: their rows, faces, closing and deletion, and those that staff recommend. */
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { type Selectable, sql } from 'kysely'
import { asNumber, countRows, int8 } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { GuildTable } from '../kit/database/tables.ts'

/** A guild. `user_id`: its owner; `welcome_channel_id`: where newcomers are welcomed. */
export type GuildRow = Readonly<Pick<Selectable<GuildTable>, (typeof GUILD_COLUMNS)[number]>>

const GUILD_COLUMNS = [
  'id',
  'name',
  'topic',
  'icon',
  'banner',
  'user_id',
  'default_channel_id',
  'welcome_channel_id',
  'boost_num',
  'level',
  'custom_id',
  'notify_type',
] as const

/** How the last change of a recommended guild stands. Times in ms. */
export interface RecommendRow {
  readonly audit_status: number
  readonly reason: string
  readonly passed_at: number | null
}

/** A guild with the nickname and roles of one member. `recommend` null: staff do not recommend it. */
export interface MemberGuildRow extends GuildRow {
  readonly recommend: RecommendRow | null
  readonly nickname: string
  readonly my_roles: number[]
  readonly team_members: UserId[]
  readonly owes_rules: boolean
  /** Whether it has roles that members choose themselves. */
  readonly offers_roles: boolean
  /** They own it, and are shown what it still needs. */
  readonly has_checklist: boolean
}

/**
 * Whether the member of a row of `membership`, joined to `guild`, has to accept the guild's rules before they
 * write: they joined since the rules are on, and are neither the owner nor a bot.
 */
export const owesRules = sql<boolean>`(guild.rules_since is not null and membership.joined_at >= guild.rules_since
  and membership.rules_accepted_at is null and membership.user_id <> guild.user_id
  and exists (select 1 from "user" it where it.id = membership.user_id and not it.bot))`

// Joins rows of `member` and `role`, which are later nouns: the rail of a person is one statement.
const memberGuild = (userId: UserId) => sql`
  select guild.id, guild.name, guild.topic, guild.icon, guild.banner, guild.user_id, guild.default_channel_id, guild.welcome_channel_id,
    guild.boost_num, guild.level, guild.custom_id, guild.notify_type, membership.nickname, ${owesRules} as owes_rules,
    exists (select 1 from guild_onboarding it
            where it.guild_id = guild.id and it.questions <> '[]') as offers_roles,
    membership.user_id = guild.user_id and exists (select 1 from guild_onboarding it
            where it.guild_id = guild.id and it.has_checklist) as has_checklist,
    (select json_build_object('audit_status', audit_status, 'reason', reason, 'passed_at', passed_at)
     from guild_recommend it where it.guild_id = guild.id) as recommend,
    array(select role_id from membership_role it
          where it.guild_id = guild.id and it.user_id = ${userId}::bigint order by role_id) as my_roles,
    array(select user_id::text from guild_team it where it.guild_id = guild.id order by user_id) as team_members
  from membership join guild on guild.id = membership.guild_id
  where membership.user_id = ${userId} and guild.deleted_at is null`

/** A person's guilds in the order they joined. */
export async function ofMember(db: Db, userId: UserId): Promise<MemberGuildRow[]> {
  const { rows } = await sql<MemberGuildRow>`
    ${memberGuild(userId)} order by membership.joined_at, guild.id`.execute(db)
  return rows
}

/** One guild of a person's; null when there is none such, or they are no member. */
export async function forMember(db: Db, userId: UserId, guildId: GuildId): Promise<MemberGuildRow | null> {
  const { rows } = await sql<MemberGuildRow>`${memberGuild(userId)} and guild.id = ${guildId}`.execute(db)
  return rows[0] ?? null
}

export async function byId(db: Db, guildId: GuildId): Promise<GuildRow | null> {
  const row = await db
    .selectFrom('guild')
    .select(GUILD_COLUMNS)
    .where('id', '=', guildId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** A guild, also one that is closed; null: there never was one. */
export async function anyById(
  db: Db,
  guildId: GuildId,
): Promise<(GuildRow & { readonly is_closed: boolean }) | null> {
  const row = await db
    .selectFrom('guild')
    .select(GUILD_COLUMNS)
    .select((eb) => eb('deleted_at', 'is not', null).as('is_closed'))
    .where('id', '=', guildId)
    .executeTakeFirst()
  return row ? { ...row, is_closed: Boolean(row.is_closed) } : null
}

/** The level of a guild, locked until the transaction ends. */
export async function lockLevel(tx: Tx, guildId: GuildId): Promise<number> {
  const row = await tx
    .selectFrom('guild')
    .select('level')
    .where('id', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.level ?? 0
}

/** The highest level among a person's guilds; 0 without any. */
export async function highestLevel(db: Db, userId: UserId): Promise<number> {
  const row = await db
    .selectFrom('membership')
    .innerJoin('guild', 'guild.id', 'membership.guild_id')
    .select((eb) => eb.fn.coalesce(eb.fn.max('guild.level'), eb.lit(0)).as('level'))
    .where('membership.user_id', '=', userId)
    .where('guild.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.level
}

export async function addGuild(
  tx: Tx,
  guild: {
    readonly name: string
    readonly topic: string
    readonly icon: string
    readonly ownerId: UserId
    readonly now: number
  },
): Promise<GuildId> {
  const { id } = await tx
    .insertInto('guild')
    .values({
      name: guild.name,
      topic: guild.topic,
      icon: guild.icon,
      user_id: guild.ownerId,
      created_at: guild.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.insertInto('guild_counter').values({ guild_id: id, last_at: 0 }).execute()
  return id
}

/** How a guild looks to others. `topic`: its description. */
export async function setProfile(
  tx: Tx,
  guildId: GuildId,
  profile: Partial<Pick<GuildRow, 'name' | 'icon' | 'topic' | 'banner'>>,
): Promise<void> {
  await tx.updateTable('guild').set(profile).where('id', '=', guildId).execute()
}

/** Null: staff do not recommend the guild. */
export async function recommendOf(db: Db, guildId: GuildId): Promise<RecommendRow | null> {
  const row = await db
    .selectFrom('guild_recommend')
    .select(['audit_status', 'reason'])
    .select((eb) => asNumber(eb, 'passed_at').as('passed_at'))
    .where('guild_id', '=', guildId)
    .executeTakeFirst()
  return row ?? null
}

/** False when it was so before. */
export async function addRecommend(tx: Tx, guildId: GuildId, now: number): Promise<boolean> {
  const row = await tx
    .insertInto('guild_recommend')
    .values({ guild_id: guildId, created_at: now })
    .onConflict((it) => it.doNothing())
    .returning('guild_id')
    .executeTakeFirst()
  return row !== undefined
}

/** False when it was so before. */
export async function deleteRecommend(tx: Tx, guildId: GuildId): Promise<boolean> {
  const row = await tx
    .deleteFrom('guild_recommend')
    .where('guild_id', '=', guildId)
    .returning('guild_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function setAudit(
  tx: Tx,
  guildId: GuildId,
  input: { readonly audit_status: number; readonly reason: string; readonly passed_at?: number },
): Promise<void> {
  await tx.updateTable('guild_recommend').set(input).where('guild_id', '=', guildId).execute()
}

/** Null takes the custom id away. `invite`: the code that its address leads to. */
export async function setCustomId(
  tx: Tx,
  guildId: GuildId,
  input: { readonly customId: string | null; readonly invite: string | null },
): Promise<void> {
  await tx
    .updateTable('guild')
    .set({ custom_id: input.customId, custom_invite: input.invite })
    .where('id', '=', guildId)
    .execute()
}

/** The guild of a custom id, in any case; null when there is none. */
export async function byCustomId(db: Db, customId: string): Promise<GuildId | null> {
  const row = await db
    .selectFrom('guild')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['custom_id']), '=', customId.toLowerCase()))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
}

/** False when it was so before. */
export async function setBoosts(
  tx: Tx,
  guildId: GuildId,
  { boost_num, level }: { readonly boost_num: number; readonly level: number },
): Promise<boolean> {
  const { rows } = await sql`
    update guild set boost_num = ${boost_num}, level = ${level}
    where id = ${guildId}::bigint and (boost_num, level) is distinct from (${boost_num}, ${level}::int) returning id`.execute(
    tx,
  )
  return rows.length > 0
}

export async function addTeam(db: Db, guildId: GuildId, userId: UserId): Promise<void> {
  await db
    .insertInto('guild_team')
    .values({ guild_id: guildId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Closes a guild; null when there is none, or it is closed. */
export async function close(tx: Tx, guildId: GuildId, now: number): Promise<GuildRow | null> {
  const row = await tx
    .updateTable('guild')
    .set({ closed_at: now, deleted_at: now, deleted_level: null })
    .where('id', '=', guildId)
    .where('deleted_at', 'is', null)
    .returning(GUILD_COLUMNS)
    .executeTakeFirst()
  return row ?? null
}

/** Restores a guild that was closed after `closedAfter`, ms; false when there is none such. */
export async function restore(tx: Tx, guildId: GuildId, closedAfter: number): Promise<boolean> {
  const row = await tx
    .updateTable('guild')
    .set({ closed_at: null, deleted_at: null })
    .where('id', '=', guildId)
    .where('closed_at', '>', int8(closedAfter))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes a guild for its owner; null when there is none, or it is closed. */
export async function markDeleted(tx: Tx, guildId: GuildId, now: number): Promise<GuildRow | null> {
  const row = await tx
    .updateTable('guild')
    .set((eb) => ({ deleted_at: now, deleted_level: eb.ref('level') }))
    .where('id', '=', guildId)
    .where('deleted_at', 'is', null)
    .returning(GUILD_COLUMNS)
    .executeTakeFirst()
  return row ?? null
}

export async function setOwner(tx: Tx, guildId: GuildId, userId: UserId): Promise<void> {
  await tx.updateTable('guild').set({ user_id: userId }).where('id', '=', guildId).execute()
}

/** What staff search guilds by. */
export type GuildQuery =
  | { readonly guildId: GuildId }
  | { readonly customId: string }
  | { readonly ownerId: UserId; readonly after: GuildId | null }
  /** How its name begins, without regard to case. */
  | { readonly name: string; readonly after: GuildId | null }

/** A guild with its owner, as a search of staff finds it. Times in ms. */
export interface FoundGuildRow extends GuildRow {
  readonly created_at: number
  /** Null: staff did not close it. */
  readonly closed_at: number | null
  /** Null: it is open. */
  readonly deleted_at: number | null
  readonly recommended: boolean
  readonly username: string
  readonly identify_num: string
  readonly avatar: string
}

/**
 * Guilds, closed and deleted ones too: of an owner in the order of their ids, of a name in the order of the
 * index `guild_name_start`.
 */
export async function foundGuilds(db: Db, input: GuildQuery, limit: number): Promise<FoundGuildRow[]> {
  const { rows } = await sql<FoundGuildRow>`
    select ${sql.raw(GUILD_COLUMNS.map((name) => `guild.${name}`).join(', '))},
      guild.created_at::float8 as created_at, guild.closed_at::float8 as closed_at,
      guild.deleted_at::float8 as deleted_at, owner.username, owner.identify_num, owner.avatar,
      exists (select 1 from guild_recommend it where it.guild_id = guild.id) as recommended
    from guild join "user" owner on owner.id = guild.user_id
    where ${guildsOf(input)} limit ${limit}`.execute(db)
  return rows
}

function guildsOf(input: GuildQuery) {
  if ('guildId' in input) return sql`guild.id = ${input.guildId}::bigint`
  if ('customId' in input) return sql`lower(guild.custom_id) = lower(${input.customId})`
  if ('ownerId' in input)
    return sql`guild.user_id = ${input.ownerId}::bigint and guild.id > ${input.after ?? '0'}::bigint order by guild.id`
  const start = sql`lower(guild.name) collate "C"`
  return sql`${start} >= lower(${input.name}) collate "C" and ${start} < lower(${input.name}) || chr(1114111) collate "C"
    and (${input.after}::bigint is null or (${start}, guild.id) >
      (select lower(name) collate "C", id from guild where id = ${input.after}::bigint))
    order by ${start}, guild.id`
}

/** A guild that its owner deleted. */
export interface DeletedRow extends Readonly<Pick<GuildRow, 'id' | 'name' | 'icon'>> {
  /** ms */
  readonly deleted_at: number
  /** The level that it had then. */
  readonly deleted_level: number
}

/** The guilds that a person deleted after `since`, ms, the newest first. With `guildId` that one alone. */
export async function deletedBy(
  db: Db,
  userId: UserId,
  since: number,
  guildId: GuildId | null = null,
): Promise<DeletedRow[]> {
  const { rows } = await sql<DeletedRow>`
    select id, name, icon, deleted_at::float8 as deleted_at, deleted_level from guild
    where user_id = ${userId}::bigint and deleted_level is not null and deleted_at > ${since}::bigint
      and (${guildId}::bigint is null or id = ${guildId}::bigint)
    order by deleted_at desc, id desc`.execute(db)
  return rows
}

/** Brings a guild back that its owner deleted; false when that is not so any more. */
export async function undelete(tx: Tx, guildId: GuildId): Promise<boolean> {
  const row = await tx
    .updateTable('guild')
    .set({ deleted_at: null, deleted_level: null })
    .where('id', '=', guildId)
    .where('deleted_level', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** How many guilds that are open belong to a person. */
export async function countOwned(db: Db, userId: UserId): Promise<number> {
  const row = await db
    .selectFrom('guild')
    .select((eb) => countRows(eb).as('count'))
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Locks a guild, so that concurrent changes to what it has run one after the other. */
export async function lockGuild(tx: Tx, guildId: GuildId): Promise<void> {
  await tx.selectFrom('guild').select('id').where('id', '=', guildId).forNoKeyUpdate().execute()
}

/** What newcomers see first, and what members are notified of. */
export type SettingsRow = Readonly<
  Pick<
    Selectable<GuildTable>,
    'default_channel_id' | 'welcome_channel_id' | 'welcome_words' | 'notify_type' | 'category'
  >
>

export async function setSettings(tx: Tx, guildId: GuildId, settings: Partial<SettingsRow>): Promise<void> {
  await tx.updateTable('guild').set(settings).where('id', '=', guildId).execute()
}

export async function settings(db: Db, guildId: GuildId): Promise<SettingsRow> {
  return db
    .selectFrom('guild')
    .select(['default_channel_id', 'welcome_channel_id', 'welcome_words', 'notify_type', 'category'])
    .where('id', '=', guildId)
    .executeTakeFirstOrThrow()
}

export async function setDefaultChannel(
  db: Db,
  guildId: GuildId,
  channelId: ChannelId | null,
): Promise<void> {
  await db.updateTable('guild').set({ default_channel_id: channelId }).where('id', '=', guildId).execute()
}

export async function setWelcomeChannel(
  db: Db,
  guildId: GuildId,
  channelId: ChannelId | null,
): Promise<void> {
  await db.updateTable('guild').set({ welcome_channel_id: channelId }).where('id', '=', guildId).execute()
}
