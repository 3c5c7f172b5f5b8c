/**
 * Redeem codes: batches are made by the operator, each code is used once. What a code grants is in the ledger
 * as a voucher: revenue at the product's price, paid by the operator.
 */
import { createHash } from 'node:crypto'
import { readCoupon } from '@guildhall/wire/coupon/coupon.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import type { Tx } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import { accounts, moved, post } from '../ledger/ledger.ts'
import { type ProductKinds, refuseLower } from '../order/order.ts'
import { findProduct, type ProductRow } from '../product/product.ts'
import { staffRightsOf } from '../user/user.ts'
import * as rows from './sql.ts'

export { type BatchRow, batchById, batches, uses as codeUses } from './sql.ts'

const hashOf = (typed: string): Buffer => createHash('sha256').update(readCoupon(typed)).digest()

/** Told of staff who try to redeem a code: somebody has to look at it. */
export type OnStaffRedeem = (who: {
  readonly userId: UserId
  readonly sessionId: string
  readonly network: string
}) => Promise<void>

export interface NewBatch {
  readonly productId: number
  readonly count: number
  readonly perUser: number
  /** Null: its codes do not end. */
  readonly expiresAt: Millis | null
  /** What it is for; empty: nobody said. */
  readonly note?: string
  readonly actor: string
  /** Who approved it; absent: it needed nobody. */
  readonly approvedBy?: string | undefined
}

/** Makes codes, which are shown this once. */
export async function createCoupons(
  tx: Tx,
  input: NewBatch,
): Promise<{ readonly batchId: string; readonly codes: readonly string[] }> {
  const codes = Array.from({ length: input.count }, () => ids.couponCode())
  const batchId = await rows.addBatch(tx, {
    product_id: input.productId,
    count: input.count,
    per_user: input.perUser,
    expires_at: input.expiresAt,
    note: input.note ?? '',
    created_at: clock.now(),
    actor: input.actor,
    approved_by: input.approvedBy ?? null,
    hashes: codes.map(hashOf),
  })
  return { batchId, codes }
}

/**
 * Pauses a batch: its codes are not redeemed until it goes on. A redemption that is under way is done. Null:
 * there is no such batch; false: it was so before.
 */
export const pauseBatch = (tx: Tx, id: number, isPaused: boolean): Promise<boolean | null> =>
  rows.setPaused(tx, id, isPaused ? clock.now() : null)

/**
 * Redeems a code, and answers the product that was won. Staff redeem none, and who made or approved a batch
 * none of it, also when they are no longer staff.
 * @throws Failure coupon.staff, coupon.unknown, coupon.used, coupon.expired, coupon.paused, coupon.limit,
 *   order.lower
 */
export const redeem = (
  appContext: AppContext,
  kinds: ProductKinds,
  userId: UserId,
  typed: string,
): Promise<ProductRow> =>
  commit(appContext, async (tx, emit) => {
    if ((await staffRightsOf(tx, userId)).length > 0) throw fail('coupon.staff')
    const coupon = await rows.lockByHash(tx, hashOf(typed))
    if (!coupon) throw fail('coupon.unknown')
    if (coupon.actor === userId || coupon.approved_by === userId) throw fail('coupon.staff')
    if (coupon.used_by !== null) throw fail('coupon.used')
    const now = clock.now()
    if (coupon.expires_at !== null && coupon.expires_at <= now) throw fail('coupon.expired')
    if (coupon.paused_at !== null) throw fail('coupon.paused')
    await rows.lockPerson(tx, userId, coupon.batch_id)
    if ((await rows.countUsed(tx, userId, coupon.batch_id)) >= coupon.per_user) throw fail('coupon.limit')
    const product = await findProduct(tx, coupon.product_id)
    const kind = product && kinds.get(product.kind)
    if (!kind)
      throw new Error(`coupon ${coupon.id} is for product ${coupon.product_id}, which nothing grants`)
    await refuseLower(tx, kind, userId, product.details)
    await rows.setUsed(tx, coupon.id, userId, now)
    await kind.grants(tx, emit, { orderId: null, userId, guildId: null, count: 1, details: product.details })
    await post(tx, {
      kind: 'voucher',
      ref: `coupon ${coupon.id}`,
      orderId: null,
      at: now,
      lines: moved(accounts.revenue(product.kind), accounts.vouchers(product.kind), product.price),
    })
    return product
  })
