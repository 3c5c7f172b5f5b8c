/** How emoji of a guild are made and looked after. In a file of its own: rooms need none of it. */
import { guildId } from '../id.ts'
import { route } from '../route.ts'
import { nothing, text, z } from '../schema.ts'
import type { Bytes } from '../unit.ts'
import { isNameOf, readName } from '../words.ts'
import { listedEmoji } from './emoji.ts'

/** The largest file for an emoji, bytes. protocol.md §4.4. */
export const EMOJI_MAX_BYTES: Bytes = 256 * 1024
/** The largest side of a stored picture, px: enough for 50 px on a high-density screen. */
export const EMOJI_SIDE_MAX = 128
export const EMOJI_NAME_MIN = 2
export const EMOJI_NAME_MAX = 32
const NAME = /^[\p{L}\p{M}\p{N}-]+$/u

/** Whether an emoji may have this name: letters of any script, digits and dash. chat.md §5, decision 46. */
export const isEmojiName = (name: string): boolean =>
  isNameOf(name, EMOJI_NAME_MIN, EMOJI_NAME_MAX) && NAME.test(name)

const emojiId = text(40, 1)
/** The server checks the format, so that all errors have one failure. */
const name = text(200, 0, readName)

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
