/**
 * Events between a guild and its lines. They wait here until the sockets are written to, and then each line takes all
 * of them at once: a line's memory is fetched once a round and not once an event, which is most of what a delivery
 * costs in a crowd. Nobody can tell: before a line is asked anything, `settle` hands it what it has coming.
 */
import type { GuildId } from '@guildhall/wire/id.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import type { Session } from '../session.ts'
import { HeldEvents } from './eventPool.ts'
import type { SharedEvent } from './frames.ts'

/** An event that is written when somebody hears it, in each dialect once. */
export interface Tellable {
  in(dialect: NumberDialect): SharedEvent
}

/** Events of one guild, one after the other, for the same lines. */
interface Run {
  /** Grows at its end only; those that came after the events do not hear them. */
  readonly sessions: readonly Session[]
  readonly count: number
  readonly guildId: GuildId
  readonly tellings: Tellable[]
  /** When each was sent, ms. */
  readonly times: number[]
}

/** More than this does not wait: a line has to hear in time that it is too slow. */
const WAITING_MAX = 256
const WAITING_MAX_BYTES = 64 * 1024

export class Deliveries {
  readonly held = new HeldEvents()
  readonly #wake: () => void
  readonly #failed: (error: unknown) => void
  #runs: Run[] = []
  #waiting = 0
  #bytes = 0

  /** `wake`: something waits, and has to be settled before sockets are next written to. */
  constructor(wake: () => void, failed: (error: unknown) => void) {
    this.#wake = wake
    this.#failed = failed
  }

  /** Hands an event to lines, in order with all others. Whoever is in `sessions` now hears it; the list may grow. */
  add(sessions: readonly Session[], telling: Tellable, now: number, guildId: GuildId): void {
    const [first] = sessions
    if (!first) return
    this.#bytes += sizeOf(telling, first.dialect)
    const last = this.#runs.at(-1)
    if (last?.sessions === sessions && last.count === sessions.length && last.guildId === guildId) {
      last.tellings.push(telling)
      last.times.push(now)
    } else {
      this.#runs.push({ sessions, count: sessions.length, guildId, tellings: [telling], times: [now] })
    }
    this.#waiting += 1
    if (this.#waiting === WAITING_MAX || this.#bytes > WAITING_MAX_BYTES) this.settle()
    else if (this.#waiting === 1) this.#wake()
  }

  /** Every line has what was handed to it. */
  readonly settle = (): void => {
    if (this.#waiting === 0) return
    const runs = this.#runs
    this.#runs = []
    this.#waiting = 0
    this.#bytes = 0
    for (const run of runs) this.#deliver(run)
  }

  #deliver(run: Run): void {
    const kept = new Map<NumberDialect, readonly number[]>()
    for (let index = 0; index < run.count; index += 1) {
      const session = run.sessions[index]!
      let numbers = kept.get(session.dialect)
      if (!numbers) {
        numbers = this.#keep(run, session.dialect)
        kept.set(session.dialect, numbers)
      }
      session.take(numbers, run.guildId)
    }
    for (const numbers of kept.values()) for (const number of numbers) this.held.release(number)
  }

  /** What cannot be written in one dialect is still heard in the other. */
  #keep({ tellings, times }: Run, dialect: NumberDialect): readonly number[] {
    const numbers: number[] = []
    tellings.forEach((telling, index) => {
      try {
        numbers.push(this.held.keep(telling.in(dialect), times[index]!))
      } catch (error) {
        this.#failed(error)
      }
    })
    return numbers
  }
}

/** Nothing when it cannot be written: that is told when somebody should hear it. */
function sizeOf(telling: Tellable, dialect: NumberDialect): number {
  try {
    return telling.in(dialect).size
  } catch {
    return 0
  }
}
