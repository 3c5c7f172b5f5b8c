/** The rows of notes of moderators on people. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database/db.ts'

export interface NoteRow {
  readonly id: string
  readonly user_id: UserId
  readonly author_id: UserId
  readonly content: string
  readonly created_at: number
  readonly updated_at: number
}

const columns = sql`id::text, user_id, author_id, content, created_at::float8 as created_at,
  updated_at::float8 as updated_at`

export async function notes(
  db: Db,
  guildId: GuildId,
  userId: UserId,
  limit: number,
): Promise<readonly NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    select ${columns} from guild_note where guild_id = ${guildId} and user_id = ${userId}
    order by id desc limit ${limit}`.execute(db)
  return rows
}

/** Serialises the notes on one person in a guild, until the transaction ends. */
export const lockNotes = (tx: Tx, guildId: GuildId, userId: UserId): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`notes ${guildId} ${userId}`}, 0))`.execute(tx)

/** Null: the guild has no such note. The row is locked. */
export async function note(tx: Tx, guildId: GuildId, id: string): Promise<NoteRow | null> {
  const { rows } = await sql<NoteRow>`
    select ${columns} from guild_note where guild_id = ${guildId} and id = ${id} for update`.execute(tx)
  return rows[0] ?? null
}

export async function add(
  tx: Tx,
  input: {
    readonly guildId: GuildId
    readonly userId: UserId
    readonly authorId: UserId
    readonly content: string
    readonly now: number
  },
): Promise<NoteRow> {
  const { guildId, userId, authorId, content, now } = input
  const { rows } = await sql<NoteRow>`
    insert into guild_note (guild_id, user_id, author_id, content, created_at, updated_at)
    values (${guildId}, ${userId}, ${authorId}, ${content}, ${now}, ${now}) returning ${columns}`.execute(tx)
  return rows[0]!
}

export async function change(tx: Tx, id: string, content: string, now: number): Promise<NoteRow> {
  const { rows } = await sql<NoteRow>`
    update guild_note set content = ${content}, updated_at = ${now} where id = ${id}
    returning ${columns}`.execute(tx)
  return rows[0]!
}

export const remove = (tx: Tx, id: string): Promise<unknown> =>
  sql`delete from guild_note where id = ${id}`.execute(tx)

/** Deletes the notes on somebody, in all guilds. */
export const forget = (tx: Tx, userId: UserId): Promise<unknown> =>
  sql`delete from guild_note where user_id = ${userId}`.execute(tx)
