/**
 * The security log: logins, codes asked for, refusals, ends of sessions, acts of operators and staff, with
 * network, person, session and failure name. Ids and names of the contract only: never numbers, codes,
 * tokens or words.
 */
import type { FailureName } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from './clock.ts'
import { asNumber, int8 } from './database/columns.ts'
import type { Db } from './database/db.ts'
import type { Log } from './log.ts'

/** Who acts on other people: the command line, or a staff account. */
export type Actor = 'operator' | UserId

export interface SecurityEvent {
  /** `login`, `code`, `logout`, `refused`, or the name of an act: `user suspend`. */
  readonly kind: string
  /** Absent: the person themselves, or a guest. */
  readonly actor?: Actor
  /** Whom it concerns. */
  readonly userId?: UserId | null
  readonly sessionId?: string
  /** The network it came from. */
  readonly network?: string
  /** Absent: it was done. */
  readonly failure?: FailureName
  /** Ids of what was acted on, or the route that was refused. */
  readonly target?: string
}

export interface StoredSecurityEvent extends SecurityEvent {
  /** ms */
  readonly at: number
  /** How often within a minute. */
  readonly times: number
}

const WRITE_EVERY_MS = SECOND_MS
/** Equal refusals within this time are one row. */
const COUNTED_FOR_MS = MINUTE_MS
/** Different refusals in one such time; more are counted together, so that an attack cannot fill the disk. */
const REFUSALS_MAX = 2_000
/** Rows that wait while the database does not answer. */
const WAITING_MAX = 10_000

const rowOf = ({ at, times, ...event }: StoredSecurityEvent) => ({
  at,
  times,
  kind: event.kind,
  actor: event.actor ?? '',
  user_id: event.userId ?? null,
  session_id: event.sessionId ?? null,
  place: event.network ?? '',
  failure: event.failure ?? '',
  target: event.target ?? '',
})

/** Records an event in the transaction of the act itself. */
export const recordSecurity = (db: Db, event: SecurityEvent): Promise<void> =>
  store(db, [{ ...event, at: clock.now(), times: 1 }])

async function store(db: Db, events: readonly StoredSecurityEvent[]): Promise<void> {
  if (events.length > 0) await db.insertInto('security_event').values(events.map(rowOf)).execute()
}

/** Records without making anybody wait: rows are written together each second. */
export interface SecurityLog {
  record(event: SecurityEvent): void
  /** Writes what waits. */
  flush(): Promise<void>
  close(): Promise<void>
}

export function openSecurityLog(db: Db, log: Log): SecurityLog {
  const writer = new SecurityWriter(db, log)
  const timer = setInterval(() => void writer.flush(), WRITE_EVERY_MS)
  timer.unref()
  return {
    record: (event) => writer.record(event),
    flush: () => writer.flush(),
    async close() {
      clearInterval(timer)
      writer.endCounts(Number.POSITIVE_INFINITY)
      await writer.flush()
    },
  }
}

/** A refusal whose repetitions are counted. */
interface Counted {
  readonly event: SecurityEvent
  readonly until: number
  repeated: number
}

class SecurityWriter {
  readonly #db: Db
  readonly #log: Log
  #waiting: StoredSecurityEvent[] = []
  readonly #counted = new Map<string, Counted>()
  #writing: Promise<void> | null = null

  constructor(db: Db, log: Log) {
    this.#db = db
    this.#log = log
  }

  record(event: SecurityEvent): void {
    if (event.failure === undefined) return this.#add(event, 1)
    const isFull = this.#counted.size >= REFUSALS_MAX
    const key = JSON.stringify(rowOf({ ...event, at: 0, times: 0 }))
    const counted = this.#counted.get(key) ?? (isFull ? this.#counted.get('') : undefined)
    if (counted) counted.repeated += 1
    else {
      const kept = isFull ? { kind: event.kind, target: 'further refusals' } : event
      const until = clock.now() + COUNTED_FOR_MS
      this.#counted.set(isFull ? '' : key, { event: kept, until, repeated: 0 })
      this.#add(kept, 1)
    }
  }

  /** Refusals whose minute is over by `now` are written with how often they were repeated. */
  endCounts(now: number): void {
    for (const [key, { event, until, repeated }] of this.#counted) {
      if (until > now) continue
      this.#counted.delete(key)
      if (repeated > 0) this.#add(event, repeated)
    }
  }

  async flush(): Promise<void> {
    await this.#writing
    this.endCounts(clock.now())
    const rows = this.#waiting
    if (rows.length === 0) return
    this.#waiting = []
    this.#writing = store(this.#db, rows).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'the security log could not be written; trying again')
      this.#waiting = [...rows, ...this.#waiting].slice(0, WAITING_MAX)
    })
    await this.#writing
    this.#writing = null
  }

  #add(event: SecurityEvent, times: number): void {
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push({ ...event, at: clock.now(), times })
  }
}

/** The newest events, of one person or all, not older than `since`, ms. */
export async function listSecurityEvents(
  db: Db,
  input: { readonly userId?: UserId | undefined; readonly since: number; readonly limit: number },
) {
  return db
    .selectFrom('security_event')
    .select((eb) => [asNumber(eb, 'at').as('at')])
    .select(['kind', 'actor', 'user_id', 'session_id', 'place', 'failure', 'target', 'times'])
    .where('security_event.at', '>=', int8(input.since))
    .$if(input.userId !== undefined, (query) => query.where('user_id', '=', input.userId!))
    .orderBy('id', 'desc')
    .limit(input.limit)
    .execute()
}

/** When the newest event of a kind was, ms; null: there is none. */
export async function newestSecurityEvent(db: Db, kind: string): Promise<number | null> {
  const found = await db
    .selectFrom('security_event')
    .select((eb) => asNumber(eb, 'at').as('at'))
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.at ?? null
}

const TRIM_ROWS = 5_000

/** Deletes events older than `keptMs`, in small statements. */
export async function trimSecurityEvents(db: Db, keptMs: number): Promise<void> {
  const before = int8(clock.now() - keptMs)
  for (let deleted = TRIM_ROWS; deleted === TRIM_ROWS; ) {
    const { numDeletedRows } = await db
      .deleteFrom('security_event')
      .where('id', 'in', (eb) =>
        eb.selectFrom('security_event').select('id').where('at', '<', before).orderBy('at').limit(TRIM_ROWS),
      )
      .executeTakeFirst()
    deleted = Number(numDeletedRows)
  }
}
