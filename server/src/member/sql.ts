/** Members in bulk: what the roster of a guild is loaded from. */
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { type Db, preparedStatement } from '../kit/database/db.ts'
import { type Identity, identityColumns } from '../user/user.ts'

export interface MemberRow extends Identity {
  /** Empty: the username is shown. */
  readonly nickname: string
  readonly mobile_verified: boolean
  readonly joined_at: number
  /** When one of their sessions was last used, ms, to an hour; 0: never. */
  readonly seen_at: number
  readonly roles: number[]
}

const columns = sql`"user".id, ${identityColumns}, "user".mobile_verified, membership.nickname,
  membership.joined_at::float8 as joined_at,
  coalesce((select max(seen_at) from session it where it.user_id = membership.user_id), 0)::float8 as seen_at,
  array(select role_id from membership_role it
        where it.guild_id = membership.guild_id and it.user_id = membership.user_id order by role_id) as roles`

/** Members with ids above `after`, in the order of ids, at most `limit`. */
export async function membersAfter(
  db: Db,
  guildId: GuildId,
  after: string,
  limit: number,
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`${preparedStatement}
    select ${columns} from membership join "user" on "user".id = membership.user_id
    where membership.guild_id = ${guildId} and membership.user_id > ${after}::bigint
    order by membership.user_id limit ${limit}`.execute(db)
  return rows
}

/** The members among some people; in no order. */
export async function membersAmong(
  db: Db,
  guildId: GuildId,
  userIds: readonly UserId[],
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select ${columns} from membership join "user" on "user".id = membership.user_id
    where membership.guild_id = ${guildId} and membership.user_id = any(${userIds}::bigint[])`.execute(db)
  return rows
}

/** The number of a guild's last event, and its owner; null when the guild is gone. */
export async function guildState(
  db: Db,
  guildId: GuildId,
): Promise<{ readonly seq: number; readonly owner_id: UserId } | null> {
  const { rows } = await sql<{ seq: number; owner_id: UserId }>`
    select counter.event_seq::float8 as seq, guild.user_id as owner_id
    from guild join guild_counter counter on counter.guild_id = guild.id
    where guild.id = ${guildId} and guild.deleted_at is null`.execute(db)
  return rows[0] ?? null
}

export interface ChannelRules {
  readonly rules: readonly { readonly role_id: number; readonly allow: number; readonly deny: number }[]
  readonly users: readonly { readonly user_id: UserId; readonly allow: number; readonly deny: number }[]
}

/** The rules of a channel of a guild, for roles and for people; null when the guild has no such channel. */
export async function channelRules(
  db: Db,
  guildId: GuildId,
  channelId: ChannelId,
): Promise<ChannelRules | null> {
  const { rows } = await sql<ChannelRules>`
    select coalesce((
        select json_agg(json_build_object('role_id', role_id, 'allow', allow, 'deny', deny))
        from channel_role_rule it where it.channel_id = channel.id), '[]') as rules,
      coalesce((
        select json_agg(json_build_object('user_id', user_id::text, 'allow', allow, 'deny', deny))
        from channel_user_rule it where it.channel_id = channel.id), '[]') as users
    from channel where id = ${channelId} and guild_id = ${guildId} and deleted_at is null`.execute(db)
  return rows[0] ?? null
}
