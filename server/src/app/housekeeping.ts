/** Periodic jobs: removes what nothing needs any more, and indexes members for the name search. */
import { HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { Assets } from '../asset/asset.ts'
import type { Auth } from '../auth/auth.ts'
import { JOURNAL_STORED_MS, trimJournals } from '../gateway/handoff/sessionStore.ts'
import { indexSomeMembers } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/db.ts'
import { EVENTS_KEPT_MS, trimEvents } from '../kit/events.ts'
import type { Log } from '../kit/log.ts'
import { deleteExpiredEphemeral } from '../message/ephemeral.ts'

export interface HousekeepingDeps {
  readonly db: Db
  readonly assets: Pick<Assets, 'sweep'>
  readonly auth: Pick<Auth, 'forgetOld'>
  readonly log: Log
}

/** Sweeps uploads and indexes members at once, then every hour and every minute. `close` stops the timers. */
export class Housekeeping {
  readonly #deps: HousekeepingDeps
  readonly #timers: readonly NodeJS.Timeout[]
  #sweeping: Promise<unknown>
  #indexing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(deps: HousekeepingDeps) {
    this.#deps = deps
    this.#sweeping = this.#sweepUploads()
    this.#indexMembers()
    this.#timers = [
      setInterval(() => this.#hourly(), HOUR_MS).unref(),
      setInterval(() => this.#everyMinute(), MINUTE_MS).unref(),
    ]
  }

  /** Starts no further job. */
  close(): void {
    this.#isClosed = true
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** Resolves when the jobs that write to disk or in batches have ended. */
  async settled(): Promise<void> {
    await Promise.all([this.#sweeping, this.#indexing])
  }

  #hourly(): void {
    const { db, auth } = this.#deps
    this.#sweeping = this.#sweepUploads()
    auth.forgetOld().catch(this.#warn('old codes and attempts were not removed'))
    Promise.all([trimEvents(db, EVENTS_KEPT_MS), deleteExpiredEphemeral(db)]).catch(
      this.#warn('old events were not removed'),
    )
  }

  #everyMinute(): void {
    this.#indexMembers()
    trimJournals(this.#deps.db, clock.now() - JOURNAL_STORED_MS).catch(
      this.#warn('old journals of the line were not removed'),
    )
  }

  #sweepUploads(): Promise<unknown> {
    return this.#deps.assets.sweep().catch(this.#warn('leftovers of uploads were not removed'))
  }

  /** Members without search keys get them, batch by batch, yielding to other work in between. */
  #indexMembers(): void {
    this.#indexing = this.#indexing
      .then(async () => {
        while (!this.#isClosed && (await indexSomeMembers(this.#deps.db)) > 0) await new Promise(setImmediate)
      })
      .catch(this.#warn('some members cannot be found by name yet'))
  }

  #warn(text: string): (error: unknown) => void {
    return (error) => this.#deps.log.warn({ err: error }, text)
  }
}
