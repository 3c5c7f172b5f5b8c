/** What the reader may do in the open channel. */
import type { Message } from '@guildhall/wire/message/message.ts'
import { canReact } from '@guildhall/wire/permission/permission.ts'

export interface Rights {
  readonly meId: string
  readonly mobile_verified: boolean
  readonly permissions: number
  readonly canSend: boolean
}

/** Whether the reader reacted to a message with this emoji. */
export const hasReacted = (message: Message, emojiId: string): boolean =>
  message.reactions.some(({ me, emoji }) => me && emoji.id === emojiId)

/** Whether the reader may add this emoji to a message or remove their own. */
export function mayReact(message: Message, emojiId: string, rights: Rights): boolean {
  const isNew = !message.reactions.some(({ emoji }) => emoji.id === emojiId)
  return hasReacted(message, emojiId) || canReact(rights, isNew)
}
