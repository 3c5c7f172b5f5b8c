/** The calls of the console's reviews. */
import * as wire from '@guildhall/wire/staff/reviews.ts'
import type { Live } from '../kit/events.ts'
import { type Binding, bindStaff, type Caller, type Context } from '../kit/http/binding.ts'
import { decideReview, readReview, readReviews } from './reviews.ts'
import type { By } from './staff.ts'

export const reviewsRoutes = (live: Live, by: (context: Context<Caller>) => By): Binding[] => [
  bindStaff(wire.listReviews, (_context, input) => readReviews(live.db, input)),
  bindStaff(wire.viewReview, (_context, input) => readReview(live.db, input)),
  bindStaff(wire.decideReview, async (context, { id, pass, reason }) => {
    await decideReview(live, by(context), { id: String(id), isPassed: pass, reason })
    return {}
  }),
]
