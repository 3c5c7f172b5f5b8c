/** The calls of staff on redeem codes. */
import * as codes from '@guildhall/wire/staff/codes.ts'
import type { Live } from '../kit/events/events.ts'
import { type Binding, bindStaff } from '../kit/http/binding.ts'
import * as rules from './codes.ts'
import { staffActorOf } from './staffActor.ts'

export const codeRoutes = (live: Live): Binding[] => [
  bindStaff(codes.listCodes, (_context, input) => rules.listBatches(live.db, input)),
  bindStaff(codes.viewCodes, (_context, { batch_id }) => rules.viewBatch(live.db, batch_id)),
  bindStaff(codes.listCodeUses, ({ caller }, input) => rules.listUses(live.db, caller.userId, input)),
  bindStaff(codes.listCodeProducts, () => rules.codeProducts(live.db)),
  bindStaff(codes.makeCodes, async (context, { product_id, count, per_user, expires_at, note, reason }) => {
    const { batchId, codes: made } = await rules.makeCodesBy(live, staffActorOf(context), {
      productId: product_id,
      count,
      perUser: per_user,
      note,
      reason,
      expiresAt: expires_at === 0 ? null : expires_at,
    })
    return { batch_id: batchId, codes: [...made] }
  }),
  bindStaff(codes.pauseCodes, async (context, { batch_id, paused, reason }) => {
    await rules.pauseCodesBy(live, staffActorOf(context), { batchId: batch_id, isPaused: paused, reason })
    return {}
  }),
]
