/** What paying needs of the rest of the server. */
import type { AppContext } from '../kit/events/events.ts'
import type { Jobs } from '../kit/jobs.ts'
import type { Log } from '../kit/log.ts'
import type { OrderRow, ProductKinds } from '../order/order.ts'
import type {
  ContractFact,
  NewContract,
  PayProvider,
  PayScene,
  PayWay,
  SignedWhen,
  WhyBad,
} from '../outside/payment/payProvider.ts'
import type { Mismatch } from './mismatch.ts'

/** What is counted. */
export interface PayCounts {
  /** A message to a notify address that was not taken. */
  refused(way: PayWay, why: WhyBad | Mismatch): void
  /** A payment was taken. */
  settled(way: PayWay): void
}

/** A contract that is signed with a payment, or before it. */
export interface Signing {
  readonly contract: NewContract
  readonly when: SignedWhen
}

/** What renewals do in paying, which does not know them. */
export interface Renewing {
  /**
   * The contract that comes with an order; null for an order of something that does not renew itself.
   * @throws Failure pay.way, renewal.already
   */
  signingOf(order: OrderRow, way: PayWay, scene: PayScene): Promise<Signing | null>
  /** Takes what a provider says of a contract. True when it is ours. */
  settle(way: PayWay, fact: ContractFact): Promise<boolean>
}

export interface PayDeps {
  /** Null: nothing renews itself. */
  readonly renewing: Renewing | null
  readonly appContext: AppContext
  readonly jobs: Pick<Jobs, 'send' | 'wake'>
  readonly kinds: ProductKinds
  readonly providers: ReadonlyMap<PayWay, PayProvider>
  readonly log: Log
  readonly counts: PayCounts
}
