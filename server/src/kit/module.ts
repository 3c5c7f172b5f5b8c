/**
 * What a noun brings to the server: `<noun>/module.ts` makes a `Module` of the parts below the nouns, and of
 * what it asks of other nouns.
 * `app/modules.ts` lists them. Decision 98.
 */
import type { Schema } from '@guildhall/wire/schema.ts'
import type { Config } from '../config.ts'
import type { Keys } from './crypto/keys.ts'
import type { Database } from './database/db.ts'
import type { AppContext } from './events/events.ts'
import type { Binding } from './http/binding.ts'
import type { Endpoint, Page } from './http/endpoints.ts'
import type { Dress } from './http/screens.ts'
import type { JobHandler, JobKind, Jobs } from './jobs.ts'
import type { Limits } from './limits/rateLimit.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { SecurityLog } from './securityLog.ts'

/** The parts below the nouns, of one running server. Time and names are imported: `clock.ts`, `ids.ts`. */
export interface ModuleContext {
  readonly config: Config
  /** They seal what is stored. */
  readonly keys: Keys
  readonly appContext: AppContext
  readonly jobs: Jobs
  /** Runs statements that may take hours, on a connection of their own. */
  readonly alone: Database['alone']
  readonly limits: Limits
  readonly log: Log
  readonly metrics: Metrics
  readonly security: SecurityLog
  /** The folder of the built page; it may be missing. */
  readonly webDir: string
  /** Writes what the operator's is into its pages; absent: they are sent as they are. */
  readonly dress?: Dress | undefined
}

/** What a noun brings; whatever it has none of is absent. */
export interface Module {
  readonly routes?: readonly Binding[]
  readonly pages?: readonly Page[]
  readonly endpoints?: readonly Endpoint[]
  /** Jobs that it sends, or that earlier nouns send for it. */
  readonly jobs?: readonly Work[]
  readonly schedules?: readonly Schedule[]
  /**
   * Runs on every node at once and every minute, and must bear being done twice at once:
   * `app/everyMinute.ts`.
   */
  readonly everyMinute?: readonly ((signal: AbortSignal, isFirst: boolean) => Promise<void>)[]
  /**
   * Begins what is none of these, when the gateway is open. The answer ends it, when connections were let go
   * and calls are still answered.
   */
  readonly start?: () => () => unknown
  /** Resolves when nothing is under way in the background. Waited for when calls are no longer answered. */
  readonly settled?: () => Promise<void>
  /** Closes what it has opened, after everything else has ended. */
  readonly close?: () => void
}

/** A kind of job with what runs it. */
export type Work = (jobs: Pick<Jobs, 'work'>) => Promise<void>

export const work =
  <S extends Schema>(kind: JobKind<S>, handler: JobHandler<S>): Work =>
  (jobs) =>
    jobs.work(kind, handler)

/**
 * Work that returns by itself: one run at a time among all nodes. A run that is late by half a minute bothers
 * nobody.
 */
export interface Schedule {
  /** Letters, digits and dashes: the name of its queue. */
  readonly name: string
  /** When, as cron says it, UTC. */
  readonly cron: string
  /** Whether it also runs when a node starts. */
  readonly atStart?: boolean
  readonly run: (signal: AbortSignal) => Promise<unknown>
}

export const EVERY_MINUTE = '* * * * *'
export const EVERY_TEN_MINUTES = '*/10 * * * *'
export const HOURLY = '7 * * * *'

/** Works batch by batch until one has done nothing; other work runs in between. */
export async function untilNone(batch: () => Promise<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await batch()) > 0) await new Promise(setImmediate)
}
