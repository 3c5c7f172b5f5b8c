/** Reading the messages of a private conversation. protocol.md §4.8. */
import type { PrivateMessage } from '@guildhall/wire/chat/chat.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import type { Db } from '../kit/database/db.ts'
import { readAnywhere } from '../kit/database/replica.ts'
import {
  emojiOf,
  type HistoryQuery,
  historyRows,
  type MessageAround,
  messageAround,
  reactorOf,
} from '../message/message.ts'
import { type ChatTarget, codeOf, sideOf } from './access.ts'
import { moveMark } from './readMark.ts'
import * as rows from './sql.ts'
import { type ChatContext, messageOf, roomMessageOf } from './wireForm.ts'

/**
 * Messages of a conversation, oldest first. Reading the newest page marks them as read.
 * @throws Failure chat.unknown, chat.not_allowed, message.unknown (no such anchor)
 */
export async function list(
  appContext: ChatContext,
  userId: UserId,
  input: ChatTarget & Omit<HistoryQuery, 'conversationId'>,
): Promise<PrivateMessage[]> {
  const { db } = appContext
  const code = await codeOf(appContext, userId, input)
  const side = await sideOf(db, userId, code)
  const query = { ...input, conversationId: code }
  const found = await readAnywhere(appContext, (reading) => historyRows(reading, rows.table, userId, query))
  const newest = found.at(-1)
  if (input.anchor === undefined && newest) await moveMark(appContext, userId, code, newest.seq)
  return found.map((row) => messageOf(row, appContext, { userId, readSeq: side.read_seq }))
}

/**
 * A page of a conversation for the page of one of the two, oldest first. No read mark moves.
 * @throws Failure chat.unknown, message.unknown (no such anchor)
 */
export async function roomPage(
  appContext: ChatContext,
  userId: UserId,
  input: HistoryQuery,
): Promise<Message[]> {
  await sideOf(appContext.db, userId, input.conversationId)
  const found = await readAnywhere(appContext, (db) => historyRows(db, rows.table, userId, input))
  return found.map((row) => roomMessageOf(row, appContext))
}

/**
 * A message that was just sent, for its sender's page.
 * @throws Failure message.deleted (meanwhile)
 */
export async function roomMessage(
  appContext: ChatContext,
  userId: UserId,
  input: { readonly code: string; readonly msgId: MessageId },
): Promise<Message> {
  const row = await rows.table.byId(appContext.db, userId, input.code, input.msgId)
  if (!row) throw fail('message.deleted')
  return roomMessageOf(row, appContext)
}

/**
 * One message.
 * @throws Failure chat.unknown, message.unknown
 */
export async function view(
  appContext: ChatContext,
  userId: UserId,
  input: { readonly code: string; readonly msgId: MessageId },
): Promise<PrivateMessage> {
  const side = await sideOf(appContext.db, userId, input.code)
  const row = await rows.table.byId(appContext.db, userId, input.code, input.msgId)
  if (!row) throw fail('message.unknown')
  return messageOf(row, appContext, { userId, readSeq: side.read_seq })
}

/**
 * A message of one of a person's conversations, with at most `most` before it and after it. Null: they see
 * none of this id.
 */
export async function seenAroundPrivate(
  db: Db,
  userId: UserId,
  msgId: MessageId,
  most: number,
): Promise<MessageAround<rows.PrivateRow> | null> {
  const code = await rows.codeOfMessage(db, userId, msgId)
  return code === null ? null : messageAround(db, rows.table, userId, code, msgId, most)
}

/** A private message, for staff; null: it is gone. */
export const privateMessageIn = (
  db: Db,
  code: string,
  msgId: string,
  readerId: UserId,
): Promise<rows.PrivateRow | null> => rows.table.byId(db, readerId, code, msgId)

/**
 * Who reacted with an emoji, or with any; the first ones first.
 * @throws Failure message.unknown, message.emoji_unknown
 */
export async function reactors(
  appContext: ChatContext,
  userId: UserId,
  input: { readonly msgId: MessageId; readonly emoji: string | undefined },
) {
  const emojiId = input.emoji === undefined ? null : emojiOf(input.emoji).id
  const found = await rows.reactors(appContext.db, userId, input.msgId, emojiId)
  if (!found) throw fail('message.unknown')
  return found.map((row) => reactorOf(row, appContext))
}
