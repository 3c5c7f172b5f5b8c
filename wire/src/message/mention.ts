/** Whom one can call on while writing. The specification leaves open how a page finds them; this call is ours. */
import { channelId, guildId } from '../id.ts'
import { route } from '../route.ts'
import { flag, int, type Out, text, z } from '../schema.ts'
import { author } from '../user/user.ts'

/** What is typed behind the sign may be this long, UTF-16 units. */
export const SEARCH_MAX = 64
/** So many are found at most. */
export const FOUND_MAX = 50

/** A member somebody may have meant. */
export const callable = z.object({
  ...author.shape,
  /** Whether they may view the channel that was asked about; without one, true. */
  can_view: flag(),
  /** How nickname and username are spelled, in this order: see `user/spelling.ts`. */
  spellings: z.array(z.string()),
})
export type Callable = Out<typeof callable>

/**
 * Members of a guild by nickname, username or `username#1234`: by characters anywhere in the name, Chinese ones by pinyin
 * too. The likeliest first, those who cannot view the channel last. Without a search: who spoke last in the channel, then
 * by name. Unlike `guild/user-list` it counts nothing, so that it costs the same in a guild of any size.
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
