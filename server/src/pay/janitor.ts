/** Drives every order to an end: asks providers for what nobody told, closes what is over, repeats what failed. */

import { isPayable } from '@guildhall/wire/order/state.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import { commit } from '../kit/events.ts'
import { expiredOrders, lockOrder, takeStep, ungrantedOrders } from '../order/order.ts'
import { driveTrade, grantOrder, type PayDeps, refundPayment } from './pay.ts'
import * as rows from './sql.ts'

const AT_ONCE = 50
/** Notifications of a payment at the last second are waited for. */
const GRACE_MS = 30 * SECOND_MS
/** A paid order that was not granted for so long has lost its job. */
const UNGRANTED_AFTER_MS = 60 * SECOND_MS

/** Does all that is due now. One thing that fails does not hold the others up. */
export async function settleOpen(deps: PayDeps, signal?: AbortSignal): Promise<void> {
  await each(
    deps,
    signal,
    () => rows.toQuery(deps.live.db, clock.now(), AT_ONCE),
    (it) => driveTrade(deps, it),
  )
  await each(
    deps,
    signal,
    () => expiredOrders(deps.live.db, clock.now() - GRACE_MS, AT_ONCE),
    (id) => expireOrder(deps, id),
  )
  await once(deps, await ungrantedOrders(deps.live.db, clock.now() - UNGRANTED_AFTER_MS, AT_ONCE), (id) =>
    grantOrder(deps, id),
  )
  await each(
    deps,
    signal,
    () => rows.dueRefunds(deps.live.db, clock.now(), AT_ONCE),
    (id) => refundPayment(deps, id),
  )
}

/** Until nothing is due any more. What is taken moves its next turn, so that this ends. */
async function each<T>(
  deps: PayDeps,
  signal: AbortSignal | undefined,
  find: () => Promise<readonly T[]>,
  act: (it: T) => Promise<unknown>,
): Promise<void> {
  for (let rounds = 0; rounds < 100 && !signal?.aborted; rounds++) {
    const found = await find()
    await once(deps, found, act)
    if (found.length < AT_ONCE) return
  }
}

async function once<T>(deps: PayDeps, found: readonly T[], act: (it: T) => Promise<unknown>): Promise<void> {
  for (const it of found)
    try {
      await act(it)
    } catch (error) {
      deps.log.warn({ err: error }, 'an order could not be driven on; trying again')
    }
}

/** Closes an order that nobody paid in time. Its begun payments are asked for and closed at their providers. */
const expireOrder = (deps: PayDeps, orderId: string): Promise<void> =>
  commit(deps.live, async (tx, emit) => {
    const order = await lockOrder(tx, orderId)
    if (!order || !isPayable(order.state) || order.expires_at > clock.now()) return
    await takeStep(tx, emit, order, { step: 'close', actor: 'server', note: 'expired' })
    await rows.querySoon(tx, orderId, clock.now())
  })
