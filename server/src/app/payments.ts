/** What is sold, and who is paid. */
import { buffKind } from '../buff/buff.ts'
import { buffRoutes } from '../buff/routes.ts'
import type { Live } from '../kit/events.ts'
import type { Binding } from '../kit/http/binding.ts'
import type { Jobs } from '../kit/jobs.ts'
import type { Log } from '../kit/log.ts'
import { orderRoutes } from '../order/routes.ts'
import type { PayProvider, PayWay } from '../outside/payProvider.ts'
import type { PayDeps } from '../pay/pay.ts'
import { payRoutes } from '../pay/routes.ts'

/** Everything that can be sold, by the name of its kind. */
export const KINDS = new Map([buffKind].map((kind) => [kind.name, kind]))

/** The calls of buying. Without providers orders are placed and nobody can pay them. */
export function purchaseRoutes(it: {
  readonly live: Live
  readonly jobs: Jobs
  readonly log: Log
  readonly providers: ReadonlyMap<PayWay, PayProvider>
}): Binding[] {
  const pay: PayDeps = {
    ...{ live: it.live, jobs: it.jobs, log: it.log, kinds: KINDS, providers: it.providers },
    counts: { refused: () => undefined, settled: () => undefined },
  }
  return [
    ...orderRoutes({ db: it.live.db, kinds: KINDS }),
    ...payRoutes({ pay, weixin: null, inBrowser: false }),
    ...buffRoutes({ db: it.live.db, browserWays: [] }),
  ]
}
