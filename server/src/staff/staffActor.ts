/** Who acts, of a call. */
import type { Caller, Context } from '../kit/http/binding.ts'
import type { StaffActor } from './staffAction.ts'

export const staffActorOf = ({ caller, network }: Context<Caller>): StaffActor => ({
  actor: caller.userId,
  sessionId: caller.sessionId,
  network,
})
