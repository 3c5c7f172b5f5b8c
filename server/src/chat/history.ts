/** Reading the messages of a private conversation. protocol.md §4.8. */
import { chatRead, type PrivateMessage } from '@guildhall/wire/chat/chat.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { clock } from '../kit/clock.ts'
import { commit } from '../kit/events.ts'
import { emojiOf, type HistoryQuery, historyRows, reactorOf } from '../message/message.ts'
import { type ChatTarget, codeOf, sideOf } from './chat.ts'
import { type ChatLive, messageOf } from './shape.ts'
import * as rows from './sql.ts'

/**
 * Messages of a conversation, oldest first. Reading the newest page marks them as read.
 * @throws Failure chat.unknown, chat.not_allowed, message.unknown (no such anchor)
 */
export async function list(
  live: ChatLive,
  userId: UserId,
  it: ChatTarget & Omit<HistoryQuery, 'conversationId'>,
): Promise<PrivateMessage[]> {
  const { db } = live
  const code = await codeOf(live, userId, it)
  const side = await sideOf(db, userId, code)
  const found = await historyRows(db, rows.table, userId, { ...it, conversationId: code })
  const newest = found.at(-1)
  if (it.anchor === undefined && newest && newest.seq > side.read_seq)
    await commit(live, async (tx, emit) => {
      const isMoved = await rows.markRead(tx, userId, { code, seq: newest.seq, now: clock.now() })
      if (isMoved) emit.person(userId, chatRead, { chat_code: code, read_seq: newest.seq })
    })
  return found.map((row) => messageOf(row, live, { userId, readSeq: side.read_seq }))
}

/**
 * One message.
 * @throws Failure chat.unknown, message.unknown
 */
export async function view(
  live: ChatLive,
  userId: UserId,
  it: { readonly code: string; readonly msgId: MessageId },
): Promise<PrivateMessage> {
  const side = await sideOf(live.db, userId, it.code)
  const row = await rows.table.byId(live.db, userId, it.code, it.msgId)
  if (!row) throw fail('message.unknown')
  return messageOf(row, live, { userId, readSeq: side.read_seq })
}

/**
 * Who reacted with an emoji, or with any; the first ones first.
 * @throws Failure message.unknown, message.emoji_unknown
 */
export async function reactors(
  live: ChatLive,
  userId: UserId,
  it: { readonly msgId: MessageId; readonly emoji: string | undefined },
) {
  const emojiId = it.emoji === undefined ? null : emojiOf(it.emoji).id
  const found = await rows.reactors(live.db, userId, it.msgId, emojiId)
  if (!found) throw fail('message.unknown')
  return found.map((row) => reactorOf(row, live))
}
