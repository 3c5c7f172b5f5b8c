/** What the reader may do in the open channel. */
import type { Message } from '@guildhall/wire/message/message.ts'
import { canReact } from '@guildhall/wire/permission/permission.ts'

export interface Rights {
  readonly meId: string
  readonly mobile_verified: boolean
  readonly permissions: number
  readonly canSend: boolean
}

/** Whether the reader may add this emoji to a message or remove their own. */
export function mayReact(message: Message, emojiId: string, rights: Rights): boolean {
  const reaction = message.reactions.find((it) => it.emoji.id === emojiId)
  return reaction?.me === true || canReact(rights, reaction === undefined)
}
