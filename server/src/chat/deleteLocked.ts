import { privateDeleted } from '@guildhall/wire/chat/chat.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { releaseFiles } from '../asset/asset.ts'
import type { Tx } from '../kit/database/db.ts'
import type { Emit } from '../kit/events/events.ts'
import * as rows from './sql.ts'
import { emitBoth } from './wireForm.ts'

/** Deletes a locked message for both people, with the files that no other message shows. */
export async function deleteLockedPrivate(
  tx: Tx,
  emit: Emit,
  { row, userId, now }: { readonly row: rows.LockedRow; readonly userId: UserId; readonly now: number },
): Promise<void> {
  const revision = await rows.remove(tx, row.id, now)
  await releaseFiles(tx, row.id)
  emitBoth(emit, userId, row.target_id, privateDeleted, {
    msg_id: row.id,
    chat_code: row.chat_code,
    author_id: userId,
    target_id: row.target_id,
    deleted_at: now,
    revision,
  })
}
