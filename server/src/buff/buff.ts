/** BUFF, the membership: what grants it, and until when it lasts. commerce.md §9. */

import type { UserId } from '@guildhall/wire/id.ts'
import { int, type Out, z } from '@guildhall/wire/schema.ts'
import { DAY_MS, type Millis } from '@guildhall/wire/unit.ts'
import {
  beganOfKind,
  endOfKind,
  factsOf,
  type GrantRow,
  grant,
  grantsOf,
  type NotifyHolder,
  revoke,
  revokeGiven,
  standingGrants,
} from '../entitlement/entitlement.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { Emit } from '../kit/events/events.ts'
import type { ProductKind } from '../order/order.ts'
import { findUser, hasBuff, setBuffEnd } from '../user/user.ts'

/** The name of the product kind, and of what it grants. */
export const BUFF = 'buff'

const DAYS_MAX = 3_660
const details = z.object({ days: int(1, DAYS_MAX) })

/** How long one of a product lasts, of its details. */
export const daysOfBuff = (it: unknown): number => (details.parse(it) as Out<typeof details>).days

/** What tells of a change, in its transaction. */
interface Telling {
  readonly tx: Tx
  readonly emit: Emit
  readonly notify: NotifyHolder
}

/**
 * Sets until when somebody has BUFF. Others are told when it begins or ends with that, and the person in any
 * case.
 */
async function setEnd({ tx, emit, notify }: Telling, userId: UserId, until: Millis): Promise<void> {
  const before = await findUser(tx, userId)
  await setBuffEnd(tx, userId, until)
  const isSeen = before !== null && hasBuff(before) !== until > clock.now()
  await notify(tx, emit, userId, isSeen ? 'everybody' : 'self')
}

/** Gives BUFF without an order, and answers until when it lasts, ms. */
export async function giveBuff(input: Telling, userId: UserId, days: number): Promise<Millis> {
  const until = await grant(input.tx, { userId, kind: BUFF, orderId: null, length: days * DAY_MS })
  await setEnd(input, userId, until)
  return until
}

/** Since when somebody has had BUFF without a gap, ms; 0: they never had it. */
export const buffSince = (db: Db, userId: UserId): Promise<Millis> => beganOfKind(db, userId, BUFF)

/** What somebody was granted of it, the newest first. */
export const buffGrants = (db: Db, userId: UserId, limit: number): Promise<GrantRow[]> =>
  grantsOf(db, userId, BUFF, limit)

/**
 * Takes BUFF back that the operator gave: one grant. What an order bought is ended by its refund. How long
 * the grant was, and until when the rest lasts, ms; null: the operator did not give it, or it is taken back
 * already.
 */
export async function takeGivenBuff(
  input: Telling,
  userId: UserId,
  id: string,
): Promise<{ readonly length: Millis; readonly until: Millis } | null> {
  const taken = await revokeGiven(input.tx, { userId, kind: BUFF, id })
  if (taken) await setEnd(input, userId, taken.until)
  return taken
}

/** A gift counts at once, and more of it extends what somebody has. */
export const buffKind = (notify: NotifyHolder): ProductKind => ({
  name: BUFF,
  details,
  forGuild: false,
  isGift: true,
  isCounted: false,
  async grants(tx, emit, line) {
    const length = daysOfBuff(line.details) * line.count * DAY_MS
    const until = await grant(tx, { userId: line.userId, kind: BUFF, orderId: line.orderId, length })
    await setEnd({ tx, emit, notify }, line.userId, until)
  },
  async revokes(tx, emit, line) {
    await setEnd({ tx, emit, notify }, line.userId, await revoke(tx, { ...line, kind: BUFF }))
  },
  owners: async () => new Set(),
  hasBetter: null,
  endsAt: (db, userId) => endOfKind(db, userId, BUFF),
  granted: (db, orderId) => factsOf(db, orderId, [BUFF]),
  standing: (db, orderIds) => standingGrants(db, BUFF, orderIds),
})
