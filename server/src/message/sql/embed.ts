/** Embeds: what the addresses in a message lead to. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db.ts'
import { raiseRevision } from './message.ts'

/** What the addresses in a locked message lead to; answers its revision. */
export async function embed(tx: Tx, id: string, embeds: readonly object[]): Promise<number> {
  await sql`update message set embeds = ${JSON.stringify(embeds)}::jsonb where id = ${id}`.execute(tx)
  return raiseRevision(tx, id)
}
