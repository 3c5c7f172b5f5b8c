/** Read marks, and the counts of what is unread. */
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { UNREAD_MAX } from '@guildhall/wire/message/readMark.ts'
import { sql } from 'kysely'
import { int8 } from '../../kit/database/columns.ts'
import type { Db, Tx } from '../../kit/database/db.ts'

/** Advances a read mark; it never goes back. False when it was there or further. */
export async function advanceReadMark(
  tx: Tx,
  userId: UserId,
  channelId: ChannelId,
  seq: number,
): Promise<boolean> {
  const advanced = await tx
    .insertInto('read_mark')
    .values({ user_id: userId, channel_id: channelId, seq })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'channel_id']).doUpdateSet({ seq }).where('read_mark.seq', '<', int8(seq)),
    )
    .returning('read_mark.user_id')
    .executeTakeFirst()
  return advanced !== undefined
}

/** Up to which number somebody has read a channel; 0: nothing of it. */
export async function readSeq(db: Db, userId: UserId, channelId: ChannelId): Promise<number> {
  const row = await db
    .selectFrom('read_mark')
    .select(sql<number>`seq::float8`.as('seq'))
    .where('user_id', '=', userId)
    .where('channel_id', '=', channelId)
    .executeTakeFirst()
  return row?.seq ?? 0
}

/** The same of several channels; those without a mark are left out. */
export async function readSeqs(
  db: Db,
  userId: UserId,
  channelIds: readonly ChannelId[],
): Promise<Map<ChannelId, number>> {
  const found = await db
    .selectFrom('read_mark')
    .select(['channel_id', sql<number>`seq::float8`.as('seq')])
    .where('user_id', '=', userId)
    .where('channel_id', '=', sql<ChannelId>`any(${channelIds}::bigint[])`)
    .execute()
  return new Map(found.map(({ channel_id, seq }) => [channel_id, seq]))
}

/** Advances the read marks of some channels to their ends; returns those that moved. */
export async function advanceToEnd(
  tx: Tx,
  userId: UserId,
  channelIds: readonly ChannelId[],
): Promise<{ readonly channel_id: ChannelId; readonly seq: number }[]> {
  const { rows } = await sql<{ channel_id: ChannelId; seq: number }>`
    insert into read_mark (user_id, channel_id, seq)
    select ${userId}, asked.id, last.seq
    from unnest(${channelIds}::bigint[]) asked(id)
    cross join lateral (
      select seq from message where message.channel_id = asked.id order by seq desc limit 1
    ) last
    order by asked.id
    on conflict (user_id, channel_id) do update set seq = excluded.seq where read_mark.seq < excluded.seq
    returning channel_id::text, seq::float8 as seq`.execute(tx)
  return rows
}

/** Deletes a person's read marks. */
export async function deleteReadMarks(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('read_mark').where('user_id', '=', userId).execute()
}

export interface UnreadRow {
  readonly channel_id: ChannelId
  readonly guild_id: GuildId
  readonly read_seq: number
  readonly last_seq: number
  readonly unread_count: number
  readonly mention_count: number
  /** What the person is notified of in the channel, by their setting or by that of the guild. */
  readonly notify_type: number
  /** The same of the guild. */
  readonly guild_notify_type: number
}

/**
 * Unread counts of a member in some channels of their guilds, up to `most`, and of unread mentions up to
 * `UNREAD_MAX`. Reads a bounded number of the newest messages of each channel and, for mentions, of rows for
 * the person and each of their roles, so that the cost does not grow with the channel. The person's own
 * messages are not counted.
 */
export async function unread(
  db: Db,
  userId: UserId,
  channels: readonly { readonly id: string; readonly guild_id: string }[],
  most: number,
): Promise<UnreadRow[]> {
  const channelIds = channels.map(({ id }) => id)
  const guildIds = channels.map(({ guild_id }) => guild_id)
  const { rows } = await sql<UnreadRow>`
    select asked.id as channel_id, asked.guild_id, mark.seq::float8 as read_seq,
      coalesce(last.seq, 0)::float8 as last_seq, fresh.count as unread_count, called.count as mention_count,
      coalesce(own.type, overall.type) as notify_type, overall.type as guild_notify_type
    from unnest(${channelIds}::bigint[], ${guildIds}::bigint[]) asked(id, guild_id)
    join membership member on member.guild_id = asked.guild_id and member.user_id = ${userId}
    cross join lateral (
      select coalesce((select seq from read_mark it where it.user_id = member.user_id
                       and it.channel_id = asked.id), 0) as seq
    ) mark
    left join lateral (
      select message.seq from message where message.channel_id = asked.id order by message.seq desc limit 1
    ) last on true
    left join lateral (
      select notify_type::int as type from notify_setting it
      where it.user_id = member.user_id and it.guild_id = asked.guild_id and it.channel_id = asked.id
    ) own on true
    cross join lateral (
      select coalesce((
        select notify_type from notify_setting it
        where it.user_id = member.user_id and it.guild_id = asked.guild_id and it.channel_id = 0),
        (select notify_type from guild where guild.id = asked.guild_id))::int as type
    ) overall
    cross join lateral (
      select least(count(*), ${most})::int as count from (
        select author_id, deleted_at, create_at from message
        where message.channel_id = asked.id and message.seq > mark.seq
        order by message.seq desc limit ${most * 2}
      ) it
      where author_id <> member.user_id and deleted_at is null and create_at >= member.joined_at
    ) fresh
    cross join lateral (
      select least(count(distinct it.seq), ${UNREAD_MAX})::int as count
      from (
        select true as is_user, member.user_id as target_id
        union all select false, 0
        union all select false, role_id from membership_role mine
          where mine.guild_id = member.guild_id and mine.user_id = member.user_id
      ) target
      cross join lateral (
        select mention.seq from mention
        where mention.channel_id = asked.id and mention.is_user = target.is_user
          and mention.target_id = target.target_id and mention.seq > mark.seq
          and mention.author_id <> member.user_id and mention.at >= member.joined_at
        order by mention.seq desc limit ${UNREAD_MAX}
      ) it
    ) called`.execute(db)
  return rows
}

/**
 * The first message of others in a channel after a number, since the person joined; null: none. Messages from
 * before they joined, of which there may be any number, are skipped by a binary search: numbers and times
 * grow together.
 */
export async function firstUnread(
  db: Db,
  userId: UserId,
  channel: { readonly id: ChannelId; readonly guild_id: GuildId },
  after: number,
): Promise<{ readonly msg_id: MessageId; readonly seq: number } | null> {
  const { rows } = await sql<{ msg_id: MessageId; seq: number }>`
    with recursive member as (
      select joined_at from membership where guild_id = ${channel.guild_id} and user_id = ${userId}
    ), search (low, high) as (
      select ${after}::bigint, coalesce(max(seq), 0) from message where channel_id = ${channel.id}
      union all
      select case when it.create_at < member.joined_at then it.seq else low end,
        case when it.create_at < member.joined_at then high else (low + high) / 2 end
      from search cross join member
      cross join lateral (
        select seq, create_at from message
        where channel_id = ${channel.id} and seq > (low + high) / 2 order by seq limit 1
      ) it
      where low < high
    )
    select first.id as msg_id, first.seq::float8 as seq
    from member, lateral (
      select id, seq from message
      where channel_id = ${channel.id} and seq > (select max(low) from search) and create_at >= member.joined_at
        and author_id <> ${userId} and deleted_at is null
      order by seq limit 1
    ) first`.execute(db)
  return rows[0] ?? null
}
