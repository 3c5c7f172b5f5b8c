/** What paying needs of the rest of the server. */
import type { Live } from '../kit/events.ts'
import type { Jobs } from '../kit/jobs.ts'
import type { Log } from '../kit/log.ts'
import type { ProductKinds } from '../order/order.ts'
import type { PayProvider, PayWay, WhyBad } from '../outside/payProvider.ts'
import type { Doubt } from './cases.ts'

/** What is counted. */
export interface PayCounts {
  /** A message to a notify address that was not taken. */
  refused(way: PayWay, why: WhyBad | Doubt): void
  /** A payment was taken. */
  settled(way: PayWay): void
}

export interface PayDeps {
  readonly live: Live
  readonly jobs: Pick<Jobs, 'send' | 'wake'>
  readonly kinds: ProductKinds
  readonly providers: ReadonlyMap<PayWay, PayProvider>
  readonly log: Log
  readonly counts: PayCounts
}
