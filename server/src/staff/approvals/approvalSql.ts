/** Acts that wait for somebody else, and the value that staff made on a day. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { ApprovalFacts, ApprovalKind, ApprovalWhy } from '@guildhall/wire/staff/approvals.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { asNumber, int8 } from '../../kit/database/columns.ts'
import type { Db, Tx } from '../../kit/database/db.ts'

interface NewApproval {
  readonly kind: ApprovalKind
  readonly why: ApprovalWhy
  readonly actor: UserId
  readonly reason: string
  /** What the act's rule takes. */
  readonly input: unknown
  readonly facts: ApprovalFacts
  readonly created_at: Millis
  readonly expires_at: Millis
}

export interface ApprovalRow extends NewApproval {
  readonly id: string
  readonly state: 'waiting' | 'approved' | 'rejected' | 'withdrawn'
  readonly failure: string
  readonly decided_by: string
  readonly decided_at: Millis | null
  readonly decided_why: string
}

const select = (db: Db) =>
  db
    .selectFrom('staff_approval')
    .select(['id', 'kind', 'why', 'actor', 'reason', 'input', 'facts', 'state', 'failure'])
    .select(['decided_by', 'decided_why'])
    .select((eb) => [
      asNumber(eb, 'created_at').as('created_at'),
      asNumber(eb, 'expires_at').as('expires_at'),
      asNumber(eb, 'decided_at').as('decided_at'),
    ])

/** Serialises what one person asks for, until the transaction ends. */
export const lockAsker = (tx: Tx, actor: UserId): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`approval ${actor}`}, 0))`.execute(tx)

/** The same request, when it waits already. */
export async function sameWaiting(
  tx: Tx,
  input: Pick<NewApproval, 'actor' | 'kind' | 'input'>,
  now: Millis,
): Promise<string | null> {
  const row = await tx
    .selectFrom('staff_approval')
    .select('id')
    .where('state', '=', 'waiting')
    .where('expires_at', '>', int8(now))
    .where('actor', '=', input.actor)
    .where('kind', '=', input.kind)
    .where(sql<boolean>`input = ${JSON.stringify(input.input)}::jsonb`)
    .executeTakeFirst()
  return row?.id ?? null
}

export async function addApproval(tx: Tx, input: NewApproval): Promise<string> {
  const { id } = await tx
    .insertInto('staff_approval')
    .values({ ...input, input: JSON.stringify(input.input), facts: JSON.stringify(input.facts) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Locked until the transaction ends; null: there is none. */
export async function lockApproval(tx: Tx, id: number): Promise<ApprovalRow | null> {
  const row = await select(tx).where('id', '=', int8(id)).forUpdate().executeTakeFirst()
  return (row as ApprovalRow | undefined) ?? null
}

export async function setDecided(
  tx: Tx,
  id: string,
  input: Pick<ApprovalRow, 'state' | 'decided_by' | 'decided_at' | 'decided_why'>,
): Promise<void> {
  await tx
    .updateTable('staff_approval')
    .set({ ...input, failure: '' })
    .where('id', '=', id)
    .execute()
}

/** What came of a try to do what still waits; `facts`: it would do something else now. */
export async function setTried(
  db: Db,
  id: number,
  input: { readonly failure: string; readonly facts: ApprovalFacts | null },
): Promise<void> {
  await db
    .updateTable('staff_approval')
    .set({ failure: input.failure, ...(input.facts && { facts: JSON.stringify(input.facts) }) })
    .where('id', '=', int8(id))
    .where('state', '=', 'waiting')
    .execute()
}

/** What of the requests is looked for. */
export interface ApprovalSearch {
  readonly isWaiting: boolean
  readonly now: Millis
  /** Kinds of everybody's. */
  readonly kinds: readonly ApprovalKind[]
  /** Those of one person too; null: of nobody. */
  readonly own: UserId | null
  /** Null: nobody's is left out. */
  readonly except: UserId | null
  readonly before: number | null
  readonly limit: number
}

/** Requests of some kinds, and all those of one person, the newest first. */
export async function approvals(db: Db, input: ApprovalSearch): Promise<ApprovalRow[]> {
  const { isWaiting, kinds, own, except, before } = input
  const now = int8(input.now)
  const rows = await select(db)
    .where((eb) =>
      isWaiting
        ? eb.and([eb('state', '=', 'waiting'), eb('expires_at', '>', now)])
        : eb.or([eb('state', '<>', 'waiting'), eb('expires_at', '<=', now)]),
    )
    .where((eb) =>
      eb.or([
        ...(kinds.length > 0 ? [eb('kind', 'in', [...kinds])] : []),
        ...(own === null ? [] : [eb('actor', '=', own)]),
      ]),
    )
    .$if(except !== null, (query) => query.where('actor', '<>', except!))
    .$if(before !== null, (query) => query.where('id', '<', int8(before!)))
    .orderBy('id', 'desc')
    .limit(input.limit)
    .execute()
  return rows as ApprovalRow[]
}

/** Since when the oldest waits, null: none does; and how many were rejected since a moment. */
export async function stateOfApprovals(
  db: Db,
  input: { readonly now: Millis; readonly since: Millis },
): Promise<{ readonly oldestAt: Millis | null; readonly rejected: number }> {
  const { rows } = await sql<{ oldest_at: number | null; rejected: number }>`
    select
      (select min(created_at) from staff_approval
        where state = 'waiting' and expires_at > ${input.now}::bigint)::float8 as oldest_at,
      (select count(*) from staff_approval
        where state = 'rejected' and decided_at > ${input.since}::bigint)::int as rejected`.execute(db)
  return { oldestAt: rows[0]?.oldest_at ?? null, rejected: rows[0]?.rejected ?? 0 }
}

/**
 * Adds value to a day, and locks its sum until the transaction ends. False, without an effect: the sum would
 * be more than `most`; null: there is no bound.
 */
export async function addValue(tx: Tx, day: number, fen: number, most: number | null): Promise<boolean> {
  await sql`insert into staff_value (day, fen) values (${day}, 0) on conflict do nothing`.execute(tx)
  const { rows } = await sql`
    update staff_value set fen = fen + ${fen}::bigint
    where day = ${day} and (${most}::bigint is null or fen + ${fen}::bigint <= ${most}::bigint)
    returning day`.execute(tx)
  return rows.length > 0
}
