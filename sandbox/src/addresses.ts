import { clock } from '@guildhall/server/kit/clock.ts'
import { ids } from '@guildhall/server/kit/ids.ts'
import type { Millis } from '@guildhall/wire/unit.ts'

/** What is at addresses that count for a while: bills. */
export class Addresses<T> {
  readonly #livesMs: Millis
  readonly #known = new Map<string, { readonly what: T; readonly until: Millis }>()

  constructor(livesMs: Millis) {
    this.#livesMs = livesMs
  }

  /** The token of a new address. */
  add(what: T): string {
    const token = ids.token()
    for (const [old, { until }] of this.#known) if (until < clock.now()) this.#known.delete(old)
    this.#known.set(token, { what, until: clock.now() + this.#livesMs })
    return token
  }

  /** Null: there is none, or it is too old. */
  find(token: string): T | null {
    const found = this.#known.get(token)
    return found && found.until >= clock.now() ? found.what : null
  }
}
