import { event } from '../event.ts'
import { type GuildId, guildId } from '../id.ts'
import { pageInput, pageOf } from '../page.ts'
import { route } from '../route.ts'
import { int, nothing, type Out, text, z } from '../schema.ts'
import type { Bytes } from '../unit.ts'
import { user } from '../user/shown.ts'
import { isNameOf, readName } from '../words.ts'

/** Emoji of a guild of the highest level: no list of a guild's emoji is longer. decision 22. */
export const GUILD_EMOJI_MAX = 500
/** The largest file for an emoji, bytes. protocol.md §4.4. */
export const EMOJI_MAX_BYTES: Bytes = 256 * 1024
/** The largest side of a stored picture, px: enough for 50 px on a high-density screen. */
export const EMOJI_SIDE_MAX = 128
export const EMOJI_NAME_MIN = 2
export const EMOJI_NAME_MAX = 32
/** `emoji_type`. protocol.md §3.4. */
export const emojiType = { static: 1, animated: 2, interactive: 3 } as const

const NAME = /^[\p{L}\p{M}\p{N}-]+$/u
const ID = /^([1-9]\d{0,15})\/(\w{1,20})$/

/** Whether an emoji may have this name: letters of any script, digits and dash. chat.md §5, decision 46. */
export const isEmojiName = (name: string): boolean =>
  isNameOf(name, EMOJI_NAME_MIN, EMOJI_NAME_MAX) && NAME.test(name)

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
  /** True when `:name:` is a shortcode of a Unicode emoji, which then takes precedence. Ours. */
  is_shortcode: z.optional(z.boolean()),
})
export type GuildEmoji = Out<typeof guildEmoji>
export type ListedEmoji = Out<typeof listedEmoji>

const emojiId = text(40, 1)
/** The server checks the format, so that all errors have one failure. */
const name = text(200, 0, readName)

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

/**
 * Creates an emoji from a PNG or a GIF: the field `emoji` of a multipart form. Needs bit 8. protocol.md §4.4.
 */
export const createGuildEmoji = route({
  method: 'POST',
  path: '/api/v3/guild-emoji/create',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, name: z.optional(name) }),
  form: 'emoji',
  answer: listedEmoji,
  fails: [
    'forbidden',
    'emoji.no_right',
    'emoji.full',
    'emoji.name_wrong',
    'emoji.too_large',
    'emoji.not_image',
    'guild.level',
    'asset.missing',
    'asset.too_many_pixels',
    'content.refused',
    'too_many',
  ],
})

/** Renames an emoji. Needs bit 8. protocol.md §4.4. */
export const updateGuildEmoji = route({
  method: 'POST',
  path: '/api/v3/guild-emoji/update',
  dialect: 'v3',
  who: 'user',
  input: z.object({ id: emojiId, name }),
  answer: nothing,
  fails: ['emoji.unknown', 'emoji.no_right', 'emoji.name_wrong', 'content.refused'],
})

/** Deletes an emoji and its picture. Needs bit 8. protocol.md §4.4. */
export const deleteGuildEmoji = route({
  method: 'POST',
  path: '/api/v3/guild-emoji/delete',
  dialect: 'v3',
  who: 'user',
  input: z.object({ id: emojiId }),
  answer: nothing,
  fails: ['emoji.unknown', 'emoji.no_right'],
})

/** protocol.md §3.4. */
export const emojiAdded = event('added_emoji', 'guild', guildEmoji, { access: 'none' })
export const emojiUpdated = event('updated_emoji', 'guild', guildEmoji, { access: 'none' })
/** A removal is sent under both names: some clients know one, some the other. protocol.md §9.4. */
export const emojiRemoved = event('removed_emoji', 'guild', guildEmoji, { access: 'none' })
export const emojiDeleted = event('deleted_emoji', 'guild', guildEmoji, { access: 'none' })
