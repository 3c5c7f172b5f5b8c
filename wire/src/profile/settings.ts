/** What newcomers of a guild see first, and what its members are notified of. Ours. */
import { guildCategory } from '../guild/category.ts'
import { guildId } from '../id.ts'
import { route } from '../route.ts'
import { int, type Out, text, z } from '../schema.ts'
import { readWords } from '../words.ts'

/** Characters of the words that welcome a newcomer. */
export const WELCOME_WORDS_MAX = 200

const guildSettings = z.object({
  /** `"0"`: there is none. */
  default_channel_id: z.string(),
  /** `"0"`: nobody is welcomed. */
  welcome_channel_id: z.string(),
  /** Below the line that names who joined; may be empty. */
  welcome_words: z.string(),
  /** Of members who set nothing themselves: `message/notify.ts`. */
  notify_type: int(1, 3),
  /** Under which it is found among recommended guilds. */
  category: guildCategory,
})
export type GuildSettings = Out<typeof guildSettings>

/** For members who may manage the guild. */
export const viewGuildSettings = route({
  method: 'GET',
  path: '/api/v3/guild/settings',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: guildSettings,
  fails: ['forbidden', 'member.no_right'],
})

/**
 * Changes what is given. A channel has to be a text channel of the guild; `"0"` as the welcome channel:
 * nobody is welcomed.
 */
export const updateGuildSettings = route({
  method: 'POST',
  path: '/api/v3/guild/settings-update',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    default_channel_id: z.optional(text(20)),
    welcome_channel_id: z.optional(text(20)),
    welcome_words: z.optional(text(WELCOME_WORDS_MAX, 0, readWords)),
    notify_type: z.optional(int(1, 3)),
    category: z.optional(guildCategory),
  }),
  answer: guildSettings,
  fails: ['forbidden', 'member.no_right', 'channel.unknown', 'content.refused', 'content.reserved'],
})
