/** What waits for staff, counted for whoever may decide it. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import { WAITING_COUNT_MAX, type Waiting } from '@guildhall/wire/staff/waiting.ts'
import type { Db } from '../kit/database/db.ts'
import { findOrders } from '../pay/pay.ts'
import { waitingCases } from '../profile/profile.ts'
import { cases } from '../report/report.ts'
import { waitingHeld } from '../screening/screening.ts'
import { staffRightsOf } from '../user/user.ts'
import { approvalsToDecide, mayApprove } from './approvals/approvals.ts'

const limit = WAITING_COUNT_MAX

export async function countWaiting(db: Db, userId: UserId): Promise<Waiting> {
  const rights = await staffRightsOf(db, userId)
  const count = async (right: StaffRight, ...lists: (() => Promise<readonly unknown[]>)[]) => {
    if (!rights.includes(right)) return null
    const found = await Promise.all(lists.map((list) => list()))
    return Math.min(found.flat().length, limit)
  }
  const open = { state: 'open', kind: undefined, after: undefined, before: undefined, limit } as const
  const troubled = { number: undefined, state: undefined, kind: undefined, needsAttention: true } as const
  const [reviews, reports, orders] = await Promise.all([
    count(
      'review',
      () => waitingCases(db, limit),
      () => waitingHeld(db, limit),
    ),
    count('report', () => cases(db, open)),
    count('order', () => findOrders(db, { ...troubled, before: null, limit })),
  ])
  const approvals = mayApprove(rights) ? (await approvalsToDecide(db, userId, rights, limit)).length : null
  return { reviews, reports, orders, approvals }
}
