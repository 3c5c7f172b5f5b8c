/** How many messages were sent in which channel, and how many people wrote in which guild, by day. */
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { asNumber } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { SentRow } from '../message/message.ts'

/** Up to when messages are counted, locked; null: somebody else counts now. */
export async function takeCount(tx: Tx): Promise<Millis | null> {
  const row = await tx
    .selectFrom('growth_count')
    .select((eb) => asNumber(eb, 'counted_until').as('at'))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row?.at ?? null
}

export async function storeCount(tx: Tx, at: Millis): Promise<void> {
  await tx.updateTable('growth_count').set({ counted_until: at }).execute()
}

export async function countedUntil(db: Db): Promise<Millis> {
  const row = await db
    .selectFrom('growth_count')
    .select((eb) => asNumber(eb, 'counted_until').as('at'))
    .executeTakeFirstOrThrow()
  return row.at
}

/** Adds what was sent on one day. Guilds that were deleted meanwhile are left out. */
export async function addSent(tx: Tx, day: string, sent: readonly SentRow[]): Promise<void> {
  const column = <Name extends keyof SentRow>(name: Name) => sent.map((it) => it[name])
  await sql`
    with sent as (
      select it.* from unnest(${column('guild_id')}::bigint[], ${column('channel_id')}::bigint[],
        ${column('author_id')}::bigint[], ${column('by_bot')}::bool[], ${column('messages')}::int[])
        as it(guild_id, channel_id, author_id, by_bot, messages)
      join guild on guild.id = it.guild_id),
    channels as (
      insert into channel_day (guild_id, day, channel_id, messages)
      select guild_id, ${day}, channel_id, sum(messages) from sent group by guild_id, channel_id
      on conflict (guild_id, day, channel_id) do update set messages = channel_day.messages + excluded.messages),
    authors as (
      insert into author_day (day, guild_id, user_id)
      select distinct ${day}, guild_id, author_id from sent where not by_bot
      on conflict do nothing returning guild_id)
    insert into author_count (guild_id, day, people)
    select guild_id, ${day}, count(*) from authors group by guild_id
    on conflict (guild_id, day) do update set people = author_count.people + excluded.people`.execute(tx)
}

/** Messages of a guild by channel and day, from one day on. */
export async function channelDays(
  db: Db,
  guildId: GuildId,
  from: string,
): Promise<{ readonly day: string; readonly channel_id: ChannelId; readonly messages: number }[]> {
  return db
    .selectFrom('channel_day')
    .select(['day', 'channel_id', 'messages'])
    .where('guild_id', '=', guildId)
    .where('day', '>=', from)
    .execute()
}

/** Messages of a guild by day, from one day on. */
export async function messageDays(
  db: Db,
  guildId: GuildId,
  from: string,
): Promise<{ readonly day: string; readonly messages: number }[]> {
  const { rows } = await sql<{ day: string; messages: number }>`
    select day, sum(messages)::int as messages from channel_day
    where guild_id = ${guildId} and day >= ${from} group by day`.execute(db)
  return rows
}

/** How many people wrote in a guild on each day, from one day on. */
export async function authorCounts(
  db: Db,
  guildId: GuildId,
  from: string,
): Promise<{ readonly day: string; readonly people: number }[]> {
  return db
    .selectFrom('author_count')
    .select(['day', 'people'])
    .where('guild_id', '=', guildId)
    .where('day', '>=', from)
    .execute()
}
