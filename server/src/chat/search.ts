/** Private messages that a search finds. */
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import { sql } from 'kysely'
import type { Db } from '../kit/database/db.ts'
import { type Searched, type SearchedRow, type SearchFilter, searchCandidates } from '../message/message.ts'
import { identityOf } from '../user/user.ts'
import * as rows from './sql.ts'
import { type ChatContext, messageOf } from './wireForm.ts'

const inChats: Searched = {
  table: 'private_message',
  indexed: sql`private_message_lexemes(message.kind, message.content, message.kmarkdown, message.attachments,
    message.create_at, message.chat_code)`,
  conversation: 'chat_code',
  embeds: sql`null::jsonb`,
  pinned: sql`false`,
  reactions: 'private_reaction',
}

/** Messages of a person's chats that a search may have found, newest first, at most `limit`. */
export const chatCandidates = (
  db: Db,
  codes: readonly string[],
  filter: SearchFilter,
  limit: number,
): Promise<SearchedRow[]> => searchCandidates(db, inChats, sql`any(${codes}::text[])`, filter, limit)

/** When the last message of some chats was sent, ms; 0: there was none. */
export const lastSentPrivatelyAt = (db: Db, codes: readonly string[]): Promise<number> =>
  rows.lastAt(db, codes)

/** The codes of all of a person's chats. */
export const chatCodesOf = (db: Db, userId: UserId): Promise<string[]> => rows.codesOf(db, userId)

/** Messages as a search answers them, by their ids, each with its chat; those of others are left out. */
export async function privatelyListed(appContext: ChatContext, userId: UserId, ids: readonly MessageId[]) {
  const { db } = appContext
  const found = await rows.byIds(db, userId, ids)
  const sides = await rows.sidesOfCodes(db, userId, [...new Set(found.map(({ chat_code }) => chat_code))])
  const byCode = new Map(sides.map((side) => [side.code, side]))
  return new Map(
    found.flatMap((row) => {
      const side = byCode.get(row.chat_code)
      if (!side) return []
      const message = messageOf(row, appContext, { userId, readSeq: side.read_seq })
      const chat = { code: side.code, target_info: publicUser(identityOf(side, appContext)) }
      return [[row.id, { message, chat }] as const]
    }),
  )
}
