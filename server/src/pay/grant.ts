/** Granting what was paid. */
import { clock } from '../kit/clock.ts'
import { isUnavailable } from '../kit/database/db.ts'
import { commit } from '../kit/events/events.ts'
import { post } from '../ledger/ledger.ts'
import {
  countGrantTry,
  grantedLines,
  lockOrder,
  notifyReceiver,
  setGranted,
  takeStep,
} from '../order/order.ts'
import { afterFailedGrant, grantLines, type Sold } from './orderRules.ts'
import type { PayDeps } from './payContext.ts'
import { refundPaymentJob } from './payJobs.ts'
import { refundLocked } from './refund/refund.ts'

/**
 * The handler of `grantOrderJob`. An attempt that fails is tried again; in the end the money goes back. While
 * the database is away no attempt is counted.
 */
export async function grantOrder(deps: PayDeps, orderId: string): Promise<void> {
  try {
    await commit(deps.appContext, async (tx, emit) => {
      const order = await lockOrder(tx, orderId)
      if (order?.state !== 'paid') return
      const lines = await grantedLines(tx, deps.kinds, order)
      for (const { kind, name, line } of lines) {
        if (!kind) throw new Error(`there is no product kind ${name}`)
        await kind.grants(tx, emit, line)
      }
      await setGranted(tx, order.id, true)
      await notifyReceiver(deps.appContext, tx, emit, order)
      await takeStep(tx, emit, order, { step: 'grant', actor: 'server' })
      const sold = lines.map(({ name, fee }): Sold => ({ product: name, fee }))
      await post(tx, {
        kind: 'grant',
        ref: order.id,
        orderId: order.id,
        at: clock.now(),
        lines: grantLines(sold),
      })
    })
  } catch (error) {
    if (isUnavailable(error)) throw error
    await failedToGrant(deps, orderId, error)
  }
}

async function failedToGrant(deps: PayDeps, orderId: string, error: unknown): Promise<void> {
  const isOver = await commit(deps.appContext, async (tx, emit) => {
    const order = await lockOrder(tx, orderId)
    if (order?.state !== 'paid') return true
    if (afterFailedGrant(await countGrantTry(tx, orderId)) === 'again') return false
    const wish = { fee: null, cause: 'failed', actor: 'server', reason: '' } as const
    const refund = await refundLocked(deps, tx, emit, order, wish)
    if (!refund)
      await takeStep(tx, emit, order, { step: 'stick', actor: 'server', note: 'no grant, no refund' })
    return true
  })
  deps.log.error({ err: error, order: orderId }, 'what was bought could not be granted')
  if (!isOver) throw error
  deps.jobs.wake(refundPaymentJob)
}
