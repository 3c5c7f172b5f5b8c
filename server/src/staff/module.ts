/**
 * What the server has of staff: the calls of the console and the gate before them, the count of days, and the
 * end of suspensions.
 */
import { messageDeletionQueue } from '../account/account.ts'
import type { FileAddresses } from '../asset/asset.ts'
import type { Auth } from '../auth/auth.ts'
import type { OnStaffRedeem } from '../coupon/coupon.ts'
import type { NotifyHolder } from '../entitlement/entitlement.ts'
import type { StaffGate } from '../kit/http/calls.ts'
import { EVERY_MINUTE, type Module, type ModuleContext, untilNone } from '../kit/module.ts'
import type { FetchPicture, SendPipeline } from '../message/message.ts'
import type { PayDeps } from '../pay/pay.ts'
import { notifyReportersJob } from '../report/report.ts'
import type { WordRules } from '../screening/screening.ts'
import { recordStaffRedeem, stateOfApprovals } from './approvals/approvals.ts'
import { staffRoutes } from './routes.ts'
import { endSuspensions, keepNumbers, openStaffGate } from './staff.ts'

/** Writes down, and counts, that an account of staff tried to redeem a code. */
export const staffRedeemRecorder =
  ({ appContext, metrics }: Pick<ModuleContext, 'appContext' | 'metrics'>): OnStaffRedeem =>
  async ({ userId: actor, sessionId, network }) => {
    metrics.staff.redeemRefused()
    await recordStaffRedeem(appContext, { actor, sessionId, network })
  }

export function staffModule(
  { config, appContext, jobs, metrics }: ModuleContext,
  input: {
    readonly auth: Auth
    readonly pay: PayDeps
    /** Tells that what somebody has changed. */
    readonly notify: NotifyHolder
    readonly addresses: FileAddresses
    readonly words: WordRules
    readonly pipeline: SendPipeline
    readonly fetchPicture: FetchPicture | null
  },
): Module & { readonly gate: StaffGate } {
  const { auth, pay, notify, words, pipeline, fetchPicture } = input
  metrics.staff.watch(() => stateOfApprovals(appContext.db))
  return {
    gate: openStaffGate({ appContext, addresses: config.staffAddresses }),
    routes: staffRoutes({
      appContext,
      auth,
      pay,
      acting: { appContext, notify, bounds: config.staffBounds },
      deletion: messageDeletionQueue(jobs),
      reporters: {
        queue: (tx, case_id) => jobs.send(tx, notifyReportersJob, { case_id }),
        wake: () => jobs.wake(notifyReportersJob),
      },
      files: input.addresses,
      addresses: config.staffAddresses,
      screened: {
        appContext: { ...appContext, addresses: input.addresses },
        pipeline,
        words,
        ...(fetchPicture && { fetchPicture }),
      },
    }),
    schedules: [
      {
        name: 'count-days',
        cron: EVERY_MINUTE,
        atStart: true,
        run: (signal) => keepNumbers(appContext.db, signal),
      },
      {
        name: 'end-suspensions',
        cron: EVERY_MINUTE,
        run: (signal) => untilNone(() => endSuspensions(appContext), signal),
      },
    ],
  }
}
