/** The calls of the console's reviews. */
import * as wire from '@guildhall/wire/staff/reviews.ts'
import type { Live } from '../kit/events.ts'
import { type Binding, bindStaff } from '../kit/http/binding.ts'
import { byOf } from './by.ts'
import { decideReview, readReview, readReviews } from './reviews.ts'

export const reviewsRoutes = (live: Live): Binding[] => [
  bindStaff(wire.listReviews, (_context, input) => readReviews(live.db, input)),
  bindStaff(wire.viewReview, (_context, input) => readReview(live.db, input)),
  bindStaff(wire.decideReview, async (context, { id, pass, reason }) => {
    await decideReview(live, byOf(context), { id: String(id), isPassed: pass, reason })
    return {}
  }),
]
