/**
 * Guilds and roles in the form of the public protocol, and the calls that list guilds. protocol.md §4.1,
 * §5.2, §5.3.
 */

import { guildId, roleId } from '../id.ts'
import { pageInput, pageOf } from '../page.ts'
import { route } from '../route.ts'
import { type Out, z } from '../schema.ts'
import { colorType, type GuildSummary, type Role, role, summaryFields } from './guild.ts'
import type { RecommendInfo } from './recommend.ts'

/** `type` of a role. */
export const roleType = { made: 0, everyone: 255 } as const

export const publicRole = z.object({
  ...role.shape,
  /** 0 made by people, 255 everyone's. */
  type: z.number(),
  color_type: z.number(),
  color_map: z.nullable(z.object({ color_list: z.array(z.number()) })),
  op_permissions: z.number(),
  desc: z.string(),
})
export type PublicRole = Out<typeof publicRole>

export const toPublicRole = (input: Role): PublicRole => ({
  ...input,
  type: input.role_id === 0 ? roleType.everyone : roleType.made,
  color_type: input.color_type ?? colorType.solid,
  color_map: input.color_map ?? null,
  op_permissions: 0,
  desc: '',
})

/** Fields of a guild that typed clients require and that have one value here. */
const unused = {
  region: '',
  buffer_boost_num: 0,
  features: [] as string[],
  status: 0,
  auto_delete_time: '',
  invite_enabled: true,
  banner_status: 0,
  join_restrictions: {
    disable_unverified: false,
    disable_violation: false,
    disable_unverified_and_violation: false,
  },
} as const

const publicFields = {
  ...summaryFields,
  region: z.string(),
  /** Whether the guild is public: none is. */
  enable_open: z.boolean(),
  /** `"0"`: none. */
  open_id: z.string(),
  default_channel_id_setting: z.string(),
  buffer_boost_num: z.number(),
  features: z.array(z.string()),
  status: z.number(),
  auto_delete_time: z.string(),
  invite_enabled: z.boolean(),
  banner_status: z.number(),
  join_restrictions: z.looseObject({}),
  user_config: z.object({ nickname: z.string(), role_ids: z.array(roleId) }),
}

export const publicGuild = z.object(publicFields)
export type PublicGuild = Out<typeof publicGuild>

export const toPublicGuild = (input: GuildSummary, nickname: string): PublicGuild => ({
  ...input,
  ...unused,
  features: [],
  enable_open: false,
  open_id: '0',
  default_channel_id_setting: input.default_channel_id,
  user_config: { nickname, role_ids: input.my_roles },
})

/** A guild in the body of its events: numbers in place of truth values. protocol.md §3.4. */
export const guildEventForm = (input: {
  readonly id: GuildSummary['id']
  readonly name: string
  readonly topic: string
  readonly icon: string
  readonly banner: string
  readonly recommend_info?: RecommendInfo | null
  readonly user_id: string
  readonly default_channel_id: string | null
  readonly welcome_channel_id: string | null
  readonly boost_num: number
  readonly level: number
  readonly custom_id: string | null
  readonly notify_type: number
}) => ({
  ...unused,
  ...input,
  recommend_info: input.recommend_info ?? null,
  custom_id: input.custom_id ?? '',
  master_id: input.user_id,
  enable_open: 0,
  open_id: 0,
  default_channel_id: input.default_channel_id ?? '0',
  welcome_channel_id: input.welcome_channel_id ?? '0',
})

/** The caller's guilds. `sort`: `id` or `-id`; by default in the order of joining. */
export const listGuildsV3 = route({
  method: 'GET',
  path: '/api/v3/guild/list',
  dialect: 'v3',
  who: 'user',
  input: z.object({ ...pageInput, sort: z._default(z.string(), '') }),
  answer: pageOf(publicGuild),
  fails: [],
})

/**
 * The caller's guilds with their emoji, in the order of joining; with `guild_id` that guild alone. Deprecated
 * in the public protocol.
 */
export const indexGuilds = route({
  method: 'GET',
  path: '/api/v3/guild/index',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: z.optional(guildId) }),
  answer: z.array(
    z.object({
      ...publicFields,
      my_nickname: z.string(),
      emojis: z.array(z.object({ id: z.string(), name: z.string(), emoji_type: z.number() })),
    }),
  ),
  fails: ['forbidden'],
})
