/**
 * The index of the search: made where it is missing, made anew, kept quick, and compared with the messages.
 * All of it beside a running server. PostgreSQL keeps it with each message, in the same transaction.
 */
import { fail } from '@guildhall/wire/failure.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db, Query } from '../kit/database/db.ts'
import { quoted } from './lexemes.ts'

/** The indexes, and the expression of each as in migration 0114. */
const INDEXES = [
  {
    name: 'message_search',
    table: 'message',
    expression: `message_lexemes(kind, content, kmarkdown, attachments, embeds, create_at, guild_id, channel_id)`,
  },
  {
    name: 'private_message_search',
    table: 'private_message',
    expression: `private_message_lexemes(kind, content, kmarkdown, attachments, create_at, chat_code)`,
  },
] as const
type SearchIndex = (typeof INDEXES)[number]

/** One number for every Guildhall on a database, so that two nodes do not make the same index. */
const LOCK = 7_146_202_114

/** Runs `fn` unless another process makes or checks the indexes; null then. */
async function exclusively<T>(query: Query, fn: () => Promise<T>): Promise<T | null> {
  const [row] = await query('select pg_try_advisory_lock($1) as is_mine', [LOCK])
  if (row?.is_mine !== true) return null
  try {
    return await fn()
  } finally {
    await query('select pg_advisory_unlock($1)', [LOCK])
  }
}

const stateOf = async (query: Query, name: string): Promise<'missing' | 'broken' | 'ready'> => {
  const [row] = await query(
    'select indisvalid as is_valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  )
  if (!row) return 'missing'
  return row.is_valid === true ? 'ready' : 'broken'
}

/** When each database had all indexes, ms of the process's own clock. */
const seenReady = new WeakMap<Db, number>()

/**
 * Refuses while an index is missing or half made: the search would read the whole table instead, until the
 * statement's timeout, and a few of them would hold every connection. Asks at most once a minute.
 * @throws Failure search.not_ready
 */
export async function requireIndexes(db: Db): Promise<void> {
  const now = performance.now()
  const seenAt = seenReady.get(db)
  if (seenAt !== undefined && now - seenAt < MINUTE_MS) return
  const names = sql.join(INDEXES.map(({ name }) => sql`to_regclass(${name})`))
  const { rows } = await sql`
    select from pg_index where indexrelid in (${names}) and indisvalid`.execute(db)
  if (rows.length < INDEXES.length) throw fail('search.not_ready')
  seenReady.set(db, now)
}

/** Makes the indexes that are missing, or that were left half made. Null: another process is at it. */
export const makeMissing = (query: Query): Promise<string[] | null> =>
  exclusively(query, async () => {
    const made: string[] = []
    for (const { name, table, expression } of INDEXES) {
      const state = await stateOf(query, name)
      if (state === 'ready') continue
      if (state === 'broken') await query(`drop index concurrently if exists ${name}`)
      await query(
        `create index concurrently ${name} on ${table} using gin (${expression}) where deleted_at is null`,
      )
      made.push(name)
    }
    return made
  })

/**
 * Makes all indexes anew while the old ones answer. What an interrupted run has left is removed first.
 * Null: another process is at it.
 */
export async function rebuild(query: Query, onIndex: (name: string) => void): Promise<string[] | null> {
  const missing = await makeMissing(query)
  if (missing === null) return null
  return exclusively(query, async () => {
    for (const { name } of INDEXES) {
      if (missing.includes(name)) continue
      onIndex(name)
      await dropLeftOver(query, name)
      await query(`reindex index concurrently ${name}`)
    }
    return INDEXES.map(({ name }) => name)
  })
}

/** PostgreSQL names what it makes `…_ccnew`, and `…_ccnew1` where that is taken. */
async function dropLeftOver(query: Query, name: string): Promise<void> {
  const rows = await query(`select relname from pg_class where relname ~ $1 and relkind = 'i'`, [
    `^${name}_cc(new|old)[0-9]*$`,
  ])
  for (const { relname } of rows) await query(`drop index concurrently if exists "${String(relname)}"`)
}

/** How far the index that is being made is, of one: by blocks; null: none is. */
export async function progress(query: Query): Promise<number | null> {
  const [row] = await query(`
    select coalesce(greatest(blocks_done::float8 / nullif(blocks_total, 0),
      tuples_done::float8 / nullif(tuples_total, 0)), 0) as part
    from pg_stat_progress_create_index where datname = current_database()`)
  return row ? Number(row.part) : null
}

/**
 * Moves what was written lately into the index proper: a search reads it one by one until then. PostgreSQL
 * does the same when it is much, in the transaction of whoever sends then.
 */
export async function settle(query: Query): Promise<void> {
  for (const { name } of INDEXES)
    if ((await stateOf(query, name)) === 'ready') await query(`select gin_clean_pending_list('${name}')`)
}

/** What differs between an index and its messages. */
export interface Difference {
  readonly index: string
  readonly wrong: string
}

/** Messages whose every lexeme is asked for. */
const ASKED = 2000

/**
 * Compares each index with its messages: how many each has of every month, and whether it has some with all
 * lexemes.
 */
export async function differences(query: Query): Promise<Difference[]> {
  const found: Difference[] = []
  for (const index of INDEXES) {
    const state = await stateOf(query, index.name)
    const wrong = state === 'ready' ? await wrongIn(query, index) : [state]
    found.push(...wrong.map((each) => ({ index: index.name, wrong: each })))
  }
  return found
}

async function wrongIn(query: Query, index: SearchIndex): Promise<string[]> {
  const { name, expression } = index
  const [row] = await query(
    'select pg_get_expr(indexprs, indrelid) as expression from pg_index where indexrelid = to_regclass($1)',
    [name],
  )
  if (row?.expression !== expression) return ['of another expression']
  return [...(await counts(query, index)), ...(await lost(query, index))]
}

/** Months of which the index has another number of messages than the table. */
async function counts(query: Query, { table, expression }: SearchIndex): Promise<string[]> {
  const months = await query(
    `select create_at / 2592000000 as month, count(*) as messages from ${table} where deleted_at is null group by 1`,
  )
  const wrong: string[] = []
  for (const { month, messages } of months) {
    const [row] = await query(
      `select count(*) as messages from ${table}
       where deleted_at is null and ${expression} @@ '''#m${Number(month)}'''::tsquery`,
    )
    if (String(row?.messages) !== String(messages))
      wrong.push(`#m${Number(month)}: ${String(row?.messages)} of ${String(messages)} messages`)
  }
  return wrong
}

/** Messages, of all times, that the index does not find by all of their lexemes. */
async function lost(query: Query, { table, expression }: SearchIndex): Promise<string[]> {
  const asked = await query(
    `select id, tsvector_to_array(${expression}) as lexemes from ${table}
     where deleted_at is null order by md5(id::text) limit ${ASKED}`,
  )
  const wrong: string[] = []
  for (const { id, lexemes } of asked) {
    const rows = await query(
      `with found as materialized (select id from ${table} where deleted_at is null and ${expression} @@ $1::tsquery)
       select from found where id = $2`,
      [(lexemes as string[]).map(quoted).join(' & '), id],
    )
    if (rows.length === 0) wrong.push(`message ${String(id)} is not found`)
  }
  return wrong
}
