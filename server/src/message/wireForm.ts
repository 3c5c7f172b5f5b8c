/** The shape of a message on the wire. */
import { imageNameOf } from '@guildhall/wire/message/attachment.ts'
import { kindNumber } from '@guildhall/wire/message/kind.ts'
import type { Message, Reaction } from '@guildhall/wire/message/message.ts'
import type { Author } from '@guildhall/wire/user/shown.ts'
import type { AppContext } from '../kit/events/events.ts'
import { authorOf } from '../user/user.ts'
import { quoteWithPictures, withPictures } from './media/storedPictures.ts'
import type { AuthoredRow, MessageRow } from './sql/message.ts'

/** `conversationType` of a guild's channel. chat.md §3. */
const IN_GUILD = 3

/** A message as v2 calls and events carry it. chat.md §3. */
export function toMessage(row: MessageRow, author: Author, reactions: readonly Reaction[]): Message {
  return {
    id: row.id,
    rong_id: row.id,
    channel_id: row.channel_id,
    guild_id: row.guild_id,
    targetId: row.channel_id,
    conversationType: IN_GUILD,
    seq: row.seq,
    type: kindNumber(row.kind, 'specification'),
    content: row.content,
    create_at: row.create_at,
    updated_at: row.updated_at,
    author,
    nonce: row.nonce,
    kmarkdown: row.kmarkdown,
    mention: row.mention,
    mention_all: row.mention_all,
    mention_here: row.mention_here,
    mention_roles: row.mention_roles,
    quote: row.quote ?? null,
    attachments: row.attachments,
    embeds: row.embeds ?? [],
    reactions: [...reactions],
    image_name: row.kind === 'image' ? imageNameOf(kindNumber('image', 'specification'), row.content) : '',
    revision: row.revision,
    is_pinned: row.is_pinned,
  }
}

/** A stored message in the form its reader receives. */
export const messageOf = (
  row: AuthoredRow,
  appContext: Pick<AppContext, 'presence' | 'publicUrl'>,
): Message =>
  toMessage(
    {
      ...row,
      kmarkdown: withPictures(row.kmarkdown, appContext),
      quote: quoteWithPictures(row.quote, appContext) as MessageRow['quote'],
    },
    authorOf({ ...row, id: row.author_id }, appContext),
    row.reactions,
  )
