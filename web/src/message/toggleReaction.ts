import type { Emoji, Message } from '@guildhall/wire/message/message.ts'
import type { RoomController } from '../roomStore/roomController.ts'
import { hasReacted } from './rights.ts'
import { toastFailure } from './toastFailure.ts'

/** Adds the reader's reaction to a message, or takes it back. */
export function toggleReaction(actions: RoomController, message: Message, emoji: Emoji): void {
  const kind = hasReacted(message, emoji.id) ? 'unreact' : 'react'
  void actions.act(message.id, { kind, emoji }).then(toastFailure)
}
