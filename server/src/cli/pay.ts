/** What commands need that change orders and payments. */

import { openPayProviders } from '../app/adapters/payProviders.ts'
import { kindsOf } from '../app/payments.ts'
import { openLog } from '../kit/log.ts'
import type { PayDeps } from '../pay/pay.ts'
import type { CommandContext } from './command.ts'
import { withJobs } from './jobs.ts'

/** Runs `use` with what `pay` needs. Its jobs are done by a running server. */
export const withPay = <T>(
  { appContext, config, database }: CommandContext,
  use: (deps: PayDeps) => Promise<T>,
): Promise<T> =>
  withJobs(database, async (jobs) =>
    use({
      // Commands begin no payments and take no messages.
      renewing: null,
      appContext,
      jobs,
      kinds: kindsOf({ appContext, jobs }),
      providers: await openPayProviders(config),
      log: openLog('quiet', process.stderr),
      counts: { refused: () => undefined, settled: () => undefined },
    }),
  )
