/** The members of a guild: lists of them. chat.md §2, §3 and §7, protocol.md §4.1 and §5.1. */
import { guildId, roleId } from '../id.ts'
import { route } from '../route.ts'
import { int, type Out, text, z } from '../schema.ts'
import { author } from '../user/shown.ts'

/** Members in a page of the list. chat.md §9. */
export const MEMBER_PAGE = 50

/** A member as lists show them. chat.md §3, protocol.md §5.1. */
export const member = z.object({
  ...author.shape,
  os: z.string(),
  /** The colour of their highest role that has one; 0: none. */
  color: z.number(),
  /** The gradient of that role. */
  color_list: z.optional(z.array(z.number())),
  /** The owner of the guild. */
  is_master: z.boolean(),
  /** Has every right by a role, and is not the owner. */
  is_admin: z.boolean(),
  /** What they play: never known here. */
  game: z.string(),
  /** The role that they stand under while they are online; null: they stand under online or offline. */
  hoist_info: z.nullable(z.object({ role_id: roleId, name: z.string(), color: z.number() })),
  mobile_verified: z.boolean(),
  /** ms */
  joined_at: z.number(),
  /** When they were last seen, to the minute, ms. */
  active_time: z.number(),
  /** The first letters of the nickname, Chinese ones by pinyin. */
  abbr: z.string(),
})
export type Member = Out<typeof member>

/**
 * A group of the list: a hoisted role, those online without one, and those offline. Groups without members
 * are left out.
 */
export const memberGroup = z.object({
  kind: z.union([z.literal('role'), z.literal('online'), z.literal('offline')]),
  /** Of a role; else 0 and empty. */
  role_id: roleId,
  name: z.string(),
  color: z.number(),
  count: z.number(),
})
export type MemberGroup = Out<typeof memberGroup>

/**
 * A part of the members of a guild, in the order of `groups`, by name within each. With `c` those who may
 * view that channel. With `search` those whose names fit, the likeliest first, at most a page; `groups` is
 * empty then. chat.md §7.
 */
export const listMembers = route({
  method: 'GET',
  path: '/api/v2/guilds/users-v2/:id',
  dialect: 'v2',
  who: 'user',
  input: z.object({
    id: guildId,
    offset: z._default(int(0, 100_000_000), 0),
    /** More than a page are reduced to a page. */
    perPage: z._default(int(1, 1_000), MEMBER_PAGE),
    /** Empty and `null` count as absent. */
    c: z.optional(text(20)),
    search: z.optional(text(100)),
  }),
  answer: z.object({
    data: z.array(member),
    /** All who are online, those of hoisted roles too: the number that the invite page shows. */
    online_count: z.number(),
    offline_count: z.number(),
    groups: z.array(memberGroup),
  }),
  fails: ['forbidden', 'bad_input'],
})
