/**
 * Reconciliation: the providers' bills are fetched and held beside the ledger. A difference is for a person
 * to look at.
 */

import { beijingDay, beijingDaySpan, spanOfDay } from '@guildhall/wire/beijing.ts'
import { DAY_MS, HOUR_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../../kit/clock.ts'
import { type Db, transaction } from '../../kit/database/db.ts'
import { accounts, moved, post } from '../../ledger/ledger.ts'
import { PAY_TIMEOUT_MS, type PayWay } from '../../outside/payment/payProvider.ts'
import type { PayDeps } from '../payContext.ts'
import * as rows from './providerBillSql.ts'

export { type Difference, type ExportedLine, ledgerAfter } from './providerBillSql.ts'

/** Bills of a day are ready at ten in Beijing on the next one. */
const READY_AFTER_MS = 10 * HOUR_MS
/** A server that was away catches up so many days. */
const DAYS_BACK = 7
/** Differences are looked for so many days back. */
const LOOKED_BACK_DAYS = 90
/** What one bill lacks may be in that of a day near it. */
const DAYS_AROUND = 2
/** More days than a year has are looked at another time. */
const DAYS_AT_ONCE = 1_000
/** A bill may be large. */
const BILL_TIMEOUT_MS = 4 * PAY_TIMEOUT_MS

type Deps = Pick<PayDeps, 'providers' | 'log'> & { readonly appContext: { readonly db: Db } }

/** Whether the bill of a day can be had by now. */
export function isBillReady(day: string): boolean {
  const span = beijingDaySpan(day)
  return span !== null && clock.now() >= span.to + READY_AFTER_MS
}

/**
 * Fetches the bill of a day, keeps it in place of an earlier one, and writes what the provider keeps into the
 * ledger, once. How many lines it has; 0 for a day without trade.
 * @throws PayFailed
 */
export async function reconcileDay(deps: Deps, way: PayWay, day: string): Promise<number> {
  const provider = deps.providers.get(way)
  if (!provider) throw new Error(`${way} is not configured`)
  const lines = (await provider.bill(day, AbortSignal.timeout(BILL_TIMEOUT_MS))) ?? []
  const now = clock.now()
  await transaction(deps.appContext.db, async (tx) => {
    await rows.replaceBill(tx, { way, day, lines, now })
    for (const { ref, order_id, charge } of await rows.charges(tx, way, day))
      await post(tx, {
        kind: 'fee',
        ref,
        orderId: order_id,
        at: now,
        lines: moved(accounts.clearing(way), accounts.fees(way), charge),
      })
    const { from, to } = spanOfDay(day)
    await rows.lookAgain(
      tx,
      way,
      beijingDay(from - DAYS_AROUND * DAY_MS),
      beijingDay(to + DAYS_AROUND * DAY_MS),
    )
  })
  await keepDifferences(deps.appContext.db)
  return lines.length
}

/**
 * Finds and keeps how bills and ledger differ, of days that nobody looked at and of the last ones, in which
 * things may still change.
 */
export async function keepDifferences(db: Db, signal?: AbortSignal): Promise<void> {
  const now = clock.now()
  const due = await rows.daysToLookAt(db, beijingDay(now - DAYS_BACK * DAY_MS), DAYS_AT_ONCE)
  for (const { way, day } of due) {
    if (signal?.aborted) return
    await transaction(db, (tx) => rows.keepDifferences(tx, { way, day, ...spanOfDay(day), now }))
  }
}

/**
 * Fetches the bills of the last days that were not fetched yet. One provider that fails does not hold the
 * other up.
 */
export async function reconcileDue(deps: Deps, signal?: AbortSignal): Promise<void> {
  const now = clock.now()
  const days = Array.from({ length: DAYS_BACK }, (_, n) => beijingDay(now - (n + 1) * DAY_MS)).reverse()
  for (const way of deps.providers.keys())
    try {
      const known = await rows.comparedDays(deps.appContext.db, way, days[0] ?? beijingDay(now))
      for (const day of days) {
        if (signal?.aborted) return
        if (!known.has(day) && isBillReady(day)) await reconcileDay(deps, way, day)
      }
    } catch (error) {
      deps.log.warn({ err: error, way }, 'a bill was not fetched; it will be asked for again')
    }
  await keepDifferences(deps.appContext.db, signal)
}

/** The differences of the last months, the newest first. */
export const differencesOf = (db: Db, limit: number): Promise<readonly rows.Difference[]> =>
  rows.differences(db, beijingDay(clock.now() - LOOKED_BACK_DAYS * DAY_MS), limit)
