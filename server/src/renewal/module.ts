/** What the server has of renewals: their calls, what drives them, and the messages of Apple. */
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import { type Module, type ModuleContext, work } from '../kit/module.ts'
import type { AppleSubscriptions } from '../outside/payment/apple/appleSubscriptions.ts'
import { notifyEndpoint, type PayDeps } from '../pay/pay.ts'
import { acceptAppleNotification, advanceRenewal, advanceRenewalJob, advanceRenewals } from './renewal.ts'
import { renewalRoutes } from './routes.ts'
import { outcomesSince } from './sql.ts'

/** `apple` null: no subscription at Apple is shown. */
export function renewalModule(
  { appContext: { db }, metrics }: ModuleContext,
  pay: PayDeps,
  apple: AppleSubscriptions | null,
): Module {
  const { refused } = metrics.pay
  metrics.pay.watchRenewals(() => outcomesSince(db, clock.now() - DAY_MS))
  const taking = { ...pay, counts: { refused } }
  return {
    routes: renewalRoutes(pay),
    endpoints: apple
      ? [notifyEndpoint('apple', ({ body }) => acceptAppleNotification(taking, apple, body))]
      : [],
    jobs: [work(advanceRenewalJob, ({ renewal_id }) => advanceRenewal(pay, renewal_id))],
    everyMinute: [(signal) => advanceRenewals(pay, signal)],
  }
}
