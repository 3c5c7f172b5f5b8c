/** What guilds are about. Ours. */
import { z } from '../schema.ts'

export const GUILD_CATEGORIES = ['game', 'music', 'art', 'study', 'tech', 'sport', 'life', 'fans'] as const
export type GuildCategory = (typeof GUILD_CATEGORIES)[number]

/** Empty: nobody has said. */
export const guildCategory = z.enum(['', ...GUILD_CATEGORIES])
