/** Who makes a call of staff. */
import type { Caller, Context } from '../kit/http/binding.ts'
import type { By } from './staff.ts'

export const byOf = ({ caller, place }: Context<Caller>): By => ({
  actor: caller.userId,
  sessionId: caller.sessionId,
  place,
})
