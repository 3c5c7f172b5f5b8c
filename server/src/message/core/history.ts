/** History: a page of a conversation around an anchor. */

import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { Db } from '../../kit/database/db.ts'
import type { MessageTable } from './table.ts'

/**
 * Which page of a conversation is wanted. Without an anchor the newest; `around` has the anchor in its
 * middle.
 */
export interface HistoryQuery {
  /** A channel's id or a chat's code. */
  readonly conversationId: string
  /** A message's id. */
  readonly anchor: string | undefined
  readonly flag: 'before' | 'around' | 'after'
  readonly limit: number
}

/**
 * The rows of a page, oldest first. Fewer than `limit` means there is nothing further that way.
 * @throws Failure message.unknown (no such anchor in this conversation)
 */
export async function historyRows<Row>(
  db: Db,
  table: MessageTable<Row>,
  userId: UserId,
  { conversationId, anchor, flag, limit }: HistoryQuery,
): Promise<Row[]> {
  if (anchor === undefined) return table.page(db, userId, conversationId, null, limit)
  const seq = await table.seqOf(db, conversationId, anchor)
  if (seq === null) throw fail('message.unknown')
  if (flag === 'before') return table.page(db, userId, conversationId, seq, limit)
  if (flag === 'after') return table.pageAfter(db, userId, conversationId, seq, limit)
  const untilAnchor = Math.ceil(limit / 2)
  const before = await table.page(db, userId, conversationId, seq + 1, untilAnchor)
  const rest = limit - untilAnchor
  const after = rest > 0 ? await table.pageAfter(db, userId, conversationId, seq, rest) : []
  return [...before, ...after]
}
