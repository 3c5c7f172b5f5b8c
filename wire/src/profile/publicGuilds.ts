/** Recommended guilds as guests see them. Apart from discovery, because the start page loads little. */
import { guildId } from '../id.ts'
import { route } from '../route.ts'
import { type Out, z } from '../schema.ts'

/** Guilds of the start page. */
export const PUBLIC_GUILDS_MAX = 6

/** A recommended guild as the world sees it on the start page. */
export const publicGuild = z.object({
  id: guildId,
  name: z.string(),
  icon: z.string(),
  desc: z.string(),
  banner: z.string(),
  members: z.number(),
  online: z.number(),
})
export type PublicGuild = Out<typeof publicGuild>

/**
 * The recommended guilds with the most boost packs, at most six, for guests; nothing where the operator does
 * not show them (PUBLIC_GUILDS). Up to ten seconds old. Ours.
 */
export const listPublicGuilds = route({
  method: 'GET',
  path: '/api/v3/guild-recommend/public',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({}),
  answer: z.object({ items: z.array(publicGuild) }),
  fails: ['too_many'],
})
