/** What one said to another, as it travels on the lines of both. protocol.md §3.3. */
import type { EventData } from '../gateway/frame.ts'
import type { MessageId, UserId } from '../id.ts'
import { kindNumber, type MessageKind, type NumberDialect } from '../message/kind.ts'
import type { KmarkdownPart } from '../message/message.ts'
import { publicAttachments, publicQuote } from '../message/public.ts'
import { publicUser } from '../user/public.ts'
import type { Author } from '../user/user.ts'

/** The body of its event in the log of each of the two. */
export interface PrivateMessageBody {
  readonly id: MessageId
  readonly chat_code: string
  /** To whom. */
  readonly target_id: UserId
  readonly kind: MessageKind
  readonly content: string
  readonly author: Author
  readonly nonce: string
  /** ms */
  readonly create_at: number
  readonly seq: number
  readonly mention: readonly UserId[]
  readonly kmarkdown: KmarkdownPart
  /** Its type is the specification's number. */
  readonly quote: unknown
  readonly attachments: unknown
}

/** The `d` of its event in the receiver's dialect. `seq`, its place in the conversation, is ours. */
export function privateEventOf(it: PrivateMessageBody, dialect: NumberDialect): EventData {
  const isPublic = dialect === 'public'
  const type = kindNumber(it.kind, dialect)
  const quote = isPublic ? publicQuote(it.quote) : it.quote
  const attachments = isPublic ? publicAttachments(it.attachments) : it.attachments
  return {
    channel_type: 'PERSON',
    type,
    target_id: it.target_id,
    author_id: it.author.id,
    content: it.content,
    msg_id: it.id,
    msg_timestamp: it.create_at,
    nonce: it.nonce,
    from_type: 1,
    extra: {
      type,
      code: it.chat_code,
      author: isPublic ? publicUser(it.author) : it.author,
      visible_only: null,
      mention: it.mention,
      mention_all: false,
      mention_roles: [],
      mention_here: false,
      nav_channels: [],
      kmarkdown: { ...it.kmarkdown, spl: [] },
      emoji: [],
      // The public client fails on a null quote: the key is there only when there is one.
      ...(quote ? { quote } : {}),
      ...(attachments ? { attachments } : {}),
      last_msg_content: `${it.author.username}：${it.kmarkdown.raw_content}`,
      send_msg_device: 0,
      seq: it.seq,
    },
  }
}
