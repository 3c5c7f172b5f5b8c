/** Requests in flight: slow ones are cut off, and closing waits for the rest. */
import type { IncomingMessage } from 'node:http'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { type ChurnItem, ChurnSet } from '../churnCollections.ts'

/** A request that takes longer to arrive is cut off at the next check. An upload may pause this long. */
export const REQUEST_TIMEOUT_MS = 30 * SECOND_MS
const CHECK_EVERY_MS = SECOND_MS

/** A request in flight. `since`: when it began, ms; infinity exempts it from the time limit. */
export interface InFlight extends ChurnItem {
  readonly raw: IncomingMessage
  since: number
}

export class InFlightRequests {
  readonly #requests = new ChurnSet<InFlight>()
  #onEmpty: (() => void) | null = null
  /** One check of all requests costs less than a timer for each. */
  readonly #timer = setInterval(() => this.#cutOffSlow(), CHECK_EVERY_MS).unref()

  get size(): number {
    return this.#requests.size
  }

  add(raw: IncomingMessage): InFlight {
    const request = { slot: -1, raw, since: performance.now() }
    this.#requests.add(request)
    return request
  }

  delete(request: InFlight | undefined): void {
    if (request) this.#requests.delete(request)
    if (this.#requests.size === 0) this.#onEmpty?.()
  }

  /** Resolves when no request is in flight, at the latest after `withinMs`. */
  async whenEmpty(withinMs: number): Promise<void> {
    if (this.#requests.size === 0) return
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve
      setTimeout(resolve, withinMs).unref()
    })
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #cutOffSlow(): void {
    const deadline = performance.now() - REQUEST_TIMEOUT_MS
    for (const { raw, since } of [...this.#requests]) if (since < deadline && !raw.complete) raw.destroy()
  }
}
