import { copyAddress, EMOJI_COPY_SIDE } from '@guildhall/wire/asset/pictureSize.ts'
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { flat } from '@guildhall/wire/channel/flat.ts'
import { emojiPicture, guildEmojiParts } from '@guildhall/wire/emoji/emoji.ts'
import type { Names } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { mentionText } from '@guildhall/wire/kmarkdown/text.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import type { NamesPart } from '@guildhall/wire/message/message.ts'
import type { Outgoing } from '../roomStore/room.ts'

/** The picture of a custom emoji; null for other emoji. */
export const emojiPictureOf = (id: string): string | null =>
  guildEmojiParts(id) ? copyAddress(emojiPicture(id), EMOJI_COPY_SIDE) : null

/**
 * Names of the ids in a message or a quote: from its own names, else from the guild; `called` holds the
 * people that a queued message mentions.
 */
export function namesIn(
  part: NamesPart | null | undefined,
  guild: Guild | null,
  locale: Locale,
  called: Outgoing['names'] = {},
): Names {
  const channels = flat(guild?.channels ?? [])
  const byCall = (call: string) => part?.mention_part.find(({ full_name }) => full_name === call)
  const byId = (wanted: string) => part?.mention_part.find(({ id }) => id === wanted)
  const personOf = (id: string, name: string | undefined) =>
    (name === undefined ? undefined : byCall(`${name}#${id}`)) ?? byId(id)
  return {
    user: (id, name) => {
      const person = personOf(id, name)
      return (person?.nickname || person?.username) ?? called[id] ?? null
    },
    userId: (id, name) => personOf(id, name)?.id ?? null,
    role: (id) =>
      guild?.roles.find((role) => role.role_id === id)?.name ??
      part?.mention_role_part.find((role) => role.role_id === id)?.name ??
      null,
    channel: (id) =>
      channels.find((channel) => channel.id === id)?.name ??
      part?.channel_part.find((channel) => channel.id === id)?.name ??
      null,
    emoji: (id) => (!part || part.emoji_part?.some((it) => it.id === id) ? emojiPictureOf(id) : null),
    emojiName: (id) => part?.emoji_part?.find((it) => it.id === id)?.name ?? null,
    words: mentionText[locale],
  }
}
