/** Who acts, of a call. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { Caller, Context } from '../kit/http/binding.ts'
import type { StaffActor } from './staffAction.ts'

export const staffActorOf = ({
  caller,
  network,
}: Context<Caller>): StaffActor & { readonly actor: UserId } => ({
  actor: caller.userId,
  sessionId: caller.sessionId,
  network,
})
