/** Pinned messages of channels. */
import type { ChannelId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { countRows } from '../../kit/database/columns.ts'
import type { Db, Tx } from '../../kit/database/db.ts'
import { type AuthoredRow, type LockedMessage, raiseRevision, selectFor } from './message.ts'

const PIN_LOCK = 7_146
/** As the partial index of pinned messages has it. */
const isPinned = sql<boolean>`pinned_at > 0`

/** The pinned messages of a channel; the one that was pinned last comes last. */
export async function pinned(
  db: Db,
  readerId: UserId,
  channelId: ChannelId,
  limit: number,
): Promise<AuthoredRow[]> {
  const { rows } = await sql<AuthoredRow>`
    ${selectFor(readerId)}
    where message.channel_id = ${channelId} and message.pinned_at > 0 and message.deleted_at is null
    order by message.pinned_at desc, message.seq desc limit ${limit}`.execute(db)
  return rows.reverse()
}

/** When each pinned message of a channel was pinned, and by whom, with the name they have there now. */
export async function pinsOf(
  db: Db,
  channelId: ChannelId,
): Promise<
  { readonly id: string; readonly at: number; readonly by: UserId | null; readonly name: string }[]
> {
  const { rows } = await sql<{ id: string; at: number; by: UserId | null; name: string }>`
    select message.id, message.pinned_at::float8 as at, "user".id as by,
      coalesce(nullif(membership.nickname, ''), "user".username, '') as name
    from message
    left join "user" on "user".id = message.pinned_by
    left join membership on membership.guild_id = message.guild_id and membership.user_id = message.pinned_by
    where message.channel_id = ${channelId} and message.pinned_at > 0`.execute(db)
  return rows
}

/**
 * Pins a locked message, or unpins it when `now` is 0. Returns its revision, or null when its channel has
 * `most` pinned ones. A lock on the channel's pins makes concurrent pins serial.
 */
export async function pin(
  tx: Tx,
  locked: LockedMessage,
  { now, by, most }: { readonly now: number; readonly by: string; readonly most: number },
): Promise<number | null> {
  if (now > 0) {
    await sql`select pg_advisory_xact_lock(${PIN_LOCK}, hashint8(${locked.channel_id}::bigint))`.execute(tx)
    const { count } = await tx
      .selectFrom('message')
      .select((eb) => countRows(eb).as('count'))
      .where('channel_id', '=', locked.channel_id)
      .where(isPinned)
      .executeTakeFirstOrThrow()
    if (count >= most) return null
  }
  await tx
    .updateTable('message')
    .set({ pinned_at: now, pinned_by: now > 0 ? by : 0 })
    .where('id', '=', locked.id)
    .execute()
  return raiseRevision(tx, locked.id)
}
