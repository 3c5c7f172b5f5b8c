/** Errors of pages. */
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { asNumber, int8 } from '../kit/database/columns.ts'
import type { Db } from '../kit/database/db.ts'

export interface StoredError {
  readonly userId: UserId | null
  readonly signature: string
  readonly location: string
  readonly filename: string
  readonly name: string
  readonly message: string
  readonly stack: string
}

export async function addError(db: Db, { userId, ...it }: StoredError, now: number): Promise<void> {
  await db
    .insertInto('client_log')
    .values({ ...it, user_id: userId, at: now })
    .execute()
}

/** The newest errors first: of a name, of a signature, older than an id, not older than a time. */
export const listErrors = (
  db: Db,
  input: {
    readonly name?: string | undefined
    readonly signature?: string | undefined
    readonly before?: number | undefined
    readonly since?: number | undefined
    readonly limit: number
  },
) =>
  db
    .selectFrom('client_log')
    .select((eb) => [asNumber(eb, 'id').as('id'), asNumber(eb, 'at').as('at')])
    .select(['user_id', 'signature', 'location', 'filename', 'name', 'message', 'stack'])
    .$if(input.name !== undefined, (query) => query.where('name', '=', input.name!))
    .$if(input.signature !== undefined, (query) => query.where('signature', '=', input.signature!))
    .$if(input.before !== undefined, (query) => query.where('client_log.id', '<', int8(input.before!)))
    .$if(input.since !== undefined, (query) => query.where('client_log.at', '>=', int8(input.since!)))
    .orderBy('client_log.id', 'desc')
    .limit(input.limit)
    .execute()

/** Equal errors as one row each, the most frequent first. */
export async function countErrors(db: Db, since: number, limit: number) {
  const { rows } = await sql<{
    signature: string
    times: number
    people: number
    last_at: number
    name: string
    message: string
    location: string
    filename: string
  }>`
    select signature, count(*)::int as times, count(distinct user_id)::int as people,
      max(at)::float8 as last_at, max(name) as name, max(message) as message,
      max(location) as location, max(filename) as filename
    from client_log where at >= ${since}::bigint
    group by signature order by times desc, last_at desc limit ${limit}`.execute(db)
  return rows
}

/** Deletes errors older than a time, and all but the newest `most`. */
export async function trimErrors(db: Db, before: number, most: number): Promise<void> {
  await db.deleteFrom('client_log').where('at', '<', int8(before)).execute()
  await sql`
    delete from client_log where id <= (select id from client_log order by id desc offset ${most} limit 1)`.execute(
    db,
  )
}
