/** Guilds, as staff with the right `guild` find, see and change them. Closing and restoring: staff.ts. */

import { guildId, userId } from '../id.ts'
import { route } from '../route.ts'
import { flag, nothing, type Out, text, z } from '../schema.ts'
import { foldDashed } from '../words.ts'
import { actReason, waited } from './staff.ts'

/** Guilds of one page of a search, and members of one. */
export const FOUND_GUILDS_MAX = 20
/** Uses of packs, and revisions of one guild, that are shown. */
export const SHOWN_USES_MAX = 100
export const SHOWN_REVISIONS_MAX = 10

export const GUILD_STATES = ['open', 'closed', 'deleted'] as const

/** Somebody, as the lists of guilds name them. */
const named = z.object({ id: userId, username: z.string(), identify_num: z.string(), avatar: z.string() })

/** A guild in the list of a search. */
export const foundGuild = z.object({
  id: guildId,
  name: z.string(),
  icon: z.string(),
  /** Empty: none. */
  custom_id: z.string(),
  owner: named,
  level: z.number(),
  created_at: z.number(),
  /** `closed` by staff, `deleted` by its owner. */
  state: z.enum(GUILD_STATES),
  recommended: z.boolean(),
})
export type FoundGuild = Out<typeof foundGuild>

/**
 * Looks guilds up by id, by the address of their own, by their owner, or by how their name begins, without
 * regard to case; closed ones too. A page follows `after`, the last guild of the page before.
 */
export const findGuilds = route({
  method: 'GET',
  path: '/api/v3/staff/guild-find',
  dialect: 'v3',
  who: 'staff',
  right: 'guild',
  input: z.object({
    guild_id: z.optional(guildId),
    custom_id: z.optional(text(40, 1, foldDashed)),
    owner_id: z.optional(userId),
    name: z.optional(text(100, 1)),
    after: z.optional(guildId),
  }),
  answer: z.object({ items: z.array(foundGuild), has_more: z.boolean() }),
  fails: [],
})

/** All that the console shows of a guild. Times are ms. */
export const staffGuild = z.object({
  ...foundGuild.shape,
  banner: z.string(),
  desc: z.string(),
  members: z.number(),
  channels: z.number(),
  /** Packs in use. */
  boost_num: z.number(),
  /** Who uses them, those that end first before the others, at most `SHOWN_USES_MAX`. */
  boosts: z.array(z.object({ user: named, count: z.number(), end_at: z.number() })),
  /** What its level brings, by key. */
  rights: z.record(z.string(), z.union([z.number(), z.boolean()])),
  /**
   * Changes of a recommended guild, the newest first. `status`: 0 waits, 1 passed, 2 rejected, 3 withdrawn.
   */
  revisions: z.array(
    z.object({
      id: z.string(),
      user_id: userId,
      name: z.string(),
      status: z.number(),
      reason: z.string(),
      created_at: z.number(),
      /** 0: nobody has. */
      decided_at: z.number(),
    }),
  ),
  /** When it was closed or deleted; 0: it is open. */
  gone_at: z.number(),
  /** Until when it can be restored, by staff if they closed it, else by its owner; 0: it is open. */
  restorable_until: z.number(),
})
export type StaffGuild = Out<typeof staffGuild>

export const staffViewGuild = route({
  method: 'GET',
  path: '/api/v3/staff/guild-view',
  dialect: 'v3',
  who: 'staff',
  right: 'guild',
  input: z.object({ guild_id: guildId }),
  answer: staffGuild,
  fails: ['guild.unknown'],
})

/** Members of a guild by id, or by name as members search each other, for who is to own it. */
export const findGuildMembers = route({
  method: 'GET',
  path: '/api/v3/staff/guild-members',
  dialect: 'v3',
  who: 'staff',
  right: 'guild',
  input: z.object({ guild_id: guildId, search: text(50, 1) }),
  answer: z.object({ items: z.array(z.object({ ...named.shape, nickname: z.string() })) }),
  fails: ['guild.unknown'],
})

/**
 * Once somebody else approved it, a member owns the guild; who owned it stays a member. Both are told.
 */
export const changeGuildOwner = route({
  method: 'POST',
  path: '/api/v3/staff/guild-owner',
  dialect: 'v3',
  who: 'staff',
  right: 'guild',
  input: z.object({ guild_id: guildId, user_id: userId, reason: actReason }),
  answer: waited,
  fails: [
    ...(['guild.unknown', 'guild.not_member', 'guild.owns_too_many'] as const),
    ...(['staff.own_guild', 'staff.owner_already', 'user.unknown'] as const),
  ],
})

/** Recommends a guild, or no longer: a change that waits is given up then. Its owner is told. */
export const recommendGuild = route({
  method: 'POST',
  path: '/api/v3/staff/guild-recommend',
  dialect: 'v3',
  who: 'staff',
  right: 'guild',
  input: z.object({ guild_id: guildId, on: flag(), reason: actReason }),
  answer: nothing,
  fails: ['guild.unknown'],
})
