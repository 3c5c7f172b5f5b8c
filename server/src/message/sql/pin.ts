/** Pinned messages of channels. */
import type { ChannelId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/db.ts'
import { type AuthoredRow, type LockedMessage, raiseRevision, selectFor } from './message.ts'

const PIN_LOCK = 7_146

/** The pinned messages of a channel, the one pinned last being the last. */
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

/** When each pinned message of a channel was pinned, and by whom, as they are called there now. */
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
 * Pins a locked message, 0 unpins; answers its revision, or null when its channel has `most` pinned ones. The channel's
 * pins come one by one.
 */
export async function pin(
  tx: Tx,
  locked: LockedMessage,
  { now, by, most }: { readonly now: number; readonly by: string; readonly most: number },
): Promise<number | null> {
  if (now > 0) {
    await sql`select pg_advisory_xact_lock(${PIN_LOCK}, hashint8(${locked.channel_id}::bigint))`.execute(tx)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from message
      where channel_id = ${locked.channel_id} and pinned_at > 0`.execute(tx)
    if (rows[0]!.count >= most) return null
  }
  await sql`update message set pinned_at = ${now}, pinned_by = ${now > 0 ? by : 0} where id = ${locked.id}`.execute(
    tx,
  )
  return raiseRevision(tx, locked.id)
}
