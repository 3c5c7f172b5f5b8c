/** BUFF, the membership: what grants it, and until when it lasts. commerce.md §9. */

import type { UserId } from '@guildhall/wire/id.ts'
import { int, type Out, z } from '@guildhall/wire/schema.ts'
import { DAY_MS, type Millis } from '@guildhall/wire/unit.ts'
import {
  endOfKind,
  type GrantRow,
  grant,
  grantsOf,
  revoke,
  revokeGiven,
  standingGrants,
} from '../entitlement/entitlement.ts'
import type { Db, Tx } from '../kit/db.ts'
import type { ProductKind } from '../order/order.ts'
import { setBuffEnd } from '../user/user.ts'

const DAYS_MAX = 3_660
const details = z.object({ days: int(1, DAYS_MAX) })

const daysOf = (it: unknown): number => (details.parse(it) as Out<typeof details>).days

/** Gives BUFF without an order, and answers until when it lasts, ms. */
export async function giveBuff(tx: Tx, userId: UserId, days: number): Promise<Millis> {
  const until = await grant(tx, { userId, kind: 'buff', orderId: null, length: days * DAY_MS })
  await setBuffEnd(tx, userId, until)
  return until
}

/** What somebody was granted of it, the newest first. */
export const buffGrants = (db: Db, userId: UserId, limit: number): Promise<GrantRow[]> =>
  grantsOf(db, userId, 'buff', limit)

/**
 * Takes BUFF back that the house gave: one grant. What an order bought is ended by its refund. How long the grant was, and until when the
 * rest lasts, ms; null: the house did not give it, or it is taken back already.
 */
export async function takeGivenBuff(
  tx: Tx,
  userId: UserId,
  id: string,
): Promise<{ readonly length: Millis; readonly until: Millis } | null> {
  const taken = await revokeGiven(tx, { userId, kind: 'buff', id })
  if (taken) await setBuffEnd(tx, userId, taken.until)
  return taken
}

/** A gift counts at once, and more of it extends what somebody has. */
export const buffKind: ProductKind = {
  name: 'buff',
  details,
  forGuild: false,
  isGift: true,
  isCounted: false,
  async grants(tx, _emit, line) {
    const length = daysOf(line.details) * line.count * DAY_MS
    const until = await grant(tx, { userId: line.userId, kind: 'buff', orderId: line.orderId, length })
    await setBuffEnd(tx, line.userId, until)
  },
  async revokes(tx, _emit, line) {
    await setBuffEnd(tx, line.userId, await revoke(tx, { ...line, kind: 'buff' }))
  },
  owners: async () => new Set(),
  endsAt: (db, userId) => endOfKind(db, userId, 'buff'),
  standing: (db, orderIds) => standingGrants(db, 'buff', orderIds),
}
