/**
 * What members have reported. The open reports on one message, person or guild are one case, and are decided
 * together. Decision 81.
 */

import { evidence, evidenceGuild, evidenceIdentity, evidenceMessage } from '../report/evidence.ts'
import { REPORT_CATEGORIES, REPORT_KINDS } from '../report/report.ts'
import { route } from '../route.ts'
import { int, nothing, type Out, text, z } from '../schema.ts'
import { readWords } from '../words.ts'
import { staffLogRow } from './log.ts'

/** Cases of one page. */
export const CASES_PAGE = 50
/** Reports of one case that are shown, the first ones. */
export const CASE_REPORTS_MAX = 50
/** Earlier cases, and acts of staff, that are shown beside a case. */
export const CASE_EARLIER_MAX = 20

/** What became of a case. `dismissed`: nothing was wrong; `acted`: something was done about it. */
export const REPORT_OUTCOMES = ['dismissed', 'acted'] as const
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number]
export const CASE_STATES = ['open', ...REPORT_OUTCOMES] as const
export type CaseState = (typeof CASE_STATES)[number]

export const reportCase = z.object({
  id: z.string(),
  kind: z.enum(REPORT_KINDS),
  /** That of the message, the person or the guild. */
  target_id: z.string(),
  /** What is called so: the person, the guild, the author of the message; by the name of the first report. */
  name: z.string(),
  /** Who is concerned: the person, the author, the owner of the guild. */
  user_id: z.string(),
  /** Empty: none. */
  guild_id: z.string(),
  state: z.enum(CASE_STATES),
  /** How many reports it has, and for what. */
  reports: z.number(),
  categories: z.partialRecord(z.enum(REPORT_CATEGORIES), z.number()),
  /** When it was first and last reported, ms. */
  opened_at: z.number(),
  reported_at: z.number(),
  /** ms; null: it is open. */
  decided_at: z.nullable(z.number()),
  /** An id, or `operator`; empty: it is open. */
  decided_by: z.string(),
  decided_by_name: z.string(),
  reason: z.string(),
})
export type ReportCase = Out<typeof reportCase>

const anchor = z.optional(int(1))

/**
 * Open cases, the oldest first, those after `after`; or closed ones of a state, the newest first, those
 * before `before`.
 */
export const listReports = route({
  method: 'GET',
  path: '/api/v3/staff/report-list',
  dialect: 'v3',
  who: 'staff',
  right: 'report',
  input: z.object({
    state: z._default(z.enum(CASE_STATES), 'open'),
    kind: z.optional(z.enum(REPORT_KINDS)),
    after: anchor,
    before: anchor,
  }),
  answer: z.object({ items: z.array(reportCase), has_more: z.boolean() }),
  fails: [],
})

/** A report of somebody. */
export const report = z.object({
  id: z.string(),
  reporter_id: z.string(),
  reporter_name: z.string(),
  category: z.enum(REPORT_CATEGORIES),
  words: z.string(),
  /** ms */
  at: z.number(),
  /** That of the evidence it was made with. */
  evidence_id: z.string(),
})
export type Report = Out<typeof report>

/** How the target is now. Null in it: it is gone. */
export const targetNow = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), message: z.nullable(evidenceMessage) }),
  z.object({
    kind: z.literal('user'),
    person: z.nullable(evidenceIdentity),
    state: z.enum(['active', 'suspended', 'deleted']),
  }),
  z.object({
    kind: z.literal('guild'),
    guild: z.nullable(evidenceGuild),
    state: z.enum(['active', 'closed']),
  }),
])
export type TargetNow = Out<typeof targetNow>

/**
 * A case as it is decided. What was seen is kept for thirty days after the decision; then `reports` and
 * `evidence` are empty.
 */
export const viewReport = route({
  method: 'GET',
  path: '/api/v3/staff/report-view',
  dialect: 'v3',
  who: 'staff',
  right: 'report',
  input: z.object({ id: int(1) }),
  answer: z.object({
    case: reportCase,
    reports: z.array(report),
    /**
     * The target as it was when it was reported: more than one when it was changed between two reports. The
     * first ones first.
     */
    evidence: z.array(z.object({ id: z.string(), at: z.number(), seen: evidence })),
    now: targetNow,
    /** Other cases about the same person, or the same guild, the newest first. */
    earlier: z.array(reportCase),
    /** What staff did about the same target or person, the newest first. */
    acts: z.array(staffLogRow),
  }),
  fails: ['report.unknown'],
})

/** Decides on a case: all its reports are closed, and those who made them are told that it was decided. */
export const decideReport = route({
  method: 'POST',
  path: '/api/v3/staff/report-decide',
  dialect: 'v3',
  who: 'staff',
  right: 'report',
  input: z.object({ id: int(1), outcome: z.enum(REPORT_OUTCOMES), reason: text(200, 1, readWords) }),
  answer: nothing,
  fails: ['report.unknown', 'report.decided'],
})
