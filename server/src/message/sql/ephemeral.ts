/** Ephemeral messages, as far as they are kept. */
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/db.ts'

/** An ephemeral message, as far as it is kept. */
export interface EphemeralRow {
  readonly id: MessageId
  readonly target_id: UserId
  readonly guild_id: GuildId
  readonly channel_id: ChannelId
  readonly author_id: UserId
  readonly nonce: string
  /** Their JSON; empty when it is no card. */
  readonly cards: string
  /** ms */
  readonly at: number
}

/** Stores it unless its author used its nonce for this person in this channel: then answers the first one. */
export async function addEphemeral(
  tx: Tx,
  it: EphemeralRow,
): Promise<{ readonly id: MessageId; readonly at: number } | null> {
  const { rows: added } = await sql`
    insert into quiet_message (id, target_id, guild_id, channel_id, author_id, nonce, cards, at)
    values (${it.id}, ${it.target_id}, ${it.guild_id}, ${it.channel_id}, ${it.author_id}, ${it.nonce}, ${it.cards},
            ${it.at})
    on conflict (channel_id, author_id, target_id, nonce) where nonce <> '' do nothing returning 1`.execute(
    tx,
  )
  return added.length > 0 ? null : ephemeralByNonce(tx, it)
}

/** The ephemeral message of a nonce. */
export async function ephemeralByNonce(
  db: Db,
  it: Pick<EphemeralRow, 'author_id' | 'target_id' | 'nonce'> & { readonly channel_id: string },
): Promise<{ readonly id: MessageId; readonly at: number } | null> {
  const { rows } = await sql<{ id: MessageId; at: number }>`
    select id, at::float8 as at from quiet_message
    where channel_id = ${it.channel_id} and author_id = ${it.author_id} and target_id = ${it.target_id}
      and nonce = ${it.nonce} and nonce <> ''`.execute(db)
  return rows[0] ?? null
}

/** Stores the cards that one person is shown instead of a message's own, for their buttons. */
export async function saveEphemeralView(tx: Tx, it: Omit<EphemeralRow, 'nonce'>): Promise<void> {
  await sql`
    insert into quiet_message (id, target_id, guild_id, channel_id, author_id, cards, at)
    values (${it.id}, ${it.target_id}, ${it.guild_id}, ${it.channel_id}, ${it.author_id}, ${it.cards}, ${it.at})
    on conflict (id, target_id) do update set cards = excluded.cards, at = excluded.at`.execute(tx)
}

/** The ephemeral message or view somebody has under a message's id. */
export async function ephemeralFor(db: Db, id: string, userId: UserId): Promise<EphemeralRow | null> {
  const { rows } = await sql<EphemeralRow>`
    select id, target_id, guild_id, channel_id, author_id, nonce, cards, at::float8 as at from quiet_message
    where id = ${id} and target_id = ${userId}`.execute(db)
  return rows[0] ?? null
}

export async function deleteEphemeralBefore(db: Db, before: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from quiet_message where at < ${before}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The number of a guild's last event that is committed. */
export async function lastEvent(db: Db, guildId: GuildId): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select event_seq::float8 as seq from guild_counter where guild_id = ${guildId}`.execute(db)
  return rows[0]?.seq ?? 0
}
