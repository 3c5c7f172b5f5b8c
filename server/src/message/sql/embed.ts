/** Embeds: the previews of the addresses in a message. */
import type { MessageId } from '@guildhall/wire/id.ts'
import type { Tx } from '../../kit/database/db.ts'
import { raiseRevision } from './message.ts'

/** Stores the previews of the addresses in a locked message; returns its revision. */
export async function embed(tx: Tx, id: MessageId, embeds: readonly object[]): Promise<number> {
  await tx
    .updateTable('message')
    .set({ embeds: JSON.stringify(embeds) })
    .where('id', '=', id)
    .execute()
  return raiseRevision(tx, id)
}
