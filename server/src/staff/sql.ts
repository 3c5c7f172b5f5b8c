/** Sessions of the console, and the staff log. */
import type { UserId } from '@guildhall/wire/id.ts'
import { STAFF_LOG_KINDS } from '@guildhall/wire/staff/log.ts'
import { sql } from 'kysely'
import { clock } from '../kit/clock.ts'
import { asNumber, int8 } from '../kit/database/columns.ts'
import type { Db } from '../kit/database/db.ts'

export interface ConsoleSession {
  readonly opened_at: number
  readonly used_at: number
}

/** A session of the console; null: the session is none. */
export async function consoleSession(db: Db, sessionId: string): Promise<ConsoleSession | null> {
  const row = await db
    .selectFrom('staff_session')
    .select((eb) => [asNumber(eb, 'opened_at').as('opened_at'), asNumber(eb, 'used_at').as('used_at')])
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return row ?? null
}

export async function openConsole(db: Db, sessionId: string, now: number): Promise<void> {
  await db
    .insertInto('staff_session')
    .values({ session_id: sessionId, opened_at: now, used_at: now })
    .execute()
}

export async function useConsole(db: Db, sessionId: string, now: number): Promise<void> {
  await db
    .updateTable('staff_session')
    .set({ used_at: now })
    .where('session_id', '=', sessionId)
    .where('used_at', '<', int8(now))
    .execute()
}

/** A row of the staff log to be written. */
export interface StaffLogEntry {
  readonly actor: string
  readonly sessionId?: string | undefined
  readonly network?: string | undefined
  readonly kind: (typeof STAFF_LOG_KINDS)[number]
  readonly name: string
  readonly userId?: UserId | null | undefined
  readonly target?: string | undefined
  readonly detail?: object | undefined
}

export async function addToLog(db: Db, input: StaffLogEntry): Promise<void> {
  await db
    .insertInto('staff_log')
    .values({
      at: clock.now(),
      actor: input.actor,
      kind: input.kind,
      name: input.name,
      place: input.network ?? '',
      session_id: input.sessionId ?? null,
      user_id: input.userId ?? null,
      target: input.target ?? '',
      detail: JSON.stringify(input.detail ?? {}),
    })
    .execute()
}

/** The newest acts on somebody, or on a message or guild, by its id. */
export async function actsOn(
  db: Db,
  input: { readonly userId: string; readonly target: string; readonly limit: number },
) {
  // Two look-ups by index, each bounded: a person's acts may be many.
  const acts = (column: 'user_id' | 'target', value: string) =>
    logSelect(db)
      .where('kind', '=', 'act')
      .where(column, '=', value)
      .orderBy('id', 'desc')
      .limit(input.limit)
      .execute()
  const found = [...(await acts('user_id', input.userId)), ...(await acts('target', input.target))]
  const byId = new Map(found.map((row) => [row.id, row]))
  return [...byId.values()].sort((a, b) => Number(b.id) - Number(a.id)).slice(0, input.limit)
}

const logSelect = (db: Db) =>
  db
    .selectFrom('staff_log')
    .select((eb) => ['id', asNumber(eb, 'at').as('at'), 'actor', 'place', 'kind', 'name'])
    .select(['user_id', 'target', 'detail'])

/** What of the log is looked for. */
export interface LogSearch {
  readonly before?: number | undefined
  readonly actor?: string | undefined
  readonly userId?: UserId | undefined
  readonly kind?: (typeof STAFF_LOG_KINDS)[number] | undefined
  readonly name?: string | undefined
  readonly limit: number
}

/** The newest rows of the log first. */
export const logRows = (db: Db, input: LogSearch) =>
  logSelect(db)
    .$if(input.before !== undefined, (query) => query.where('id', '<', int8(input.before!)))
    .$if(input.userId !== undefined, (query) => query.where('user_id', '=', input.userId!))
    .$if(input.kind !== undefined, (query) => query.where('kind', '=', input.kind!))
    .$if(input.actor !== undefined || input.name !== undefined, (query) =>
      query.where('id', '=', sql<string>`any(array(${newestIds(input)}))`),
    )
    .orderBy('id', 'desc')
    .limit(input.limit)
    .execute()

/**
 * The newest rows of an actor, a name or both. Each kind is one look into an index that begins with it: the
 * database would rather read the whole log from its end, which takes long when there are few such rows.
 */
function newestIds(input: LogSearch) {
  const { actor, name, userId, before, limit } = input
  const wanted = [
    sql`log.kind = kinds.kind`,
    ...(actor === undefined ? [] : [sql`log.actor = ${actor}`]),
    ...(name === undefined ? [] : [sql`log.name = ${name}`]),
    ...(userId === undefined ? [] : [sql`log.user_id = ${userId}::bigint`]),
    ...(before === undefined ? [] : [sql`log.id < ${int8(before)}::bigint`]),
  ]
  const kinds = input.kind === undefined ? STAFF_LOG_KINDS : [input.kind]
  return sql`
    select found.id from unnest(${[...kinds]}::text[]) as kinds (kind) cross join lateral (
      select log.id from staff_log log where ${sql.join(wanted, sql` and `)} order by log.id desc limit ${limit}
    ) found order by found.id desc limit ${limit}`
}
