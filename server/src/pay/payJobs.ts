/** The jobs of paying: what arrived or is owed goes on after the commit, and survives a process that dies. */
import { z } from '@guildhall/wire/schema.ts'
import { jobKind } from '../kit/jobs.ts'

/** Grants what was bought. */
export const grantOrderJob = jobKind({
  name: 'grant-order',
  data: z.object({ order_id: z.string() }),
  pollSeconds: 5,
  atOnce: 4,
})
/** Gives money back. */
export const refundPaymentJob = jobKind({
  name: 'refund-payment',
  data: z.object({ refund_id: z.string() }),
  pollSeconds: 5,
})
