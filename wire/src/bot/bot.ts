/** Bots that people make, look after and bring into guilds. All of it is ours. */
import { guildId, roleId, userId } from '../id.ts'
import { BOTS_PATH } from '../member/event.ts'
import { route } from '../route.ts'
import { nothing, type Out, text, z } from '../schema.ts'
import { user } from '../user/shown.ts'
import { readName } from '../words.ts'

/** Bots that one person may have. */
export const BOTS_OWNED_MAX = 20
/** Bots that one guild may have, however they came. */
export const GUILD_BOTS_MAX = 50

const guildName = z.object({ id: guildId, name: z.string() })

/** A bot of a guild, as who manages the guild sees it. */
export const guildBot = z.object({
  user,
  /** Whose it is; null: the operator made it, or its owner is gone. */
  owner: z.nullable(user),
  /** Its roles in the guild. */
  roles: z.array(roleId),
  /** Whether the caller may renew its token, change and delete it, and take it along. */
  is_mine: z.boolean(),
  /** The guilds that it is in: all of one's own bot, else those that the caller is in too. */
  guilds: z.array(guildName),
})
export type GuildBot = Out<typeof guildBot>

/** The bots of a guild in the order of their ids. Needs bit 2, as all that follows in a guild does. */
export const listBots = route({
  method: 'GET',
  path: BOTS_PATH,
  dialect: 'v3',
  who: 'person',
  input: z.object({ guild_id: guildId }),
  answer: z.object({
    items: z.array(guildBot),
    /** The guilds into which the caller may bring bots. */
    targets: z.array(guildName),
  }),
  fails: ['forbidden', 'member.no_right'],
})

const name = text(200, 0, readName)
/** The address of an uploaded picture of the caller's; empty: none. */
const icon = text(500)

/**
 * Makes a bot of the caller's and brings it into a guild, with a role of its own, the lowest and without
 * rights, where the caller may make one. The token is answered this once.
 */
export const createBot = route({
  method: 'POST',
  path: '/api/v3/bot/create',
  dialect: 'v3',
  who: 'person',
  input: z.object({ guild_id: guildId, name, icon: z._default(icon, '') }),
  answer: z.object({ bot: guildBot, token: z.string() }),
  fails: [
    'asset.too_large',
    'asset.unknown',
    'bot.guild_full',
    'bot.owns_too_many',
    'content.refused',
    'content.reserved',
    'forbidden',
    'guild.full',
    'member.no_right',
    'too_many',
    'user.name_required',
    'user.name_wrong',
  ],
})

/** A new token; the one before ends at once, with its connections. */
export const renewBotToken = route({
  method: 'POST',
  path: '/api/v3/bot/token',
  dialect: 'v3',
  who: 'person',
  input: z.object({ bot_id: userId }),
  answer: z.object({ token: z.string() }),
  fails: ['bot.not_yours', 'bot.unknown', 'too_many'],
})

/** Another name or picture; absent: it stays. */
export const updateBot = route({
  method: 'POST',
  path: '/api/v3/bot/update',
  dialect: 'v3',
  who: 'person',
  input: z.object({ bot_id: userId, name: z.optional(name), icon: z.optional(icon) }),
  answer: nothing,
  fails: [
    'asset.too_large',
    'asset.unknown',
    'bot.not_yours',
    'bot.unknown',
    'content.refused',
    'content.reserved',
    'too_many',
    'user.name_required',
    'user.name_wrong',
  ],
})

const inGuild = z.object({ bot_id: userId, guild_id: guildId })

/** Brings a bot into another guild; nothing where it is there already. */
export const addBot = route({
  method: 'POST',
  path: '/api/v3/bot/add',
  dialect: 'v3',
  who: 'person',
  input: inGuild,
  answer: nothing,
  fails: [
    'bot.banned',
    'bot.guild_full',
    'bot.not_yours',
    'bot.unknown',
    'forbidden',
    'guild.full',
    'member.no_right',
    'too_many',
  ],
})

/** Takes a bot out of a guild: one's own, or one below oneself in a guild that one manages. */
export const removeBot = route({
  method: 'POST',
  path: '/api/v3/bot/remove',
  dialect: 'v3',
  who: 'person',
  input: inGuild,
  answer: nothing,
  fails: ['bot.unknown', 'forbidden', 'guild.not_member', 'member.above', 'member.no_right'],
})

/** Deletes a bot for good: its token ends, and it leaves its guilds. Its messages stay. */
export const deleteBot = route({
  method: 'POST',
  path: '/api/v3/bot/delete',
  dialect: 'v3',
  who: 'person',
  input: z.object({ bot_id: userId }),
  answer: nothing,
  fails: ['bot.not_yours', 'bot.unknown'],
})
