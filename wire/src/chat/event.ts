/** A private message as the connections of both people carry it. protocol.md §3.3. */
import type { EventData } from '../gateway/frame.ts'
import type { MessageId, UserId } from '../id.ts'
import { messageEvent } from '../message/core.ts'
import { kindNumber, type MessageKind, type NumberDialect } from '../message/kind.ts'
import type { KmarkdownPart } from '../message/message.ts'
import type { Author } from '../user/shown.ts'

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

/** The `d` of its event in the receiver's dialect. `seq`, its position in the conversation, is ours. */
export function privateEventOf(input: PrivateMessageBody, dialect: NumberDialect): EventData {
  const to = {
    channel_type: 'PERSON' as const,
    target_id: input.target_id,
    code: input.chat_code,
    location: {},
    type: kindNumber(input.kind, dialect),
    visible_only: null,
    mentions: { mention_all: false, mention_roles: [], mention_here: false },
    nav_channels: [],
    emoji: [],
    name: input.author.username,
  }
  return messageEvent(input, to, dialect)
}
