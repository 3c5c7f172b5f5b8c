/** The calls of the console's reviews. */
import * as wire from '@guildhall/wire/staff/reviews.ts'
import { type Binding, bindStaff } from '../../kit/http/binding.ts'
import type { DecideDeps } from '../../screening/screening.ts'
import { decideHeld } from '../held.ts'
import { staffActorOf } from '../staffActor.ts'
import { decideReview, readReview, readReviews } from './reviews.ts'

export const reviewsRoutes = (deps: DecideDeps): Binding[] => [
  bindStaff(wire.listReviews, (_context, input) => readReviews(deps.appContext, input)),
  bindStaff(wire.viewReview, (_context, input) => readReview(deps.appContext, input)),
  bindStaff(wire.decideReview, async (context, { kind, id, pass, reason }) => {
    const it = { id: String(id), isPassed: pass, reason }
    if (kind === 'message') await decideHeld(deps, staffActorOf(context), it)
    else await decideReview(deps.appContext, staffActorOf(context), it)
    return {}
  }),
]
