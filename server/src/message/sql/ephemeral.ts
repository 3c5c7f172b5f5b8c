/** Ephemeral messages: the part that is stored, for nonces and for the buttons of cards. */
import type { GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { type Selectable, sql } from 'kysely'
import { asNumber, int8 } from '../../kit/database/columns.ts'
import type { Db, Tx } from '../../kit/database/db.ts'
import type { QuietMessageTable } from '../../kit/database/tables.ts'

/** The stored part of an ephemeral message. `cards`: their JSON, empty when it is not a card; `at`: ms. */
export interface EphemeralRow extends Readonly<Omit<Selectable<QuietMessageTable>, 'at'>> {
  readonly at: number
}

/** Stores it unless its author used its nonce for this person in this channel: then returns the first one. */
export async function addEphemeral(
  tx: Tx,
  row: EphemeralRow,
): Promise<{ readonly id: MessageId; readonly at: number } | null> {
  const { id, target_id, guild_id, channel_id, author_id, nonce, cards, at } = row
  const added = await tx
    .insertInto('quiet_message')
    .values({ id, target_id, guild_id, channel_id, author_id, nonce, cards, at })
    .onConflict((conflict) =>
      conflict
        .columns(['channel_id', 'author_id', 'target_id', 'nonce'])
        .where('nonce', '<>', sql.lit(''))
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return added ? null : ephemeralByNonce(tx, row)
}

/** Deletes what is stored of ephemeral messages to a person, and by them. */
export async function deleteEphemeralOf(tx: Tx, userId: UserId): Promise<void> {
  await tx
    .deleteFrom('quiet_message')
    .where((eb) => eb.or([eb('target_id', '=', userId), eb('author_id', '=', userId)]))
    .execute()
}

/** The ephemeral message of a nonce. */
export async function ephemeralByNonce(
  db: Db,
  sent: Pick<EphemeralRow, 'author_id' | 'target_id' | 'nonce' | 'channel_id'>,
): Promise<{ readonly id: MessageId; readonly at: number } | null> {
  const row = await db
    .selectFrom('quiet_message')
    .select('id')
    .select((eb) => asNumber(eb, 'at').as('at'))
    .where('channel_id', '=', sent.channel_id)
    .where('author_id', '=', sent.author_id)
    .where('target_id', '=', sent.target_id)
    .where('nonce', '=', sent.nonce)
    .where('nonce', '<>', sql.lit(''))
    .executeTakeFirst()
  return row ?? null
}

/** Stores the cards that one person sees instead of a message's own, for their buttons. */
export async function saveEphemeralView(tx: Tx, row: Omit<EphemeralRow, 'nonce'>): Promise<void> {
  const { id, target_id, guild_id, channel_id, author_id, cards, at } = row
  await tx
    .insertInto('quiet_message')
    .values({ id, target_id, guild_id, channel_id, author_id, cards, at })
    .onConflict((conflict) => conflict.columns(['id', 'target_id']).doUpdateSet({ cards, at }))
    .execute()
}

/** The ephemeral message or view that a person has under a message's id. */
export async function ephemeralFor(db: Db, id: MessageId, userId: UserId): Promise<EphemeralRow | null> {
  const row = await db
    .selectFrom('quiet_message')
    .select(['id', 'target_id', 'guild_id', 'channel_id', 'author_id', 'nonce', 'cards'])
    .select((eb) => asNumber(eb, 'at').as('at'))
    .where('id', '=', id)
    .where('target_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** Deletes what was stored before `before`, ms; returns how many. */
export async function deleteEphemeralBefore(db: Db, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('quiet_message')
    .where('at', '<', int8(before))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The number of a guild's last committed event; 0 before the first. */
export async function lastEvent(db: Db, guildId: GuildId): Promise<number> {
  const row = await db
    .selectFrom('guild_counter')
    .select((eb) => asNumber(eb, 'event_seq').as('seq'))
    .where('guild_id', '=', guildId)
    .executeTakeFirst()
  return row?.seq ?? 0
}
