/** Reports, the cases they make, and what they were made with. */
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Evidence } from '@guildhall/wire/report/evidence.ts'
import type { ReportCategory, ReportKind } from '@guildhall/wire/report/report.ts'
import type { CaseState, ReportOutcome } from '@guildhall/wire/staff/reports.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { int8 } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'

/** A case, see `reportCase` of the wire. Times are ms. */
export interface CaseRow {
  readonly id: string
  readonly kind: ReportKind
  readonly target_id: string
  readonly name: string
  readonly user_id: UserId
  readonly guild_id: GuildId | null
  readonly state: CaseState
  readonly reports: number
  readonly categories: Partial<Record<ReportCategory, number>>
  readonly opened_at: number
  readonly reported_at: number
  readonly decided_at: number | null
  readonly decided_by: string
  readonly reason: string
}

const caseColumns = sql`id::text, kind, target_id, name, user_id::text, guild_id::text, state, reports, categories,
  opened_at::float8 as opened_at, reported_at::float8 as reported_at, decided_at::float8 as decided_at, decided_by, reason`

/** Whom a case is about. */
export interface CaseTarget {
  readonly kind: ReportKind
  readonly targetId: string
  readonly name: string
  readonly userId: UserId
  readonly guildId: GuildId | null
}

/** The open case of a target, made when there is none, and locked until the transaction ends. */
export async function openCase(tx: Tx, input: CaseTarget, now: Millis): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into report_case (kind, target_id, name, user_id, guild_id, opened_at, reported_at)
    values (${input.kind}, ${input.targetId}, ${input.name}, ${input.userId}, ${input.guildId}, ${now}, ${now})
    on conflict (kind, target_id) where state = 'open' do update set kind = excluded.kind
    returning id::text`.execute(tx)
  return rows[0]!.id
}

export async function hasReported(tx: Tx, caseId: string, reporterId: UserId): Promise<boolean> {
  const row = await tx
    .selectFrom('report')
    .select('id')
    .where('case_id', '=', caseId)
    .where('reporter_id', '=', reporterId)
    .executeTakeFirst()
  return row !== undefined
}

/** The newest evidence of a case, if it has this digest. */
export async function sameEvidence(tx: Tx, caseId: string, digest: string): Promise<string | null> {
  const row = await tx
    .selectFrom('report_evidence')
    .select(['id', 'digest'])
    .where('case_id', '=', caseId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.digest === digest ? row.id : null
}

export async function addEvidence(
  tx: Tx,
  input: {
    readonly id: string
    readonly caseId: string
    readonly digest: string
    readonly seen: Evidence
    readonly now: Millis
  },
): Promise<void> {
  const { id, caseId: case_id, digest, now: at } = input
  await tx
    .insertInto('report_evidence')
    .values({ id, case_id, digest, at, seen: JSON.stringify(input.seen) })
    .execute()
}

/** Adds a report to a locked case and counts it. */
export async function addReport(
  tx: Tx,
  input: {
    readonly caseId: string
    readonly reporterId: UserId
    readonly category: ReportCategory
    readonly words: string
    readonly evidenceId: string
    readonly now: Millis
  },
): Promise<void> {
  const { category, words: text, now } = input
  await tx
    .insertInto('report')
    .values({
      case_id: input.caseId,
      reporter_id: input.reporterId,
      category,
      words: text,
      at: now,
      evidence_id: input.evidenceId,
    })
    .execute()
  await sql`
    update report_case set reports = reports + 1, reported_at = ${now},
      categories = categories || jsonb_build_object(${category}::text,
        coalesce((categories->>${category})::int, 0) + 1)
    where id = ${input.caseId}`.execute(tx)
}

/** Cases of a state: open ones oldest first, after `after`; closed ones newest first, before `before`. */
export async function cases(
  db: Db,
  input: {
    readonly state: CaseState
    readonly kind: ReportKind | undefined
    readonly after: number | undefined
    readonly before: number | undefined
    readonly limit: number
  },
): Promise<CaseRow[]> {
  const order = input.state === 'open' ? sql`id` : sql`id desc`
  const { rows } = await sql<CaseRow>`
    select ${caseColumns} from report_case
    where state = ${sql.lit(input.state)} and (${input.kind ?? null}::text is null or kind = ${input.kind ?? null})
      and id > ${input.after ?? 0} and id < ${input.before ?? Number.MAX_SAFE_INTEGER}
    order by ${order} limit ${input.limit}`.execute(db)
  return rows
}

export async function caseById(db: Db, id: string): Promise<CaseRow | null> {
  const { rows } = await sql<CaseRow>`select ${caseColumns} from report_case where id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Other cases about the same person, or of a guild about the same guild, the newest first. */
export async function casesBeside(db: Db, input: CaseRow, limit: number): Promise<CaseRow[]> {
  const same =
    input.kind === 'guild'
      ? sql`guild_id = ${input.guild_id} and kind = 'guild'`
      : sql`user_id = ${input.user_id} and kind <> 'guild'`
  const { rows } = await sql<CaseRow>`
    select ${caseColumns} from report_case where ${same} and id <> ${input.id} order by id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

/** A report. Times are ms. */
export interface ReportRow {
  readonly id: string
  readonly reporter_id: UserId
  readonly category: ReportCategory
  readonly words: string
  readonly at: number
  readonly evidence_id: string
}

/** The first reports of a case. */
export async function reportsOf(db: Db, caseId: string, limit: number): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select id::text, reporter_id::text, category, words, at::float8 as at, evidence_id::text
    from report where case_id = ${caseId} order by id limit ${limit}`.execute(db)
  return rows
}

export interface EvidenceRow {
  readonly id: string
  readonly at: number
  readonly seen: Evidence
}

/** What a case was made with, the first ones first. */
export async function evidenceOf(db: Db, caseId: string, limit: number): Promise<EvidenceRow[]> {
  const { rows } = await sql<EvidenceRow>`
    select id::text, at::float8 as at, seen from report_evidence where case_id = ${caseId} order by at, id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Whether a message of a channel was reported, and what was seen of it is kept. */
export async function isChannelReported(
  db: Db,
  { id, guild_id }: { readonly id: ChannelId; readonly guild_id: GuildId },
): Promise<boolean> {
  const { rows } = await sql`
    select from report_case join report_evidence on case_id = report_case.id
    where guild_id = ${guild_id} and kind = 'message' and seen->'channel'->>'id' = ${id} limit 1`.execute(db)
  return rows.length > 0
}

/** Whether a guild itself was reported, and what was seen of it is kept. */
export async function isGuildReported(db: Db, guildId: GuildId): Promise<boolean> {
  const { rows } = await sql`
    select from report_case
    where guild_id = ${guildId} and kind = 'guild' and emptied_at is null limit 1`.execute(db)
  return rows.length > 0
}

/** What reports have kept of a private conversation, the first ones first. */
export async function keptOfChat(db: Db, code: string): Promise<MessageEvidence[]> {
  const { rows } = await sql<{ seen: MessageEvidence }>`
    select seen from report_case join report_evidence on case_id = report_case.id
    where guild_id is null and kind = 'message' and seen->>'chat_code' = ${code} order by at`.execute(db)
  return rows.map(({ seen }) => seen)
}

type MessageEvidence = Extract<Evidence, { kind: 'message' }>

/** Closes an open case; null: it is open no longer. */
export async function decide(
  tx: Tx,
  id: string,
  input: {
    readonly outcome: ReportOutcome
    readonly reason: string
    readonly by: string
    readonly now: Millis
  },
): Promise<CaseRow | null> {
  const { rows } = await sql<CaseRow>`
    update report_case
    set state = ${input.outcome}, reason = ${input.reason}, decided_by = ${input.by}, decided_at = ${input.now}
    where id = ${id} and state = 'open' returning ${caseColumns}`.execute(tx)
  return rows[0] ?? null
}

/**
 * Takes some reports of a case whose people were not told yet, and notes that they are. Returns the people.
 */
export async function takeUnnotified(tx: Tx, caseId: string, now: Millis, limit: number): Promise<UserId[]> {
  const { rows } = await sql<{ reporter_id: UserId }>`
    update report set told_at = ${now}
    where id in (select id from report where case_id = ${caseId} and told_at is null order by id limit ${limit} for update)
    returning reporter_id::text`.execute(tx)
  return rows.map(({ reporter_id }) => reporter_id)
}

/** The reports that a person made and that are still kept, those after an id, in order. */
export async function ownReports(db: Db, reporterId: UserId, after: number, limit: number) {
  const { rows } = await sql<{
    readonly id: string
    readonly kind: ReportKind
    readonly target_id: string
    readonly category: ReportCategory
    readonly words: string
    readonly state: CaseState
    readonly created_at: Millis
  }>`
    select report.id::text, kind, target_id, category, words, state, at::float8 as created_at
    from report join report_case on report_case.id = case_id
    where reporter_id = ${reporterId} and report.id > ${int8(after)}::bigint order by report.id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** A case that was decided before `before`, ms, and still has what was seen, locked; null: there is none. */
export async function lockDue(tx: Tx, before: Millis): Promise<string | null> {
  const row = await tx
    .selectFrom('report_case')
    .select('id')
    .where('emptied_at', 'is', null)
    .where('decided_at', '<', int8(before))
    .orderBy('decided_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row?.id ?? null
}

/**
 * Deletes the reports of a case, their evidence, and the name of a person whom they concern; returns the ids
 * of the evidence.
 */
export async function empty(tx: Tx, caseId: string, now: Millis): Promise<string[]> {
  await tx.deleteFrom('report').where('case_id', '=', caseId).execute()
  const rows = await tx.deleteFrom('report_evidence').where('case_id', '=', caseId).returning('id').execute()
  await sql`
    update report_case set emptied_at = ${now}, name = case when kind = 'guild' then name else '' end
    where id = ${caseId}`.execute(tx)
  return rows.map(({ id }) => id)
}
