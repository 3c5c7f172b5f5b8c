/** How the sandbox's providers feel: slow, busy, silent. Ends with the process. */
import { setTimeout as wait } from 'node:timers/promises'
import type { PayWay } from '@guildhall/server/outside/payment/payProvider.ts'
import type { ControlInput } from './control.ts'

type Calls = NonNullable<ControlInput['calls']>

export interface ProviderFaults {
  /** Refunds that the merchant asks for wait until somebody settles them. */
  refundsWait: boolean
  /** What becomes of charges by contracts: paid, taken and not paid, or refused. */
  charges: 'pay' | 'fail' | 'refuse'
  /** Charges cannot be announced. */
  noticesFail: boolean
  /** The next calls of a way. */
  set(calls: Calls): void
  /** How the next call of a way ends; waits first where the provider is slow. */
  meet(way: PayWay): Promise<'answer' | 'busy' | 'hang up' | 'lost answer'>
}

export function openProviderFaults(): ProviderFaults {
  const faults = new Map<PayWay, { readonly calls: Calls; left: number }>()
  return {
    refundsWait: false,
    charges: 'pay',
    noticesFail: false,
    set(calls) {
      if (calls.times === 0) faults.delete(calls.way)
      else faults.set(calls.way, { calls, left: calls.times })
    },
    async meet(way) {
      const mood = faults.get(way)
      if (!mood) return 'answer'
      mood.left -= 1
      if (mood.left === 0) faults.delete(way)
      if (mood.calls.slowMs) await wait(mood.calls.slowMs, undefined, { ref: false })
      return mood.calls.end ?? 'answer'
    },
  }
}
