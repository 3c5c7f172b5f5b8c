import { event } from '../event.ts'
import { type GuildId, guildId } from '../id.ts'
import { pageInput, pageOf } from '../page.ts'
import { route } from '../route.ts'
import { int, nothing, type Out, text, z } from '../schema.ts'
import type { Bytes } from '../unit.ts'
import { user } from '../user/user.ts'

/** So many emoji a guild may have of its own. decision 22. */
export const GUILD_EMOJI_MAX = 100
/** The largest file one is made of, bytes. protocol.md §4.4. */
export const EMOJI_MAX_BYTES: Bytes = 256 * 1024
/** A picture is stored no larger, px either way: enough for 50 px on a screen that is dense. */
export const EMOJI_SIDE_MAX = 128
export const EMOJI_NAME_MIN = 2
export const EMOJI_NAME_MAX = 32
/** `emoji_type`. protocol.md §3.4. */
export const emojiType = { static: 1, animated: 2, interactive: 3 } as const

const NAME = /^[\p{L}\p{M}\p{N}_-]+$/u
const ID = /^([1-9]\d{0,15})\/(\w{1,20})$/

/** May an emoji be called so? Letters of any script, digits, dash and underscore. chat.md §5. */
export const isEmojiName = (name: string): boolean =>
  name.length >= EMOJI_NAME_MIN && name.length <= EMOJI_NAME_MAX && NAME.test(name)

/** The two halves of a guild's emoji's id, `GUILD/HASH`; null for whatever is none. protocol.md §1.7. */
export function guildEmojiParts(id: string): { readonly guildId: GuildId; readonly hash: string } | null {
  const found = ID.exec(id)
  return found && { guildId: found[1]! as GuildId, hash: found[2]! }
}

/** Where the picture of a guild's emoji is. It means the same picture as long as there is one. protocol.md §5.6. */
export const emojiPicture = (id: string): string => `/emojis/${id}.png`

/** How a guild's emoji is written in KMarkdown. protocol.md §6.1. */
export const emojiToken = (it: { readonly id: string; readonly name: string }): string =>
  `(emj)${it.name}(emj)[${it.id}]`

/** A guild's own emoji. protocol.md §5.6. */
export const guildEmoji = z.object({
  id: z.string(),
  name: z.string(),
  emoji_type: z.number(),
})
/** With whoever brought it. */
export const listedEmoji = z.object({
  ...guildEmoji.shape,
  user_info: user,
  /** `:name:` is one of unicode's emoji when it is typed, and not this one. Absent: it is not. Ours. */
  is_shortcode: z.optional(z.boolean()),
})
export type GuildEmoji = Out<typeof guildEmoji>
export type ListedEmoji = Out<typeof listedEmoji>

const emojiId = text(40, 1)
/** Its rules are the rule file's: one name for all that can be wrong with it. */
const name = text(200)

/** The emoji of a guild of mine, the oldest first. A page holds all of them when it is asked to. protocol.md §4.4. */
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

/** Makes an emoji of a PNG or a GIF: the field `emoji` of a multipart form. Needs bit 8. protocol.md §4.4. */
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
    'asset.missing',
    'asset.too_many_pixels',
    'too_many',
  ],
})

/** Calls an emoji by another name. Needs bit 8. protocol.md §4.4. */
export const updateGuildEmoji = route({
  method: 'POST',
  path: '/api/v3/guild-emoji/update',
  dialect: 'v3',
  who: 'user',
  input: z.object({ id: emojiId, name }),
  answer: nothing,
  fails: ['emoji.unknown', 'emoji.no_right', 'emoji.name_wrong'],
})

/** Takes an emoji away, and its picture. Needs bit 8. protocol.md §4.4. */
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
export const emojiAdded = event('added_emoji', 'guild', guildEmoji)
export const emojiUpdated = event('updated_emoji', 'guild', guildEmoji)
/** Both are told of one removal: half of the callers know the one name, half the other. protocol.md §9.4. */
export const emojiRemoved = event('removed_emoji', 'guild', guildEmoji)
export const emojiDeleted = event('deleted_emoji', 'guild', guildEmoji)
