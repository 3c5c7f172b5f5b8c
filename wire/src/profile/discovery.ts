/** Recommended guilds that people find and join without an invite. */
import { sign } from '../auth/auth.ts'
import { guildId } from '../id.ts'
import { pageInput, pageOf } from '../page.ts'
import { route } from '../route.ts'
import { type Out, text, z } from '../schema.ts'

export const discoverable = z.object({
  id: guildId,
  name: z.string(),
  icon: z.string(),
  desc: z.string(),
  banner: z.string(),
  level: z.number(),
  members: z.number(),
  /** How many of them are online. */
  online: z.number(),
  /** Whether the caller is one of them. */
  is_member: z.boolean(),
})
export type Discoverable = Out<typeof discoverable>

/**
 * Recommended guilds, those with the most boost packs first. `search`: a part of the name or the description.
 * chat.md §7.
 */
export const listDiscoverables = route({
  method: 'GET',
  path: '/api/v2/discoverables',
  dialect: 'v2',
  who: 'user',
  input: z.object({ search: z._default(text(60), ''), ...pageInput }),
  answer: pageOf(discoverable),
  fails: [],
})

/** Joins a recommended guild. Nothing changes for its members. Ours. */
export const joinDiscoverable = route({
  method: 'POST',
  path: '/api/v3/guild-recommend/join',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, sign }),
  answer: z.object({ guild_id: guildId }),
  fails: [
    'guild.banned',
    'guild.full',
    'profile.not_recommended',
    'too_many',
    'moderation.raid',
    'moderation.raid_slow',
    'captcha.needed',
  ],
})
