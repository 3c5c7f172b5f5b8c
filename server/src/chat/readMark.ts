/** Read marks of private conversations, the same on all of a person's devices. */
import { CHAT_UNREAD_MAX } from '@guildhall/wire/chat/chat.ts'
import { type ChatMark, chatMarkUpdated } from '@guildhall/wire/chat/page.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { sideOf } from './access.ts'
import * as rows from './sql.ts'

/**
 * Marks a conversation as read up to a message, or to its end. A mark that is there or further stays, and no
 * event is emitted.
 * @throws Failure chat.unknown, message.unknown (none of this conversation)
 */
export async function readChat(
  appContext: AppContext,
  userId: UserId,
  input: { readonly code: string; readonly upTo: MessageId | undefined },
): Promise<ChatMark> {
  const { code } = input
  const side = await sideOf(appContext.db, userId, code)
  const seq =
    input.upTo === undefined ? side.last_seq : await rows.table.seqOf(appContext.db, code, input.upTo)
  if (seq === null) throw fail('message.unknown')
  await moveMark(appContext, userId, code, seq)
  return { chat_code: code, read_seq: Math.max(seq, side.read_seq) }
}

/** Moves the mark to a message's number, and tells the person's devices when it moved. */
export async function moveMark(
  appContext: AppContext,
  userId: UserId,
  code: string,
  seq: number,
): Promise<void> {
  await commit(appContext, async (tx, emit) => {
    if (await rows.markRead(tx, userId, { code, seq, now: clock.now() }))
      emit.person(userId, chatMarkUpdated, { chat_code: code, read_seq: seq })
  })
}

/**
 * Unread messages in all conversations of a person that are not hidden, at most `CHAT_UNREAD_MAX` of each.
 */
export const countUnread = (db: Db, userId: UserId): Promise<number> =>
  rows.unreadIn(db, userId, CHAT_UNREAD_MAX)
