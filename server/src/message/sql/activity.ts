/** The last messages of many channels. */
import type { ChannelId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/database/db.ts'
import { type AuthoredRow, selectFor } from './message.ts'

/** How far a channel is looked back in for a message that is not deleted. */
const LOOKED_BACK = 50

export interface LastRow {
  readonly channel_id: ChannelId
  /** 0: the channel never had a message. */
  readonly last_seq: number
  readonly msg_id: MessageId | null
}

/**
 * Of each channel the number of its newest message, and the newest one that is not deleted. Reads a bounded
 * number of messages of each.
 */
export async function lastOf(db: Db, channelIds: readonly ChannelId[]): Promise<LastRow[]> {
  const { rows } = await sql<LastRow>`
    select asked.id::text as channel_id, coalesce(newest.seq, 0)::float8 as last_seq, shown.id as msg_id
    from unnest(${channelIds}::bigint[]) asked(id)
    left join lateral (
      select seq from message where message.channel_id = asked.id order by seq desc limit 1
    ) newest on true
    left join lateral (
      select it.id from (
        select id, seq, deleted_at from message
        where message.channel_id = asked.id order by seq desc limit ${LOOKED_BACK}
      ) it
      where it.deleted_at is null order by it.seq desc limit 1
    ) shown on true`.execute(db)
  return rows
}

/** Some messages by their ids, in no order, without those that were deleted meanwhile. */
export async function byIds(
  db: Db,
  readerId: UserId,
  messageIds: readonly MessageId[],
): Promise<AuthoredRow[]> {
  if (messageIds.length === 0) return []
  const { rows } = await sql<AuthoredRow>`
    ${selectFor(readerId)}
    where message.id = any(${messageIds}::uuid[]) and message.deleted_at is null`.execute(db)
  return rows
}
