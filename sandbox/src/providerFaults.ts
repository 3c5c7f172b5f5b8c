/** What is wrong with the sandbox's providers: slow, busy, silent. Ends with the process. */
import { setTimeout as wait } from 'node:timers/promises'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import type { ControlInput } from './control.ts'

type Calls = NonNullable<ControlInput['calls']>

export class ProviderFaults {
  /** Refunds that the merchant asks for wait until somebody settles them. */
  refundsWait = false
  /** What becomes of charges by contracts: paid, taken and not paid, or refused. */
  charges: 'pay' | 'fail' | 'refuse' = 'pay'
  /** Charges cannot be announced. */
  noticesFail = false
  readonly #ofCalls = new Map<PayWay, { readonly calls: Calls; left: number }>()

  /** The next calls of a way. */
  set(calls: Calls): void {
    if (calls.times === 0) this.#ofCalls.delete(calls.way)
    else this.#ofCalls.set(calls.way, { calls, left: calls.times })
  }

  /** How the next call of a way ends; waits first where the provider is slow. */
  async meet(way: PayWay): Promise<'answer' | 'busy' | 'hang up' | 'lost answer'> {
    const fault = this.#ofCalls.get(way)
    if (!fault) return 'answer'
    fault.left -= 1
    if (fault.left === 0) this.#ofCalls.delete(way)
    if (fault.calls.slowMs) await wait(fault.calls.slowMs, undefined, { ref: false })
    return fault.calls.end ?? 'answer'
  }
}
