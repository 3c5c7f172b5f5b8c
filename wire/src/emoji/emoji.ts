import { event } from '../event.ts'
import { type GuildId, guildId } from '../id.ts'
import { pageInput, pageOf } from '../page.ts'
import { route } from '../route.ts'
import { int, type Out, z } from '../schema.ts'
import { user } from '../user/shown.ts'

/** Emoji of a guild of the highest level: no list of a guild's emoji is longer. decision 22. */
export const GUILD_EMOJI_MAX = 500
/** `emoji_type`. protocol.md §3.4. */
export const emojiType = { static: 1, animated: 2, interactive: 3 } as const

const ID = /^([1-9]\d{0,15})\/(\w{1,20})$/

/** The two parts of the id of a guild's emoji, `GUILD/HASH`; null for other ids. protocol.md §1.7. */
export function guildEmojiParts(id: string): { readonly guildId: GuildId; readonly hash: string } | null {
  const found = ID.exec(id)
  return found && { guildId: found[1]! as GuildId, hash: found[2]! }
}

/** The path of the picture of a guild's emoji. The picture never changes. protocol.md §5.6. */
export const emojiPicture = (id: string): string => `/emojis/${id}.png`

/** How a guild's emoji is written in KMarkdown. protocol.md §6.1. */
export const emojiToken = (input: { readonly id: string; readonly name: string }): string =>
  `(emj)${input.name}(emj)[${input.id}]`

/** A guild's own emoji. protocol.md §5.6. */
export const guildEmoji = z.object({
  id: z.string(),
  name: z.string(),
  emoji_type: z.number(),
})
/** With the user who created it. */
export const listedEmoji = z.object({
  ...guildEmoji.shape,
  user_info: user,
  /** How often it was used in channels in the last 30 days; counted every minute. Ours. */
  uses: z.number(),
  /** True when `:name:` is a shortcode of a Unicode emoji, which then takes precedence. Ours. */
  is_shortcode: z.optional(z.boolean()),
})
export type GuildEmoji = Out<typeof guildEmoji>
export type ListedEmoji = Out<typeof listedEmoji>

/** The emoji of a guild of the caller, oldest first. One page can hold all of them. protocol.md §4.4. */
export const listGuildEmoji = route({
  method: 'GET',
  path: '/api/v3/guild-emoji/list',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    ...pageInput,
    page_size: z._default(int(1, 1_000), GUILD_EMOJI_MAX),
  }),
  answer: pageOf(listedEmoji),
  fails: ['forbidden'],
})

/** protocol.md §3.4. */
export const emojiAdded = event('added_emoji', 'guild', guildEmoji, { access: 'none' })
export const emojiUpdated = event('updated_emoji', 'guild', guildEmoji, { access: 'none' })
/** A removal is sent under both names: some clients know one, some the other. protocol.md §9.4. */
export const emojiRemoved = event('removed_emoji', 'guild', guildEmoji, { access: 'none' })
export const emojiDeleted = event('deleted_emoji', 'guild', guildEmoji, { access: 'none' })
