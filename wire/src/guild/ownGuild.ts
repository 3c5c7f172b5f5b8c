/** Making guilds and leaving them; in a file of its own, because rooms need it not. */
import { guildId } from '../id.ts'
import { route } from '../route.ts'
import { nothing, text, z } from '../schema.ts'
import { isNameOf, readName } from '../words.ts'
import { GUILD_NAME_MAX, guildSummary } from './guild.ts'

/** Guilds that one person may own. */
export const GUILDS_OWNED_MAX = 20

/** What a new guild may begin with: its roles and channels. */
export const GUILD_TEMPLATES = ['friends', 'game', 'class', 'fans'] as const
export type GuildTemplate = (typeof GUILD_TEMPLATES)[number]

/** Whether a guild may have this name: 1 to 30 characters, with single spaces between them. Decision 88. */
export const isGuildName = (name: string): boolean => isNameOf(name, 1, GUILD_NAME_MAX)

/**
 * Creates a guild that the caller owns, with one text channel or with what a template has. `icon`: the
 * address of an uploaded picture of the caller's, empty without one. Needs a verified number. Ours.
 */
export const createGuild = route({
  method: 'POST',
  path: '/api/v2/guilds',
  dialect: 'v2',
  who: 'user',
  input: z.object({
    name: text(200, 0, readName),
    icon: z._default(text(500), ''),
    template: z.optional(z.enum(GUILD_TEMPLATES)),
  }),
  answer: guildSummary,
  fails: [
    'asset.too_large',
    'asset.unknown',
    'content.refused',
    'content.reserved',
    'guild.level',
    'guild.name_wrong',
    'guild.owns_too_many',
    'guild.unverified',
    'too_many',
  ],
})

/** The caller leaves a guild; its owner does not. protocol.md §4.1. */
export const leaveGuild = route({
  method: 'POST',
  path: '/api/v3/guild/leave',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: nothing,
  fails: ['guild.not_member', 'guild.owner', 'guild.unknown'],
})
