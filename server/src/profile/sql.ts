/** Changes of recommended guilds, and what discovery lists. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { GuildProfile } from '@guildhall/wire/profile/profile.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database/db.ts'

/** `status` of a change. */
const status = { waits: 0, passed: 1, rejected: 2, withdrawn: 3 } as const

/** A change of a recommended guild: how it looks with it. */
export interface CaseRow {
  readonly id: string
  readonly guild_id: GuildId
  /** Who wants it. */
  readonly user_id: UserId
  readonly name: string
  readonly icon: string
  readonly description: string
  readonly banner: string
  readonly status: number
  /** Why it was rejected; else empty. */
  readonly reason: string
  readonly created_at: Millis
  /** Null: it waits. */
  readonly decided_at: Millis | null
  /** An id, or `operator`. */
  readonly decided_by: string | null
  /** How the guild looked until then; null: not known. */
  readonly before: GuildProfile | null
}

const caseColumns = sql`id::text, guild_id::text, user_id::text, name, icon, description, banner, status, reason,
  created_at::float8 as created_at, decided_at::float8 as decided_at, decided_by, before`

export const profileOfCase = ({ name, icon, description, banner }: CaseRow): GuildProfile => ({
  name,
  icon,
  banner,
  desc: description,
})

export const isSameProfile = (a: GuildProfile, b: GuildProfile): boolean =>
  a.name === b.name && a.icon === b.icon && a.desc === b.desc && a.banner === b.banner

export async function addCase(
  tx: Tx,
  input: {
    readonly guildId: GuildId
    readonly userId: UserId
    readonly profile: GuildProfile
    readonly now: Millis
  },
): Promise<void> {
  const { name, icon, desc, banner } = input.profile
  await tx
    .insertInto('guild_revision')
    .values({
      guild_id: input.guildId,
      user_id: input.userId,
      name,
      icon,
      description: desc,
      banner,
      created_at: input.now,
    })
    .execute()
}

/** The last change of a guild that was not withdrawn; null: there is none. */
export async function lastCase(db: Db, guildId: GuildId): Promise<CaseRow | null> {
  const { rows } = await sql<CaseRow>`
    select ${caseColumns} from guild_revision
    where guild_id = ${guildId} and status <> ${status.withdrawn} order by id desc limit 1`.execute(db)
  return rows[0] ?? null
}

export async function caseById(db: Db, id: string): Promise<CaseRow | null> {
  const { rows } =
    await sql<CaseRow>`select ${caseColumns} from guild_revision where id = ${id}::bigint`.execute(db)
  return rows[0] ?? null
}

/** The changes that wait, those after `after`, the oldest first, at most `limit`. */
export async function waitingCases(db: Db, limit: number, after = 0): Promise<CaseRow[]> {
  const { rows } = await sql<CaseRow>`
    select ${caseColumns} from guild_revision
    where status = 0 and id > ${after} order by id limit ${limit}`.execute(db)
  return rows
}

/** The changes that passed or were rejected, those before `before`, the newest first, at most `limit`. */
export async function decidedCases(
  db: Db,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<CaseRow[]> {
  const { rows } = await sql<CaseRow>`
    select ${caseColumns} from guild_revision
    where status in (1, 2) and id < ${before} order by id desc limit ${limit}`.execute(db)
  return rows
}

/** Decides on a change that waits; null: it waits no longer. */
export async function decideCase(
  tx: Tx,
  id: string,
  input: {
    readonly status: 1 | 2
    readonly reason: string
    readonly by: string
    readonly now: Millis
    readonly before: GuildProfile
  },
): Promise<CaseRow | null> {
  const { rows } = await sql<CaseRow>`
    update guild_revision
    set status = ${input.status}, reason = ${input.reason}, decided_at = ${input.now}, decided_by = ${input.by},
      before = ${JSON.stringify(input.before)}::jsonb
    where id = ${id}::bigint and status = ${status.waits} returning ${caseColumns}`.execute(tx)
  return rows[0] ?? null
}

/**
 * The guild is recommended no longer: its last change is not decided any more. Null: there is none but those
 * that passed.
 */
export async function withdrawCase(tx: Tx, guildId: GuildId): Promise<CaseRow | null> {
  const { rows } = await sql<CaseRow>`
    update guild_revision set status = ${status.withdrawn}
    where id = (select id from guild_revision where guild_id = ${guildId} and status <> ${status.withdrawn}
                order by id desc limit 1)
      and status <> ${status.passed}
    returning ${caseColumns}`.execute(tx)
  return rows[0] ?? null
}

/** How a guild looks, also one that is closed; null: there is none. */
export async function guildProfileOf(
  db: Db,
  guildId: GuildId,
): Promise<(GuildProfile & { user_id: UserId }) | null> {
  const row = await db
    .selectFrom('guild')
    .select(['name', 'icon', 'topic as desc', 'banner', 'user_id'])
    .where('id', '=', guildId)
    .executeTakeFirst()
  return row ?? null
}

/** A change of a guild with what became of it. Times in ms. */
export interface RevisionRow extends Pick<CaseRow, 'id' | 'user_id' | 'name' | 'status' | 'created_at'> {
  readonly reason: string
  /** Null: nobody has decided. */
  readonly decided_at: Millis | null
}

/** The newest changes of a guild. */
export async function revisionsOf(db: Db, guildId: GuildId, limit: number): Promise<RevisionRow[]> {
  const { rows } = await sql<RevisionRow>`
    select id::text, user_id::text, name, status, reason, created_at::float8 as created_at,
      decided_at::float8 as decided_at
    from guild_revision where guild_id = ${guildId} order by guild_revision.id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

export interface DiscoverableRow {
  readonly id: GuildId
  readonly name: string
  readonly icon: string
  readonly desc: string
  readonly banner: string
  readonly category: string
  readonly level: number
  readonly members: number
  readonly is_member: boolean
}

/** A recommended guild as it is searched for. */
export interface RecommendedRow extends Pick<DiscoverableRow, 'id' | 'name' | 'desc' | 'category'> {}

/** Recommended guilds by what they are sorted by; of equal ones the newer guild first. */
export async function recommendedGuilds(
  db: Db,
  sort: 'boost_num' | 'created_at',
  limit: number,
): Promise<RecommendedRow[]> {
  const first = sort === 'boost_num' ? sql`guild.boost_num` : sql`guild_recommend.created_at`
  const { rows } = await sql<RecommendedRow>`
    select guild.id::text, name, topic as "desc", category
    from guild_recommend join guild on guild.id = guild_recommend.guild_id and guild.deleted_at is null
    order by ${first} desc, guild.id desc limit ${limit}`.execute(db)
  return rows
}

/** How many members the recommended guilds have. It reads all their memberships. */
export async function recommendedSizes(db: Db): Promise<ReadonlyMap<GuildId, number>> {
  const { rows } = await sql<{ guild_id: GuildId; members: number }>`
    select guild_id::text, count(*)::int4 as members from membership
    where guild_id in (select guild_id from guild_recommend) group by guild_id`.execute(db)
  return new Map(rows.map(({ guild_id, members }) => [guild_id, members]))
}

/** Guilds as `userId` finds them, null: a guest; in no order. */
export async function discoverables(
  db: Db,
  userId: UserId | null,
  ids: readonly GuildId[],
): Promise<DiscoverableRow[]> {
  const { rows } = await sql<DiscoverableRow>`
    select guild.id::text, name, icon, topic as "desc", banner, category, level,
      (select count(*)::int4 from membership it where it.guild_id = guild.id) as members,
      exists (select 1 from membership it where it.guild_id = guild.id and it.user_id = ${userId}) as is_member
    from guild where id = any(${ids}::bigint[]) and deleted_at is null`.execute(db)
  return rows
}

/**
 * The guilds that are recommended, those with the most boost packs first. `custom_id`: their short address,
 * null without one that leads somewhere; `changed_at`, ms: when their last change passed, or since when they
 * are recommended.
 */
export async function mappedGuilds(
  db: Db,
  limit: number,
): Promise<{ readonly custom_id: string | null; readonly changed_at: number }[]> {
  const { rows } = await sql<{ custom_id: string | null; changed_at: number }>`
    select case when invite.code is not null then custom_id end as custom_id,
      greatest(guild_recommend.passed_at, guild_recommend.created_at)::float8 as changed_at
    from guild_recommend join guild on guild.id = guild_recommend.guild_id and guild.deleted_at is null
      left join invite on invite.code = guild.custom_invite and invite.deleted_at is null
    order by boost_num desc, guild.id desc limit ${limit}`.execute(db)
  return rows
}
