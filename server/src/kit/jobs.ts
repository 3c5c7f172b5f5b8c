/**
 * Job queue, kept in PostgreSQL: work that outlives the process, is retried with backoff, and runs on one
 * node at a time. The only file that knows pg-boss. A handler may run twice (a node died after its work and
 * before it said so), so every handler is idempotent.
 */
import type { Out, Schema } from '@guildhall/wire/schema.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { events, fromKysely, getConstructionPlans, type Job, PgBoss } from 'pg-boss'
import { type Connection, type Db, type Pool, type Tx, withConnection } from './database/db.ts'
import type { Log } from './log.ts'

/** The PostgreSQL schema in which the queue keeps its tables. */
const SCHEMA = 'jobs'
/** Handlers under way have this long when the server stops; what is cut off runs again elsewhere. */
const STOP_WITHIN_MS = 10 * SECOND_MS
const RETRY_LIMIT = 8
const RETRY_DELAY_S = 5
const RETRY_DELAY_MAX_S = 15 * 60
const EXPIRES_AFTER_S = 5 * 60
const FAILURES_SHOWN = 20

/**
 * Declares a kind of work: letters, digits and dashes in its name. Nouns export theirs; `work` binds a
 * handler to it.
 */
export interface JobKind<S extends Schema = Schema> {
  readonly name: string
  readonly data: S
  /**
   * How often the queue is looked at, seconds. A job sent by this process is found at once; the rest waits
   * for this.
   */
  readonly pollSeconds: number
  /** At most one job of the kind waits or runs among all nodes; a second one is not queued. */
  readonly isExclusive?: boolean
  /** How often a job that failed is tried again, with backoff, before it counts as failed. Default 8. */
  readonly retries?: number
  /** A run that takes longer than this is taken for dead and tried again, seconds. Default 300. */
  readonly expiresAfterSeconds?: number
  /** How many jobs of the kind run at the same time on a node. Default 1. */
  readonly atOnce?: number
}

export const jobKind = <S extends Schema>(input: JobKind<S>): JobKind<S> => input

/** Ends when the server stops, so that long work can end between two steps. */
export type JobHandler<S extends Schema> = (data: Out<S>, signal: AbortSignal) => Promise<void>

export interface QueueState {
  readonly name: string
  /** Jobs that wait, run, and have failed for good. */
  readonly queued: number
  /** Since when the oldest job waits that could run, ms; null: none does. */
  readonly oldest: number | null
  readonly active: number
  readonly failed: number
}

export interface FailedJob {
  readonly id: string
  readonly queue: string
  readonly data: unknown
  readonly error: string
  /** ms */
  readonly at: number
}

export interface Jobs {
  /** Queues a job. With a `Tx` it exists if and only if that commits; call `wake` after the commit. */
  send<S extends Schema>(
    db: Db | Tx,
    kind: JobKind<S>,
    data: Out<S>,
    options?: { readonly startAfterMs?: number; readonly key?: string },
  ): Promise<void>
  /** Looks at the queue of a kind now. */
  wake(kind: JobKind): void
  /** Runs jobs of a kind on this node, as many at a time as the kind says. */
  work<S extends Schema>(kind: JobKind<S>, handler: JobHandler<S>): Promise<void>
  /** Sends a job at the times of a cron expression (UTC), once among all nodes. */
  schedule<S extends Schema>(kind: JobKind<S>, cron: string, data: Out<S>): Promise<void>
  states(): Promise<QueueState[]>
  /** The newest jobs that failed for good. */
  failures(): Promise<FailedJob[]>
  /** Queues a failed job again. False when there is no such job. */
  retry(queue: string, id: string): Promise<boolean>
  /** Waits for handlers under way, ten seconds at most. */
  close(): Promise<void>
}

/** Makes the queue's tables in a new database, as the first start would. */
export const installJobs = (connection: Connection): Promise<void> =>
  withConnection(connection, async (query) => void (await query(getConstructionPlans(SCHEMA))))

/**
 * `isWorker` false: the process only looks and sends, as the command line does. Its tables are made and
 * brought up to date by workers alone, unless `migrates` says so.
 */
export async function openJobs(input: {
  readonly pool: Pool
  readonly log: Log
  readonly isWorker?: boolean
  readonly migrates?: boolean
}): Promise<Jobs> {
  const isWorker = input.isWorker ?? true
  const boss = new PgBoss({
    schema: SCHEMA,
    db: { executeSql: (text, values) => input.pool.query(text, values) },
    supervise: isWorker,
    schedule: isWorker,
    migrate: input.migrates ?? isWorker,
    registerInstance: false,
  })
  boss.on(events.error, (error) => input.log.warn({ err: error }, 'the job queue could not be asked'))
  boss.on(events.warning, (warning) => input.log.warn({ detail: warning }, 'the job queue warns'))
  await boss.start()
  return new JobQueue(boss, input.pool, input.log)
}

class JobQueue implements Jobs {
  readonly #boss: PgBoss
  readonly #pool: Pool
  readonly #log: Log
  /** The workers of each kind on this node. */
  readonly #workers = new Map<string, string[]>()
  readonly #knownQueues = new Set<string>()
  readonly #stopping = new AbortController()

  constructor(boss: PgBoss, pool: Pool, log: Log) {
    this.#boss = boss
    this.#pool = pool
    this.#log = log
  }

  async send<S extends Schema>(
    db: Db | Tx,
    kind: JobKind<S>,
    data: Out<S>,
    options: { readonly startAfterMs?: number; readonly key?: string } = {},
  ): Promise<void> {
    await this.#ensureQueue(kind)
    await this.#boss.send(kind.name, kind.data.parse(data) as object, {
      db: fromKysely(db),
      ...(options.startAfterMs && { startAfter: Math.ceil(options.startAfterMs / SECOND_MS) }),
      ...(options.key && { singletonKey: options.key }),
    })
    if (!db.isTransaction) this.wake(kind)
  }

  wake(kind: JobKind): void {
    for (const worker of this.#workers.get(kind.name) ?? []) this.#boss.notifyWorker(worker)
  }

  async work<S extends Schema>(kind: JobKind<S>, handler: JobHandler<S>): Promise<void> {
    await this.#ensureQueue(kind)
    const workers: string[] = []
    this.#workers.set(kind.name, workers)
    for (let n = 0; n < (kind.atOnce ?? 1); n += 1)
      workers.push(
        await this.#boss.work<object>(
          kind.name,
          { pollingIntervalSeconds: kind.pollSeconds },
          async ([job]) => {
            if (!job) return
            try {
              await this.#run(kind, handler, job)
            } finally {
              // There may be more of them: the queue is looked at until it is empty.
              this.wake(kind)
            }
          },
        ),
      )
  }

  async schedule<S extends Schema>(kind: JobKind<S>, cron: string, data: Out<S>): Promise<void> {
    await this.#ensureQueue(kind)
    await this.#boss.schedule(kind.name, cron, data as object)
  }

  async states(): Promise<QueueState[]> {
    const { rows } = await this.#pool.query<QueueState>(
      `select queue.name,
         (count(*) filter (where state in ('created', 'retry')))::int as queued,
         (extract(epoch from min(start_after) filter (where state in ('created', 'retry') and start_after <= now()))
           * 1000)::float8 as oldest,
         (count(*) filter (where state = 'active'))::int as active,
         (count(*) filter (where state = 'failed'))::int as failed
       from ${SCHEMA}.queue left join ${SCHEMA}.job using (name)
       where not starts_with(queue.name, '__') group by queue.name order by queue.name`,
    )
    return rows
  }

  async failures(): Promise<FailedJob[]> {
    const { rows } = await this.#pool.query<FailedJob>(
      `select id, name as queue, data, coalesce(output->>'message', output::text) as error,
         (extract(epoch from completed_on) * 1000)::float8 as at
       from ${SCHEMA}.job where state = 'failed' order by completed_on desc limit ${FAILURES_SHOWN}`,
    )
    return rows
  }

  async retry(queue: string, id: string): Promise<boolean> {
    // The library's types leave out what the answer holds.
    const { affected } = (await this.#boss.retry(queue, id)) as { affected: number }
    return affected > 0
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#boss.stop({ graceful: true, close: false, timeout: STOP_WITHIN_MS })
  }

  async #run<S extends Schema>(kind: JobKind<S>, handler: JobHandler<S>, job: Job): Promise<void> {
    try {
      const data = kind.data.parse(job.data) as Out<S>
      await handler(data, AbortSignal.any([job.signal, this.#stopping.signal]))
    } catch (error) {
      this.#log.warn({ err: error, job: kind.name, id: job.id }, 'a job failed')
      throw error
    }
  }

  /** Queues are made when they are first used; several nodes may do so at once. */
  async #ensureQueue(kind: JobKind): Promise<void> {
    if (this.#knownQueues.has(kind.name)) return
    await this.#boss.createQueue(kind.name, {
      policy: kind.isExclusive ? 'exclusive' : 'standard',
      retryLimit: kind.retries ?? RETRY_LIMIT,
      retryDelay: RETRY_DELAY_S,
      retryBackoff: true,
      retryDelayMax: RETRY_DELAY_MAX_S,
      expireInSeconds: kind.expiresAfterSeconds ?? EXPIRES_AFTER_S,
    })
    this.#knownQueues.add(kind.name)
  }
}
