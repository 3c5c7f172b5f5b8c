/**
 * The removal of old events, as the product removes them or with the partitions that have them, while
 * messages are sent one by one.
 */
import { sql } from 'kysely'
import type { Db } from '../../../server/src/kit/database/db.ts'
import { trimEvents } from '../../../server/src/kit/events/events.ts'
import { add, type Draft } from '../../../server/src/message/sql/send.ts'
import { report } from '../kit/figures.ts'
import type { Corpus } from '../search/corpus.ts'
import { type Candidate, candidatesOf, HOUR_MS } from './candidates.ts'
import { another, anyGuild } from './fill.ts'

/** Hours that are removed in a round. */
const HOURS = 6
const ROUND_HOURS = 2

interface Filled {
  readonly draft: Draft
  readonly corpus: Corpus
  /** When the first event was, ms. */
  readonly eventsFrom: number
}

/** Rounds in turn, of two hours each. What has partitions of six hours removes them at the end. */
export async function remove(all: readonly Candidate[], filled: Filled): Promise<void> {
  const candidates = candidatesOf(all, 'event_log')
  const took = new Map(candidates.map(({ name }) => [name, { ms: 0, sends: [] as number[] }]))
  for (let hours = ROUND_HOURS; hours <= HOURS; hours += ROUND_HOURS)
    for (const { name, schema, database } of candidates) {
      const sum = took.get(name)!
      const { ms, sends } = await whileSending(database.db, filled, () =>
        removeUntil(database.db, schema, filled.eventsFrom, hours),
      )
      sum.ms += ms
      sum.sends.push(...sends)
    }
  report(
    ...candidates.flatMap(({ name }) => {
      const { ms, sends } = took.get(name)!
      sends.sort((a, b) => a - b)
      const at = (part: number) => sends[Math.floor((sends.length - 1) * part)]!
      return [
        { name: `the removal of ${HOURS} hours of events, ${name}`, value: ms / 1000, unit: 's' as const },
        { name: `a send meanwhile, median, ${name}`, value: at(0.5), unit: 'ms' as const },
        { name: `a send meanwhile, p99, ${name}`, value: at(0.99), unit: 'ms' as const },
      ]
    }),
  )
}

/** How long the work takes, and each send beside it, ms. */
async function whileSending(
  db: Db,
  { draft, corpus }: Filled,
  work: () => Promise<void>,
): Promise<{ readonly ms: number; readonly sends: readonly number[] }> {
  const sends: number[] = []
  const began = performance.now()
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  do {
    const since = performance.now()
    await add(db, [another(draft, corpus, anyGuild(sends.length))])
    sends.push(performance.now() - since)
  } while (!isDone)
  await working
  return { ms: performance.now() - began, sends }
}

/** Removes what is older than so many hours after the first event. */
async function removeUntil(db: Db, schema: string | null, from: number, hours: number): Promise<void> {
  const each = HOURS_OF[schema ?? '']
  if (each === undefined) {
    await trimEvents(db, Date.now() - (from + hours * HOUR_MS))
    return
  }
  for (let begin = hours - ROUND_HOURS; begin < hours; begin += 1)
    if ((begin + 1) % each === 0) await dropPartition(db, `event_log_${Math.floor(begin / each)}`)
}

/** The hours of a partition, where partitions are of hours. */
const HOURS_OF: Readonly<Record<string, number>> = { log_by_hours: 1, log_by_six_hours: 6 }

/**
 * Drops a partition without a lock that reads wait for. The newest event of a guild has its last number and
 * stays: where it is in the partition it is copied.
 */
async function dropPartition(db: Db, name: string): Promise<void> {
  const partition = sql.table(name)
  await sql`create table if not exists kept_event (like event_log)`.execute(db)
  await sql`
    insert into kept_event
    select last.* from (select distinct on (guild_id) * from ${partition} order by guild_id, seq desc) last
    where not exists (select from event_log it where it.guild_id = last.guild_id and it.seq > last.seq)`.execute(
    db,
  )
  await sql`alter table event_log detach partition ${partition} concurrently`.execute(db)
  await sql`drop table ${partition}`.execute(db)
}
