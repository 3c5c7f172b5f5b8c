/** The calls of staff on redeem codes. */
import * as codes from '@guildhall/wire/staff/codes.ts'
import { type Binding, bindStaff } from '../../kit/http/binding.ts'
import { type ApprovalDeps, doOrAsk } from '../approvals/approvals.ts'
import { staffActorOf } from '../staffActor.ts'
import * as rules from './codes.ts'

export const codeRoutes = (deps: ApprovalDeps): Binding[] => [
  bindStaff(codes.listCodes, (_context, input) => rules.listBatches(deps.appContext.db, input)),
  bindStaff(codes.viewCodes, (_context, { batch_id }) => rules.viewBatch(deps.appContext.db, batch_id)),
  bindStaff(codes.listCodeUses, ({ caller }, input) =>
    rules.listUses(deps.appContext.db, caller.userId, input),
  ),
  bindStaff(codes.listCodeProducts, () => rules.codeProducts(deps.appContext.db)),
  bindStaff(codes.makeCodes, async (context, { product_id, count, per_user, expires_at, note, reason }) => {
    const { answer, approvalId } = await doOrAsk(deps, staffActorOf(context), 'codes', {
      productId: product_id,
      count,
      perUser: per_user,
      note,
      reason,
      expiresAt: expires_at === 0 ? null : expires_at,
    })
    return {
      batch_id: answer?.batchId ?? '',
      codes: [...(answer?.codes ?? [])],
      approval_id: approvalId,
    }
  }),
  bindStaff(codes.pauseCodes, async (context, { batch_id, paused, reason }) => {
    await rules.pauseCodesBy(deps.appContext, staffActorOf(context), {
      batchId: batch_id,
      isPaused: paused,
      reason,
    })
    return {}
  }),
]
