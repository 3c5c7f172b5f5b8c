/** Acts on members: names, kicks, mutes and bans. protocol.md §4.1, §4.2, §4.13 and §8.4. */

import { guildId, userId } from '../id.ts'
import { pageInput, pageOf } from '../page.ts'
import { route } from '../route.ts'
import { int, nothing, text, z } from '../schema.ts'
import { DAY_MS, SECOND_MS } from '../unit.ts'
import { user } from '../user/shown.ts'
import { isNameOf, readName, readWords } from '../words.ts'
import { MUTES_PATH } from './event.ts'

export const NICKNAME_MIN = 2
export const NICKNAME_MAX = 64

/** Whether a member may be called this in a guild: 2 to 64 characters. protocol.md §4.1. */
export const isNickname = (name: string): boolean => isNameOf(name, NICKNAME_MIN, NICKNAME_MAX)

/**
 * Changes how a member is called in a guild; empty: the username. Oneself needs bit 9, others bit 26.
 * protocol.md §4.1.
 */
export const setNickname = route({
  method: 'POST',
  path: '/api/v3/guild/nickname',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    nickname: z.optional(text(256, 0, readName)),
    user_id: z.optional(userId),
  }),
  answer: nothing,
  fails: [
    'forbidden',
    'guild.not_member',
    'member.no_right',
    'member.above',
    'member.nickname_wrong',
    'content.refused',
    'content.reserved',
  ],
})

/** Ends a membership. Needs bit 6. They may come back by an invite. protocol.md §4.1. */
export const kickOut = route({
  method: 'POST',
  path: '/api/v3/guild/kickout',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, target_id: userId }),
  answer: nothing,
  fails: ['forbidden', 'guild.not_member', 'member.no_right', 'member.above'],
})

/** What a muted member may not do: speak, hear, write. protocol.md §4.2; `write` is ours. */
export const muteType = { mic: 1, headset: 2, write: 3 } as const
export type MuteType = (typeof muteType)[keyof typeof muteType]

/** The longest mute with an end, seconds. */
export const MUTE_MAX_S = (366 * DAY_MS) / SECOND_MS

const mutes = z.object({ type: z.number(), user_ids: z.array(userId) })

/**
 * Who is muted. Needs bit 24 or 25. Without `return_type=detail` the answer has lists under the numbers.
 * protocol.md §4.2.
 */
export const listMutes = route({
  method: 'GET',
  path: MUTES_PATH,
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, return_type: z.optional(text(20)) }),
  answer: z.looseObject({
    /** The people of the lists. Ours. */
    users: z.optional(z.array(user)),
    mic: z.optional(mutes),
    headset: z.optional(mutes),
    /** `ends_at`: ms, 0 without an end. Ours. */
    write: z.optional(
      z.object({ ...mutes.shape, ends_at: z.array(z.object({ user_id: userId, ends_at: z.number() })) }),
    ),
  }),
  fails: ['forbidden', 'member.no_right'],
})

const muted = {
  guild_id: guildId,
  user_id: z.optional(userId),
  /** The same as `user_id`; one of the two is needed. */
  target_id: z.optional(userId),
  type: int(1, 3),
}

/**
 * Mutes a member; again: from now on until the new end. Type 1 and 3 need bit 25, type 2 bit 24. protocol.md
 * §4.2.
 */
export const createMute = route({
  method: 'POST',
  path: '/api/v3/guild-mute/create',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    ...muted,
    /** Of type 3: seconds; without, it has no end. Ours. */
    duration: z.optional(int(1, MUTE_MAX_S)),
  }),
  answer: nothing,
  fails: ['forbidden', 'bad_input', 'guild.not_member', 'member.no_right', 'member.above'],
})

/** Ends a mute; none is no failure. protocol.md §4.2. */
export const deleteMute = route({
  method: 'POST',
  path: '/api/v3/guild-mute/delete',
  dialect: 'v3',
  who: 'user',
  input: z.object(muted),
  answer: nothing,
  fails: ['forbidden', 'bad_input', 'member.no_right', 'member.above'],
})

/** The longest time before a ban whose messages it deletes, days. */
export const BAN_DELETES_DAYS_MAX = 7
export const BAN_REMARK_MAX = 200

/** Who is banned, the newest first. Needs bit 7. protocol.md §4.13. */
export const listBans = route({
  method: 'GET',
  path: '/api/v3/blacklist/list',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, ...pageInput }),
  answer: pageOf(
    z.object({
      user_id: userId,
      created_time: z.number(),
      remark: z.string(),
      user,
      /** Who banned them; null where that is not known. Ours. */
      operator: z.nullable(user),
    }),
  ),
  fails: ['forbidden', 'member.no_right'],
})

/**
 * Bans somebody, a member or not: their membership ends, and they cannot come back. Needs bit 7. protocol.md
 * §4.13.
 */
export const createBan = route({
  method: 'POST',
  path: '/api/v3/blacklist/create',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    target_id: userId,
    remark: z._default(text(BAN_REMARK_MAX, 0, readWords), ''),
    /** Their messages of so many days are deleted, soon after. */
    del_msg_days: z._default(int(0, BAN_DELETES_DAYS_MAX), 0),
  }),
  answer: nothing,
  fails: ['forbidden', 'user.unknown', 'member.no_right', 'member.above'],
})

/** Ends a ban; none is no failure. Needs bit 7. protocol.md §4.13. */
export const deleteBan = route({
  method: 'POST',
  path: '/api/v3/blacklist/delete',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, target_id: userId }),
  answer: nothing,
  fails: ['forbidden', 'member.no_right'],
})
