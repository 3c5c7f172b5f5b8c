/** Search for members to mention. The specification does not define such a call; it is ours. */
import { channelId, guildId } from '../id.ts'
import { route } from '../route.ts'
import { flag, int, type Out, text, z } from '../schema.ts'
import { author } from '../user/shown.ts'

/** Maximum length of a search, UTF-16 units. */
export const SEARCH_MAX = 64
/** Maximum number of results. */
export const FOUND_MAX = 50

/** A member that matches a search. */
export const callable = z.object({
  ...author.shape,
  /** Whether they may view the channel of the search; true without a channel. */
  can_view: flag(),
  /** The spellings of nickname and username, in this order: see `user/spelling.ts`. */
  spellings: z.array(z.string()),
})
export type Callable = Out<typeof callable>

/**
 * Members of a guild by nickname, username or `username#1234`: by characters anywhere in the name, Chinese
 * ones by pinyin too. The best match first, those who cannot view the channel last. Without a search: the
 * latest authors in the channel, then by name. Unlike `guild/user-list` it counts nothing, so its cost does
 * not depend on the size of the guild.
 */
export const findCallable = route({
  method: 'GET',
  path: '/api/v3/guild/user-search',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    channel_id: z.optional(channelId),
    search: z._default(text(SEARCH_MAX), ''),
    page_size: z._default(int(1, FOUND_MAX), 20),
  }),
  answer: z.object({ items: z.array(callable) }),
  fails: ['forbidden'],
})
