/**
 * Channels in the form of the public protocol, and the calls that read and change them. protocol.md §4.1,
 * §4.5, §5.4.
 */

import { publicGuild, publicRole } from '../guild/publicGuild.ts'
import { channelId, guildId, roleId, userId } from '../id.ts'
import { pageInput, pageOf } from '../page.ts'
import { route } from '../route.ts'
import { flag, int, nothing, type Out, text, z } from '../schema.ts'
import { author } from '../user/shown.ts'
import { isNameOf, readName, readWords } from '../words.ts'
import { roleRule } from './channel.ts'

/** The bit rates of `voice_quality` 1 to 7, kbps. protocol.md §4.4. */
export const VOICE_KBPS: readonly number[] = [18, 48, 96, 128, 192, 256, 320]

/** Channels of a guild, with its categories. */
export const GUILD_CHANNELS_MAX = 500
export const CHANNEL_NAME_MAX = 100
export const TOPIC_MAX = 500
export const VOICE_LIMIT_MAX = 99
/** How long a person waits between two messages, ms. protocol.md §4.5. */
export const SLOW_MODES = [
  0, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000,
  7_200_000, 21_600_000,
] as const

/** A slow mode in ms from one in ms or s, of which only 0 is both; null for any other number. */
export function slowModeMs(given: number): number | null {
  const known: readonly number[] = SLOW_MODES
  if (known.includes(given)) return given
  return known.includes(given * 1000) ? given * 1000 : null
}

/** Whether a channel or a category may have this name. */
export const isChannelName = (name: string): boolean => isNameOf(name, 1, CHANNEL_NAME_MAX)

export const publicUserRule = z.object({
  user: z.looseObject(author.shape),
  allow: z.number(),
  deny: z.number(),
})

const fields = {
  id: channelId,
  guild_id: guildId,
  /** Who created it. */
  user_id: userId,
  name: z.string(),
  /** The category's id, `""` at the top. */
  parent_id: z.string(),
  topic: z.string(),
  /** 0 category, 1 text, 2 voice. */
  type: z.number(),
  /** Sort key, ascending within a parent. */
  level: z.number(),
  /** ms */
  slow_mode: z.number(),
  slow_mode_reply: z.number(),
  limit_amount: z.number(),
  is_category: z.boolean(),
  permission_overwrites: z.array(roleRule),
  /** All with the right to manage roles there, else the caller's own. */
  permission_users: z.array(publicUserRule),
  permission_sync: z.number(),
  has_password: z.boolean(),
  voice_quality: z.string(),
  server_url: z.string(),
  server_type: z.number(),
  sync_guild_region: z.number(),
  region: z.string(),
  is_readonly: z.boolean(),
  is_private: z.boolean(),
  /** Whether the caller owns the guild. */
  is_master: z.boolean(),
  /** The caller's permissions there. Ours. */
  permissions: z.number(),
}
export const publicChannel = z.object(fields)
export type PublicChannel = Out<typeof publicChannel>

/** After a change, `is_category` is 0 or 1. protocol.md §5.4. */
const changedChannel = z.object({ ...fields, is_category: z.number() })

/** A guild of the caller with its roles and the channels that they see, flat, in the order of the tree. */
export const viewGuildV3 = route({
  method: 'GET',
  path: '/api/v3/guild/view',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: z.object({ ...publicGuild.shape, roles: z.array(publicRole), channels: z.array(publicChannel) }),
  fails: ['forbidden'],
})

/**
 * A guild's channels that the caller sees, in the order of the tree: all, or those of a type together with
 * the categories.
 */
export const listChannelsV3 = route({
  method: 'GET',
  path: '/api/v3/channel/list',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    type: z.optional(int(0, 255)),
    parent_id: z.optional(channelId),
    ...pageInput,
  }),
  answer: pageOf(publicChannel),
  fails: ['forbidden'],
})

/** One channel; with `need_children` the ids of those in a category that the caller sees. */
export const viewChannelV3 = route({
  method: 'GET',
  path: '/api/v3/channel/view',
  dialect: 'v3',
  who: 'user',
  input: z.object({ target_id: channelId, need_children: z._default(flag(), false) }),
  answer: z.object({ ...fields, children: z.optional(z.array(channelId)) }),
  fails: ['forbidden'],
})

const name = text(400, 0, readName)
const voice = {
  limit_amount: z.optional(int(0, VOICE_LIMIT_MAX)),
  voice_quality: z.optional(int(1, 7)),
}

/**
 * Creates a channel at the end of its category, with the overwrites of the category. Of a category only
 * the name counts.
 */
export const createChannel = route({
  method: 'POST',
  path: '/api/v3/channel/create',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: z.optional(guildId),
    /** `guild_id` as kasumi.js spells it in this call. */
    guildId: z.optional(guildId),
    name,
    /** `""` or `"0"`: none. */
    parent_id: z._default(z.pipe(text(16), z.string().check(z.regex(/^\d*$/))), ''),
    /** 1 text, 2 voice; others are refused. */
    type: z._default(int(0, 255), 1),
    is_category: z._default(flag(), false),
    ...voice,
  }),
  answer: changedChannel,
  fails: [
    'bad_input',
    'forbidden',
    'channel.full',
    'channel.name_wrong',
    'channel.no_right',
    'channel.type_refused',
    'channel.unknown',
    'guild.level',
    'content.refused',
  ],
})

/**
 * Changes the fields that are given. `parent_id`: `""` or `"0"` moves it out of its category. Of a
 * category only name and order change.
 */
export const updateChannel = route({
  method: 'POST',
  path: '/api/v3/channel/update',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    channel_id: channelId,
    name: z.optional(name),
    level: z.optional(int(0, 2 ** 31 - 1)),
    parent_id: z.optional(z.pipe(text(16), z.string().check(z.regex(/^\d*$/)))),
    topic: z.optional(text(TOPIC_MAX, 0, readWords)),
    /** ms, or s: see `slowModeMs`. */
    slow_mode: z.optional(int()),
    ...voice,
  }),
  answer: changedChannel,
  fails: [
    'bad_input',
    'forbidden',
    'channel.name_wrong',
    'channel.no_right',
    'channel.unknown',
    'guild.level',
    'content.refused',
  ],
})

/**
 * Puts a channel, or a category with its channels, before another one of the same category, or at its end;
 * the others keep their order. A channel that leaves its category keeps its overwrites. Ours, decision
 * 116.
 */
export const moveChannel = route({
  method: 'POST',
  path: '/api/v3/channel/move',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    channel_id: channelId,
    /** `""` or `"0"`: none. Without it the channel stays in its category. */
    parent_id: z.optional(z.pipe(text(16), z.string().check(z.regex(/^\d*$/)))),
    /** What stands directly below it afterwards; `""`: nothing does. */
    before_id: z._default(z.pipe(text(16), z.string().check(z.regex(/^\d*$/))), ''),
  }),
  answer: changedChannel,
  fails: ['forbidden', 'channel.no_right', 'channel.unknown'],
})

/**
 * Makes a channel with the settings and overwrites of another one, at the end of the same category; of a
 * category without its channels. Ours, decision 116.
 */
export const copyChannel = route({
  method: 'POST',
  path: '/api/v3/channel/copy',
  dialect: 'v3',
  who: 'user',
  input: z.object({ channel_id: channelId, name }),
  answer: changedChannel,
  fails: [
    'forbidden',
    'channel.full',
    'channel.name_wrong',
    'channel.no_right',
    'channel.unknown',
    'content.refused',
  ],
})

/** Deletes a channel with its messages; those of a category stay, outside of it. */
export const deleteChannel = route({
  method: 'POST',
  path: '/api/v3/channel/delete',
  dialect: 'v3',
  who: 'user',
  input: z.object({ channel_id: channelId }),
  answer: nothing,
  fails: ['forbidden', 'channel.no_right'],
})

/**
 * Restores a channel that was deleted within seven days, with its messages. Needs the right that deleting
 * needs. The channels that were in a category stay where they are.
 */
export const restoreChannel = route({
  method: 'POST',
  path: '/api/v3/channel/restore',
  dialect: 'v3',
  who: 'user',
  input: z.object({ channel_id: channelId }),
  answer: changedChannel,
  fails: ['forbidden', 'channel.no_right', 'channel.not_restorable', 'channel.full'],
})

/** Who is in a voice channel: nobody, because the server has no voice. */
export const listVoiceUsers = route({
  method: 'GET',
  path: '/api/v3/channel/user-list',
  dialect: 'v3',
  who: 'user',
  input: z.object({ channel_id: channelId }),
  answer: z.array(z.looseObject({ id: userId })),
  fails: ['forbidden'],
})

/** Refused for everybody who may move people: nobody is in a voice channel. */
export const moveVoiceUsers = route({
  method: 'POST',
  path: '/api/v3/channel/move-user',
  dialect: 'v3',
  who: 'user',
  input: z.object({ target_id: channelId, user_ids: z.array(userId) }),
  answer: z.array(roleId),
  fails: ['forbidden', 'channel.no_right', 'channel.nobody_there'],
})

/** The same for removing a person from a voice channel. */
export const kickVoiceUser = route({
  method: 'POST',
  path: '/api/v3/channel/kickout',
  dialect: 'v3',
  who: 'user',
  input: z.object({ channel_id: channelId, user_id: userId }),
  answer: z.array(roleId),
  fails: ['forbidden', 'channel.no_right', 'channel.nobody_there'],
})
