/**
 * Drives every order to an end: asks providers for what nobody told, closes what is over, repeats what
 * failed.
 */

import { isPayable } from '@guildhall/wire/order/state.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import { commit } from '../kit/events/events.ts'
import { expiredOrders, lockOrder, takeStep, ungrantedOrders } from '../order/order.ts'
import { PAY_WAYS } from '../outside/payment/payProvider.ts'
import { grantOrder } from './grant.ts'
import type { PayDeps } from './payContext.ts'
import { advanceTrade } from './query.ts'
import { refundPayment } from './refund/refundSettle.ts'
import * as rows from './sql.ts'

const AT_ONCE = 50
const ROUNDS_MAX = 100
/** How many calls of one sort a provider gets at the same time. */
const CALLS_AT_ONCE = 4
/** No call begins after this: what is left is for the next run, after the parts that need no provider. */
const CALLS_FOR_MS = 45 * SECOND_MS
/** Notifications of a payment at the last second are waited for. */
const GRACE_MS = 30 * SECOND_MS
/** A paid order that was not granted for so long has lost its job. */
const UNGRANTED_AFTER_MS = 60 * SECOND_MS

export interface SettleOptions {
  readonly signal?: AbortSignal
  /** The server has just begun: nobody waits for the jobs of the process before it. */
  readonly isStart?: boolean
}

/**
 * Does all that is due now. Neither a thing that fails nor a provider that does not answer holds the others
 * up. Several may run at the same time: each thing is taken once.
 */
export async function settleOpen(deps: PayDeps, input: SettleOptions = {}): Promise<void> {
  const { db } = deps.appContext
  const stop = input.signal ?? new AbortController().signal
  const quietMs = input.isStart ? 0 : UNGRANTED_AFTER_MS
  await throughAll(
    { deps, stop },
    (after) => ungrantedOrders(db, { now: clock.now(), quietMs }, after, AT_ONCE),
    (id) => grantOrder(deps, id),
  )
  const calls = { deps, stop: AbortSignal.any([stop, AbortSignal.timeout(CALLS_FOR_MS)]) }
  await Promise.all(
    PAY_WAYS.flatMap((way) => [
      untilNoneIsDue(
        calls,
        () => rows.toQuery(db, way, clock.now(), AT_ONCE),
        (payment) => advanceTrade(deps, payment),
      ),
      untilNoneIsDue(
        calls,
        () => rows.dueRefunds(db, way, clock.now(), AT_ONCE),
        (id) => refundPayment(deps, id),
      ),
    ]),
  )
  // Last: what was paid in time, and nobody told, has been asked for.
  await throughAll(
    { deps, stop },
    (after) => expiredOrders(db, clock.now() - GRACE_MS, after, AT_ONCE),
    (id) => expireOrder(deps, id),
  )
}

interface Run {
  readonly deps: PayDeps
  /** Nothing is begun after it. */
  readonly stop: AbortSignal
}

/**
 * All of a list that is read in parts, in the order of its ids. What fails stays in the list, and is passed.
 */
async function throughAll(
  run: Run,
  find: (after: string) => Promise<readonly string[]>,
  act: (id: string) => Promise<unknown>,
): Promise<void> {
  for (let after = '0'; !run.stop.aborted; ) {
    const found = await find(after)
    await each(run, found, 1, act)
    if (found.length < AT_ONCE) return
    after = found.at(-1)!
  }
}

/** Until nothing is due any more. What is taken moves its next turn, so that this ends. */
async function untilNoneIsDue<T>(
  run: Run,
  find: () => Promise<readonly T[]>,
  act: (it: T) => Promise<unknown>,
): Promise<void> {
  for (let rounds = 0; rounds < ROUNDS_MAX && !run.stop.aborted; rounds++) {
    const found = await find()
    await each(run, found, CALLS_AT_ONCE, act)
    if (found.length < AT_ONCE) return
  }
}

/** Some at a time. One that fails does not hold the others up. */
async function each<T>(
  { deps, stop }: Run,
  found: readonly T[],
  atOnce: number,
  act: (it: T) => Promise<unknown>,
): Promise<void> {
  const left = found.values()
  const lane = async () => {
    for (const it of left) {
      if (stop.aborted) return
      try {
        await act(it)
      } catch (error) {
        deps.log.warn({ err: error }, 'an order could not be driven on; trying again')
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

/**
 * Closes an order that nobody paid in time. Its begun payments are asked for and closed at their providers.
 */
const expireOrder = (deps: PayDeps, orderId: string): Promise<void> =>
  commit(deps.appContext, async (tx, emit) => {
    const order = await lockOrder(tx, orderId)
    if (!order || !isPayable(order.state) || order.expires_at > clock.now()) return
    await takeStep(tx, emit, order, { step: 'close', actor: 'server', note: 'expired' })
    await rows.querySoon(tx, orderId, clock.now())
  })
