import { event } from '../event.ts'
import { guildId, roleId, userId } from '../id.ts'
import { route } from '../route.ts'
import { type Out, type Schema, z } from '../schema.ts'
import { DAY_MS } from '../unit.ts'
import { user } from '../user/shown.ts'
import type { RecommendInfo } from './recommend.ts'

/** A guild's name has at most so many characters. */
export const GUILD_NAME_MAX = 30
/**
 * How long staff can restore a guild that they closed, and an owner one that they deleted. commerce.md §3
 * "restore_delete_guild".
 */
export const GUILD_RESTORABLE_DAYS = 30
export const GUILD_RESTORABLE_MS = GUILD_RESTORABLE_DAYS * DAY_MS

/** `color_type` of a role. */
export const colorType = { solid: 1, gradient: 2 } as const
/** How many colours a gradient has. */
export const GRADIENT_COLORS = { min: 2, max: 4 } as const

/** protocol.md §5.3. `position`: smaller is higher. */
export const role = z.object({
  role_id: roleId,
  name: z.string(),
  /** 0 to 0xFFFFFF, 0 is none; of a gradient its first. */
  color: z.number(),
  /** 1 solid, 2 gradient; absent: solid. */
  color_type: z.optional(z.number()),
  /** The two to four colours of a gradient, from the beginning of a name to its end. */
  color_map: z.optional(z.nullable(z.object({ color_list: z.array(z.number()) }))),
  position: z.number(),
  hoist: z.number(),
  mentionable: z.number(),
  permissions: z.number(),
})
export type Role = Out<typeof role>

/** The fields that the rail shows; `viewGuild` answers them too. */
export const summaryFields = {
  id: guildId,
  name: z.string(),
  topic: z.string(),
  /** Empty when there is no picture. */
  icon: z.string(),
  /** A picture of 16 by 9; empty without one. */
  banner: z.string(),
  /**
   * Null: staff do not recommend it. Its shape is that of `viewRecommended`; a page checks it there, and not
   * in every guild.
   */
  recommend_info: z.unknown() as unknown as Schema<RecommendInfo | null>,
  /** The owner; `master_id` says the same. */
  user_id: userId,
  master_id: userId,
  /** `"0"` when there is none. */
  default_channel_id: z.string(),
  /** The channel that welcomes new members; `"0"`: none. protocol.md §5.2. */
  welcome_channel_id: z.string(),
  boost_num: z.number(),
  level: z.number(),
  /** What the level brings, by the keys of `rights.ts`: numbers and truth values. commerce.md §3. */
  rights: z.looseObject({}),
  /** The short address `/g/CUSTOM_ID`; empty without one. */
  custom_id: z.string(),
  /** What members who set nothing are notified of: 1 all, 2 mentions, 3 nothing. protocol.md §5.2. */
  notify_type: z.number(),
  is_master: z.boolean(),
  /** Members who represent the guild besides its owner. */
  team_members: z.array(userId),
  my_roles: z.array(roleId),
}

/** A guild as the rail shows it. chat.md §3. */
export const guildSummary = z.object(summaryFields)
export type GuildSummary = Out<typeof guildSummary>

/** The caller's guilds in the order of joining; may be empty. chat.md §7. */
export const listGuilds = route({
  method: 'GET',
  path: '/api/v2/guilds',
  dialect: 'v2',
  who: 'user',
  input: z.object({}),
  answer: z.array(
    z.object({
      ...summaryFields,
      /** The pinyin of the name, for searches; empty without Chinese characters. Ours. */
      spelling: z.optional(z.string()),
    }),
  ),
  fails: [],
})

/**
 * The members who represent a guild besides its owner, and may write in its read-only channels. Ours: chat.md
 * §7 leaves it open.
 */
export const listTeam = route({
  method: 'GET',
  path: '/api/v2/team-members',
  dialect: 'v2',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  // Marked as pure: the page does not make this call, and what is spread would stay in it.
  answer: /* @__PURE__ */ (() =>
    z.array(z.object({ ...user.shape, nickname: z.string(), roles: z.array(roleId) })))(),
  fails: ['forbidden'],
})

/**
 * A user, and with a `guild_id` as its member: nickname, roles, and when they joined, ms. protocol.md §4.10.
 */
export const viewUser = route({
  method: 'GET',
  path: '/api/v3/user/view',
  dialect: 'v3',
  who: 'user',
  input: z.object({ user_id: userId, guild_id: z.optional(guildId) }),
  answer: z.object({
    ...user.shape,
    nickname: z.optional(z.string()),
    roles: z.optional(z.array(roleId)),
    joined_at: z.optional(z.number()),
    /** Whether they own the guild. */
    is_master: z.optional(z.boolean()),
    /** Has every right by a role, and is not the owner. */
    is_admin: z.optional(z.boolean()),
    color: z.optional(z.number()),
    /** The gradient of the role that `color` is of. */
    color_list: z.optional(z.array(z.number())),
    mobile_verified: z.optional(z.boolean()),
    /** Since when they have had BUFF without a gap, ms; absent: they have none. Ours. */
    buff_since: z.optional(z.number()),
    /** When they were last seen, ms. */
    active_time: z.optional(z.number()),
  }),
  fails: ['forbidden', 'user.unknown'],
})

/** protocol.md §3.4. */
export const guildUpdated = event(
  'updated_guild',
  'guild',
  z.looseObject({ id: guildId, name: z.string() }),
  { access: 'guild' },
)
/**
 * The guild is gone for everybody: it was closed. A client drops it, and gets `self_joined_guild` when it is
 * restored.
 */
export const guildDeleted = event(
  'deleted_guild',
  'guild',
  z.looseObject({ id: guildId, name: z.string() }),
  { access: 'guild' },
)
