/** Reads the world back from the database: the demo people, and every guild, channel and invite. */
import type { ChannelId, GuildId, InviteCode, UserId } from '@guildhall/wire/id.ts'
import { codeNow } from '../auth/auth.ts'
import { asNumber } from '../kit/database/columns.ts'
import type { Db } from '../kit/database/db.ts'
import { people } from './text.ts'

export type PersonName = keyof typeof people
export const personNames = Object.keys(people) as PersonName[]

/** A person of the demo world, with the credentials to log in. */
export interface DemoPerson {
  readonly name: string
  readonly id: UserId
  readonly username: string
  readonly identify_num: string
  readonly prefix: string
  readonly mobile: string
  readonly password: string
  /** The secret of their authenticator app, in Base32; empty: they have no second factor. */
  readonly second_factor: string
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

/**
 * The people, guilds, channels and invites, oldest first. `people` is empty where no demo world was seeded.
 */
export interface World {
  readonly people: Readonly<Record<string, DemoPerson>>
  readonly guilds: readonly WorldGuild[]
  readonly channels: readonly WorldChannel[]
  readonly invites: readonly WorldInvite[]
}

/**
 * What the authenticator app of a person of the demo world shows now; null: nobody has this number and a
 * second factor.
 */
export async function demoCode(db: Db, mobile: string): Promise<string | null> {
  const row = await db
    .selectFrom('demo_cast')
    .innerJoin('user', 'user.id', 'demo_cast.user_id')
    .select('demo_cast.second_factor')
    .where('user.mobile', '=', mobile)
    .where('demo_cast.second_factor', '<>', '')
    .executeTakeFirst()
  return row ? codeNow(row.second_factor) : null
}

/** Reads the world back: the demo people with passwords, and every guild, channel and invite. */
export async function readWorld(db: Db): Promise<World> {
  const people = await db
    .selectFrom('demo_cast')
    .innerJoin('user', 'user.id', 'demo_cast.user_id')
    .select(['demo_cast.name', 'demo_cast.password', 'demo_cast.second_factor'])
    .select(['user.id', 'user.username', 'user.identify_num', 'user.mobile_prefix as prefix', 'user.mobile'])
    .orderBy('user.id')
    .execute()
  const guilds = await db
    .selectFrom('guild')
    .leftJoin('guild_recommend', 'guild_recommend.guild_id', 'guild.id')
    .select(['id', 'name', 'level', 'user_id', 'default_channel_id'])
    .select((eb) => eb('guild_recommend.guild_id', 'is not', null).$castTo<boolean>().as('is_recommended'))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const channels = await db
    .selectFrom('channel')
    .select(['id', 'guild_id', 'parent_id', 'name', 'type', 'is_readonly'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const invites = await db
    .selectFrom('invite')
    .select(['code', 'guild_id', 'channel_id', 'uses_max', 'uses'])
    .select((eb) => asNumber(eb, 'expires_at').as('expires_at'))
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('guild_id')
    .execute()
  return {
    people: Object.fromEntries(people.map((each) => [each.name, each])),
    guilds,
    channels: channels.map((each) => ({ ...each, parent_id: each.parent_id ?? '' })),
    invites: invites.map(({ code, ...rest }) => ({ ...rest, code: code as InviteCode })),
  }
}
