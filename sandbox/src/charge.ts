/** A charge by a contract, as both providers make it. */
import type { Contract } from './contractStore.ts'
import type { DialogueDeps } from './dialogue.ts'
import type { NewTrade, Trade } from './tradeStore.ts'

export interface Charge {
  readonly trade: Omit<NewTrade, 'scene' | 'returnUrl'>
  /** The contract as it is once the charge is paid. */
  readonly charged: Contract
  /** The provider's own rules. @throws what the provider answers */
  check(): void
  /** `other`: the number is of another charge; `poor`: the person has no money. */
  refusal(why: 'paid' | 'other' | 'poor'): Error
}

/** The trade, paid; null: it is taken, and the bank takes its time. @throws what the charge refuses with */
export function charge({ store, contracts, faults, notify }: DialogueDeps, input: Charge): Trade | null {
  const before = store.find(input.trade)
  if (before?.state === 'paid') throw input.refusal('paid')
  if (before && (before.fee !== input.trade.fee || before.state === 'closed')) throw input.refusal('other')
  input.check()
  if (faults.charges === 'refuse') throw input.refusal('poor')
  const trade = before ?? store.make({ ...input.trade, scene: 'contract', returnUrl: '' })
  if (faults.charges === 'fail') return null
  const paid = store.pay(trade)
  contracts.write(input.charged)
  notify(paid, null)
  return paid
}
