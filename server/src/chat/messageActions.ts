/** Acts on private messages by staff, by an operator, or when an account is deleted. */
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { deleteLockedPrivate } from './deleteLocked.ts'
import * as rows from './sql.ts'

/** Before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Deletes any private message for both people. Returns its author; null when there is no such message. */
export async function deleteAnyPrivate(tx: Tx, emit: Emit, id: MessageId): Promise<UserId | null> {
  const row = await rows.lockAny(tx, id)
  if (!row) return null
  if (!row.is_deleted) await deleteLockedPrivate(tx, emit, { row, userId: row.author_id, now: clock.now() })
  return row.author_id
}

/**
 * Deletes at most `limit` private messages of an author for both people, in one transaction. Returns how
 * many.
 */
export async function deleteSomePrivateOf(
  appContext: AppContext,
  authorId: UserId,
  limit: number,
): Promise<number> {
  return commit(appContext, async (tx, emit) => {
    const some = await rows.ofAuthor(tx, authorId, FIRST, limit)
    for (const { id } of some) await deleteAnyPrivate(tx, emit, id)
    return some.length
  })
}

/** An author's own private messages after the message `after`, or from the first, the oldest first. */
export const ownPrivateMessages = (
  db: Db,
  authorId: UserId,
  after: string | null,
  limit: number,
): Promise<rows.OwnPrivateRow[]> => rows.ofAuthor(db, authorId, after ?? FIRST, limit)

/** Deletes how far a person has read their private conversations. */
export const forgetChats = (tx: Tx, userId: UserId): Promise<void> => rows.forgetSides(tx, userId)
