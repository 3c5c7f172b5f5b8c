/** Reads the world back from the database: the demo cast, and every guild, channel and invite. */
import type { ChannelId, GuildId, InviteCode, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import type { Db } from '../kit/db.ts'
import { people } from './text.ts'

export type CastName = keyof typeof people
export const castNames = Object.keys(people) as CastName[]

/** Somebody of the demo world, with what it takes to log in. */
export interface CastMember {
  readonly name: string
  readonly id: UserId
  readonly username: string
  readonly identify_num: string
  readonly prefix: string
  readonly mobile: string
  readonly password: string
}

export interface WorldChannel {
  readonly id: ChannelId
  readonly guild_id: GuildId
  readonly parent_id: string
  readonly name: string
  /** 0 category, 1 text, 2 voice. */
  readonly type: 0 | 1 | 2
  readonly is_readonly: boolean
}

export interface WorldGuild {
  readonly id: GuildId
  readonly name: string
  readonly level: number
  readonly is_recommended: boolean
  readonly user_id: UserId
  readonly default_channel_id: ChannelId | null
}

export interface WorldInvite {
  readonly code: InviteCode
  readonly guild_id: GuildId
  readonly channel_id: ChannelId | null
  readonly expires_at: number | null
  readonly uses_max: number | null
  readonly uses: number
}

/** Who and what there is, oldest first. `cast` is empty where no demo world was seeded. */
export interface World {
  readonly cast: Readonly<Record<string, CastMember>>
  readonly guilds: readonly WorldGuild[]
  readonly channels: readonly WorldChannel[]
  readonly invites: readonly WorldInvite[]
}

/** Reads the world back: the cast with passwords, and every guild, channel and invite. */
export async function readWorld(db: Db): Promise<World> {
  const cast = await sql<CastMember>`
    select demo_cast.name, "user".id, username, identify_num, mobile_prefix as prefix, mobile, password
    from demo_cast join "user" on "user".id = demo_cast.user_id order by "user".id`.execute(db)
  const guilds = await sql<WorldGuild>`
    select id, name, level, is_recommended, user_id, default_channel_id from guild
    where deleted_at is null order by id`.execute(db)
  const channels = await sql<WorldChannel>`
    select id, guild_id, coalesce(parent_id::text, '') as parent_id, name, type, is_readonly from channel
    where deleted_at is null order by id`.execute(db)
  const invites = await sql<WorldInvite>`
    select code, guild_id, channel_id, expires_at::float8 as expires_at, uses_max, uses from invite
    where deleted_at is null order by created_at, guild_id`.execute(db)
  return {
    cast: Object.fromEntries(cast.rows.map((each) => [each.name, each])),
    guilds: guilds.rows,
    channels: channels.rows,
    invites: invites.rows,
  }
}
