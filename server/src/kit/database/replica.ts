/**
 * Reads on a streaming replica that see everything which was committed before they began, on whatever node:
 * what somebody has just sent is in the history that they open. Decision 134.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@guildhall/wire/failure.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { type Batcher, openBatcher } from '../batch.ts'
import { hasSecret, readSecret } from '../crypto/secrets.ts'
import type { ReplicaMetrics } from '../metrics/database.ts'
import { type Database, type Db, openDatabase } from './db.ts'

/** A read waits so long for what was committed before it; then it runs on the primary, ms. */
const LATE_MS = 100
const LOOK_EVERY_MS = 4
/** A replica that failed is left alone for so long, ms. */
const REST_MS = SECOND_MS
const CONNECT_MS = 500
/** What takes longer is asked of the primary, while its caller still waits (chat.md §9), ms. */
const STATEMENT_MS = 2 * SECOND_MS
const ANSWER_MS = STATEMENT_MS + 500

/** Where a read runs: on the replica when it may, else on the primary. */
export interface Replica {
  /** Runs queries that only read. They may run twice, first on the replica and then on the primary. */
  run<T>(query: (db: Db) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Where rules read. Without a replica: from the primary. */
export interface Readers {
  readonly db: Db
  readonly replica?: Replica | undefined
}

/**
 * Runs queries that only read, on a replica that has everything which was committed before, or on the
 * primary.
 */
export const readAnywhere = <T>({ db, replica }: Readers, query: (db: Db) => Promise<T>): Promise<T> =>
  replica ? replica.run(query) : query(db)

export interface ReplicaOptions {
  readonly url: string
  readonly primary: Db
  readonly metrics: ReplicaMetrics
  readonly log: {
    warn(entry: { readonly err: Error & { readonly code?: string } }, text: string): void
    info(text: string): void
  }
  readonly max?: number
}

/** Opens a pool of connections to a replica; it may be away. */
export const openReplica = (options: ReplicaOptions): Replica => new CheckedReplica(options)

/** How far the primary is. */
interface Position {
  /** Everything that was committed is before it. */
  readonly lsn: string
  /** When this primary was started, which no other one was. */
  readonly since: string
}

/** The replica has not got what was committed, though it works. */
class Late extends Error {
  constructor() {
    super(`the replica is more than ${LATE_MS} ms late`)
  }
}

class CheckedReplica implements Replica {
  readonly #options: ReplicaOptions
  readonly #database: Database
  /** Reads of one turn share a question, and never one that was asked before they began. */
  readonly #positions: Batcher<null, Position | null>
  readonly #mark: PrimaryMark
  #isResting = false
  /** When it failed last or was tried again, ms. */
  #triedAt = 0

  constructor(options: ReplicaOptions) {
    this.#options = options
    this.#database = openDatabase({
      connection: { url: options.url },
      ...(options.max !== undefined && { max: options.max }),
      connectWithinMs: CONNECT_MS,
      statementWithinMs: STATEMENT_MS,
      answerWithinMs: ANSWER_MS,
    })
    this.#mark = new PrimaryMark(options.primary)
    this.#positions = openBatcher({
      run: async (reads) => {
        const position = await positionOf(options.primary).catch(() => null)
        return reads.map(() => position)
      },
      keyOf: () => '',
      most: Number.MAX_SAFE_INTEGER,
      lanes: 1,
    })
  }

  async run<T>(query: (db: Db) => Promise<T>): Promise<T> {
    const { primary, metrics } = this.#options
    if (this.#isResting) this.#tryAgain()
    if (this.#isResting || this.#isFull()) {
      metrics.read(this.#isResting ? 'resting' : 'full')
      return query(primary)
    }
    try {
      const answer = await this.#onReplica(query)
      metrics.read('replica')
      return answer
    } catch (error) {
      if (error instanceof Failure) {
        metrics.read('replica')
        throw error
      }
      const answer = await query(primary)
      // A query that fails there, too, says nothing of the replica.
      metrics.read(error instanceof Late ? 'late' : 'away')
      this.#rest(error as Error)
      return answer
    }
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  async #onReplica<T>(query: (db: Db) => Promise<T>): Promise<T> {
    const position = await this.#positions.submit(null)
    if (!position) throw new Error('the primary does not say how far it is')
    const mark = await this.#mark.of(position)
    const startedAt = performance.now()
    const waited = () => performance.now() - startedAt
    // A proxy keeps a transaction on one server, whatever it does between two of them.
    const reading = this.#database.db.transaction().setIsolationLevel('read committed')
    for (;;) {
      const found = await reading.setAccessMode('read only').execute(async (tx) => {
        if (!(await hasReached(tx, position, mark))) return null
        this.#options.metrics.waited(waited() / SECOND_MS)
        return { answer: await query(tx) }
      })
      if (found) return found.answer
      if (waited() > LATE_MS) throw new Late()
      // Outside of a transaction: what is replayed may wait for the end of one that has looked at it.
      await sleep(LOOK_EVERY_MS)
    }
  }

  /** Every connection is in use, and a further read would wait for one. */
  #isFull(): boolean {
    const { totalCount, idleCount, waitingCount, options } = this.#database.pool
    return totalCount >= options.max && waitingCount >= idleCount
  }

  #rest(error: Error): void {
    this.#triedAt = performance.now()
    if (this.#isResting) return
    this.#isResting = true
    this.#options.log.warn({ err: error }, 'the replica is left alone, and the primary is read')
  }

  /** No read waits for a replica that failed. */
  #tryAgain(): void {
    const now = performance.now()
    if (now - this.#triedAt < REST_MS) return
    this.#triedAt = now
    this.#onReplica(async () => undefined).then(
      () => {
        this.#isResting = false
        this.#options.log.info('the replica is read again')
      },
      () => undefined,
    )
  }
}

/**
 * What is asked of the primary before a read. A commit is visible there after its record was flushed, and
 * where it does not wait for that, after its record was written.
 */
async function positionOf(primary: Db): Promise<Position> {
  const { rows } = await sql<Position>`
    select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
        else pg_current_wal_flush_lsn() end)::text as lsn,
      extract(epoch from pg_postmaster_start_time())::text as since`.execute(primary)
  return rows[0]!
}

/**
 * A row that is written on each primary once, since it was started. A replica that shows it follows this
 * primary: positions of a former one, of another branch of it and of a restored copy mean nothing.
 */
class PrimaryMark {
  readonly #primary: Db
  #since = ''
  #value: Promise<Buffer> | null = null

  constructor(primary: Db) {
    this.#primary = primary
  }

  async of({ since }: Position): Promise<Mark> {
    const name = `primary ${since}`
    if (since !== this.#since || !this.#value) {
      this.#since = since
      this.#value = readSecret(this.#primary, name)
      this.#value.catch(() => {
        this.#since = ''
      })
    }
    return { name, value: await this.#value }
  }
}

interface Mark {
  readonly name: string
  readonly value: Buffer
}

/** Whether a replica has everything before a position of the primary with this mark. */
async function hasReached(replica: Db, { lsn }: Position, { name, value }: Mark): Promise<boolean> {
  const { rows } = await sql<{ isReplica: boolean; isThere: boolean }>`
    select pg_is_in_recovery() as "isReplica",
      pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn and ${hasSecret(name, value)} as "isThere"`.execute(replica)
  if (!rows[0]!.isReplica) throw new Error('DATABASE_READ_URL leads to a primary')
  return rows[0]!.isThere
}
