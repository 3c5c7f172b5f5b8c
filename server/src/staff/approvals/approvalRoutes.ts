/** The calls of staff on what waits for somebody else. */
import * as wire from '@guildhall/wire/staff/approvals.ts'
import { type Binding, bindStaff } from '../../kit/http/binding.ts'
import { staffActorOf } from '../staffActor.ts'
import { type ApprovalDeps, approvalsFor, decideApproval, withdrawApproval } from './approvals.ts'

export const approvalRoutes = (deps: ApprovalDeps): Binding[] => [
  bindStaff(wire.listApprovals, ({ caller }, input) =>
    approvalsFor(deps.appContext.db, caller.userId, input),
  ),
  bindStaff(wire.decideApproval, async (context, { id, approve: isApproved, reason }) => {
    const { batchId, codes } = await decideApproval(deps, staffActorOf(context), { id, isApproved, reason })
    return { batch_id: batchId, codes: [...codes] }
  }),
  bindStaff(wire.withdrawApproval, async (context, { id }) => {
    await withdrawApproval(deps.appContext, staffActorOf(context), id)
    return {}
  }),
]
