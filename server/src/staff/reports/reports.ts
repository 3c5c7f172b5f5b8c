/** The console's section of reports: cases, what was seen and how it is now, and the decision. */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import {
  CASE_EARLIER_MAX,
  CASE_REPORTS_MAX,
  CASES_PAGE,
  type decideReport,
  type listReports,
  type ReportCase,
  type viewReport,
} from '@guildhall/wire/staff/reports.ts'
import type { FileAddresses } from '../../asset/asset.ts'
import type { Db, Tx } from '../../kit/database/db.ts'
import type { AppContext } from '../../kit/events/events.ts'
import {
  type CaseRow,
  caseById,
  cases,
  casesBeside,
  decideCase,
  evidenceOf,
  nowOf,
  reportsOf,
  signedEvidence,
  signedNow,
} from '../../report/report.ts'
import { identitiesOf } from '../../user/user.ts'
import { actsOn } from '../log.ts'
import { record, type StaffActor } from '../staffAction.ts'

/** Where those who reported something are queued to be told. */
export interface ReportersQueue {
  /** In the transaction that decides. */
  readonly queue: (tx: Tx, caseId: string) => Promise<void>
  /** Called after its commit. */
  readonly wake: () => void
}

export async function readCases(
  db: Db,
  input: InputOf<typeof listReports>,
): Promise<AnswerOf<typeof listReports>> {
  const { state, kind, after, before } = input
  const limit = CASES_PAGE + 1
  const found = await cases(db, { state, kind, after, before, limit })
  return { items: await casesOf(db, found.slice(0, CASES_PAGE)), has_more: found.length === limit }
}

async function casesOf(db: Db, found: readonly CaseRow[]): Promise<ReportCase[]> {
  const deciders = found.flatMap(({ decided_by: by }) => (/^\d+$/.test(by) ? [by as UserId] : []))
  const people = await identitiesOf(db, deciders)
  return found.map((it) => ({
    ...it,
    guild_id: it.guild_id ?? '',
    decided_by_name: people.get(it.decided_by as UserId)?.username ?? '',
  }))
}

/** @throws Failure report.unknown */
export async function readCase(
  { db, addresses }: { readonly db: Db; readonly addresses: FileAddresses },
  { id }: InputOf<typeof viewReport>,
): Promise<AnswerOf<typeof viewReport>> {
  const it = await caseById(db, String(id))
  if (!it) throw fail('report.unknown')
  const [reports, evidence, beside, acts] = await Promise.all([
    reportsOf(db, it.id, CASE_REPORTS_MAX),
    evidenceOf(db, it.id, CASE_REPORTS_MAX),
    casesBeside(db, it, CASE_EARLIER_MAX),
    actsOn(db, { userId: it.user_id, target: it.target_id, limit: CASE_EARLIER_MAX }),
  ])
  const now = await nowOf(db, it, evidence.at(-1)?.seen ?? null)
  const [own, ...earlier] = await casesOf(db, [it, ...beside])
  const people = await identitiesOf(
    db,
    reports.map(({ reporter_id }) => reporter_id),
  )
  return {
    case: own!,
    reports: reports.map((each) => ({
      ...each,
      reporter_name: people.get(each.reporter_id)?.username ?? '',
    })),
    evidence: evidence.map((each) => ({ ...each, seen: signedEvidence(addresses, each.seen) })),
    now: signedNow(addresses, now),
    earlier,
    acts,
  }
}

/**
 * Decides on a case, closes all its reports, and records it.
 * @throws Failure report.unknown, report.decided
 */
export async function closeCase(
  appContext: AppContext,
  by: StaffActor,
  reporters: ReportersQueue,
  { id, outcome, reason }: InputOf<typeof decideReport>,
): Promise<void> {
  await decideCase(appContext, String(id), { outcome, reason, by: by.actor }, async (tx, decided) => {
    await record(tx, by, 'report decide', {
      userId: decided.user_id,
      target: decided.target_id,
      detail: {
        case: decided.id,
        kind: decided.kind,
        outcome,
        reason: decided.reason,
        reports: decided.reports,
      },
    })
    await reporters.queue(tx, decided.id)
  })
  reporters.wake()
}
