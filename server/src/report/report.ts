/**
 * Reports of members. Those on one target that are open together are a case, which staff decide on once. What
 * was seen is kept as it was, and for thirty days after the decision. Decision 81.
 */

import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import type { ReportCategory, ReportKind } from '@guildhall/wire/report/report.ts'
import { REPORTS_KEPT_MS } from '@guildhall/wire/report/report.ts'
import { z } from '@guildhall/wire/schema.ts'
import type { ReportOutcome } from '@guildhall/wire/staff/reports.ts'
import { keepEvidence, releaseEvidence } from '../asset/asset.ts'
import { notifyFromOfficialAccount } from '../chat/chat.ts'
import { clock } from '../kit/clock.ts'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import { jobKind } from '../kit/jobs.ts'
import { useAttempt } from '../kit/limits/rateLimitDatabase.ts'
import { look, type Seen } from './evidence.ts'
import { REPORTS_PER_PERSON } from './limit.ts'
import * as rows from './sql.ts'
import { text } from './text.ts'

export { evidenceMessageOf, nowOf, signedEvidence, signedMessage, signedNow } from './evidence.ts'
export type { CaseRow } from './sql.ts'
export {
  caseById,
  cases,
  casesBeside,
  evidenceOf,
  isChannelReported,
  isGuildReported,
  keptOfChat,
  ownReports,
  reportsOf,
} from './sql.ts'

/** People told in one transaction. */
const TOLD_AT_ONCE = 20

export interface ReportInput {
  readonly kind: ReportKind
  readonly id: string
  readonly category: ReportCategory
  readonly words: string
}

/**
 * Reports what a person sees, with how it looks now. The same, while their first report is open, has no
 * effect.
 * @throws Failure report.unknown, report.own, too_many
 */
export const report = (
  appContext: Pick<AppContext, 'db'>,
  reporterId: UserId,
  input: ReportInput,
): Promise<void> =>
  transaction(appContext.db, async (tx) => {
    const seen = await look(tx, reporterId, input.kind, input.id)
    const caseId = await rows.openCase(tx, seen.target, clock.now())
    if (await rows.hasReported(tx, caseId, reporterId)) return
    await useAttempt(tx, REPORTS_PER_PERSON, reporterId)
    const { category } = input
    const evidenceId = await kept(tx, caseId, seen)
    await rows.addReport(tx, {
      caseId,
      reporterId,
      category,
      words: input.words,
      evidenceId,
      now: clock.now(),
    })
  })

/** Keeps what is seen, with its files, unless the case has it already. Returns its id. */
async function kept(tx: Tx, caseId: string, { digest, evidence: seen, files }: Seen): Promise<string> {
  const known = await rows.sameEvidence(tx, caseId, digest)
  if (known !== null) return known
  const id = ids.uuid()
  await rows.addEvidence(tx, { id, caseId, digest, seen, now: clock.now() })
  await keepEvidence(tx, id, files)
  return id
}

/** A decision. `by`: who decides, an id or `operator`. */
export interface CaseDecision {
  readonly outcome: ReportOutcome
  readonly reason: string
  readonly by: string
}

/**
 * Closes a case with all its reports. `within` runs in the same transaction; it queues `notifyReportersJob`.
 * @throws Failure report.unknown, report.decided
 */
export const decideCase = (
  appContext: Pick<AppContext, 'db'>,
  id: string,
  input: CaseDecision,
  within: (tx: Tx, decided: rows.CaseRow) => Promise<void>,
): Promise<void> =>
  transaction(appContext.db, async (tx) => {
    const decided = await rows.decide(tx, id, { ...input, now: clock.now() })
    if (!decided) throw fail((await rows.caseById(tx, id)) ? 'report.decided' : 'report.unknown')
    await within(tx, decided)
  })

/** Those who reported something are told in the background: they may be many. */
export const notifyReportersJob = jobKind({
  name: 'tell-reporters',
  data: z.object({ case_id: z.string() }),
  pollSeconds: 30,
})

/** Writes to those who made the reports of a closed case that it was decided. Each is told once. */
export async function notifyReporters(
  appContext: Pick<AppContext, 'db' | 'bus' | 'presence' | 'publicUrl'>,
  caseId: string,
  signal?: AbortSignal,
): Promise<void> {
  const it = await rows.caseById(appContext.db, caseId)
  if (!it || it.state === 'open') return
  const t = text[defaultLocale]
  const content = t[it.state](t[it.kind](it.name))
  for (let notified = TOLD_AT_ONCE; notified === TOLD_AT_ONCE; ) {
    signal?.throwIfAborted()
    notified = await commit(appContext, async (tx, emit) => {
      const people = await rows.takeUnnotified(tx, caseId, clock.now(), TOLD_AT_ONCE)
      for (const to of people) await notifyFromOfficialAccount(appContext, tx, emit, { to, text: content })
      return people.length
    })
  }
}

/**
 * Deletes what one case was made with, once it is thirty days old: who reported it, their words, what they
 * saw and its files, and what a person was called. What is left is how often it was reported, for what, and
 * how it was decided. Returns how many cases it has done, 0 or 1.
 */
export const emptyOldCase = (db: Db): Promise<number> =>
  transaction(db, async (tx) => {
    const caseId = await rows.lockDue(tx, clock.now() - REPORTS_KEPT_MS)
    if (caseId === null) return 0
    for (const evidenceId of await rows.empty(tx, caseId, clock.now())) await releaseEvidence(tx, evidenceId)
    return 1
  })
