import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { asNumber } from '../../kit/database/columns.ts'
import type { Db, Tx } from '../../kit/database/db.ts'

/** A guild that is offered. `created_at`: ms. */
export interface TransferRow {
  readonly guild_id: GuildId
  readonly owner_id: UserId
  readonly receiver_id: UserId
  readonly created_at: number
}

/** Null: there is none. It may be too old. */
export async function of(db: Db, guildId: GuildId): Promise<TransferRow | null> {
  const row = await db
    .selectFrom('guild_transfer')
    .select(['guild_id', 'owner_id', 'receiver_id'])
    .select((eb) => asNumber(eb, 'created_at').as('created_at'))
    .where('guild_id', '=', guildId)
    .executeTakeFirst()
  return row ?? null
}

/** In place of an earlier one. */
export async function set(tx: Tx, row: TransferRow): Promise<void> {
  const { guild_id, ...rest } = row
  await tx
    .insertInto('guild_transfer')
    .values(row)
    .onConflict((it) => it.column('guild_id').doUpdateSet(rest))
    .execute()
}

export async function end(tx: Tx, guildId: GuildId): Promise<void> {
  await tx.deleteFrom('guild_transfer').where('guild_id', '=', guildId).execute()
}
