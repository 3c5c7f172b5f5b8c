/** Who acts, of a call. */
import type { Caller, Context } from '../kit/http/binding.ts'
import type { By } from './act.ts'

export const byOf = ({ caller, place }: Context<Caller>): By => ({
  actor: caller.userId,
  sessionId: caller.sessionId,
  place,
})
