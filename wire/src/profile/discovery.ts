/** Recommended guilds that people find and join without an invite. */
import { sign } from '../auth/auth.ts'
import { guildCategory } from '../guild/category.ts'
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
  /** What it is about; empty: not said. The server may know more of them than the page. */
  category: z.string(),
  level: z.number(),
  members: z.number(),
  /** How many of them are online. */
  online: z.number(),
  /** Whether the caller is one of them. */
  is_member: z.boolean(),
})
export type Discoverable = Out<typeof discoverable>

/** Characters of a search. */
export const DISCOVERY_SEARCH_MAX = 60

/**
 * How recommended guilds are sorted: by boost packs, by the day from which they are recommended, or by
 * members.
 */
export const DISCOVERY_SORTS = ['-boost_num', '-created_at', '-members'] as const
export type DiscoverySort = (typeof DISCOVERY_SORTS)[number]

/**
 * Recommended guilds. `search`: a part of the name, also by pinyin, or of the description; whole names and
 * beginnings come first. `categories`: those that a recommended guild has, whatever is searched for. Says
 * nothing of members but how many they are. chat.md §7.
 */
export const listDiscoverables = route({
  method: 'GET',
  path: '/api/v2/discoverables',
  dialect: 'v2',
  who: 'user',
  input: z.object({
    search: z._default(text(DISCOVERY_SEARCH_MAX), ''),
    category: z._default(guildCategory, ''),
    sort: z._default(z.enum(DISCOVERY_SORTS), '-boost_num'),
    ...pageInput,
  }),
  answer: z.object({ ...pageOf(discoverable).shape, categories: z.array(z.string()) }),
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
