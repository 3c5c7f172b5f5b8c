/** Contracts, and the periods that they renew. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { ProductTranslations } from '@guildhall/wire/product/translation.ts'
import { DAY_MS, type Fen, type Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database/db.ts'
import type { PayWay } from '../outside/payment/payProvider.ts'
import type { RenewalState } from './state.ts'

export type RenewalWay = PayWay | 'apple'

export interface RenewalRow {
  readonly id: string
  /** Our number of the contract. */
  readonly code: string
  readonly user_id: UserId
  readonly product_id: number
  readonly kind: string
  readonly name: string
  /** Its name in other languages than the default. */
  readonly translations: ProductTranslations
  readonly details: unknown
  readonly fee: Fen
  readonly way: RenewalWay
  readonly state: RenewalState
  readonly order_id: string | null
  readonly is_charged_first: boolean
  readonly provider_no: string | null
  readonly app: string | null
  readonly created_at: Millis
  readonly signed_at: Millis | null
  readonly is_end_due: boolean
  readonly lasts_until: Millis | null
}

export interface CycleRow {
  readonly id: string
  readonly ends_at: Millis
  readonly fee: Fen
  readonly announced_at: Millis | null
  readonly tried_at: Millis | null
  readonly order_id: string | null
  readonly outcome: 'charged' | 'notice' | 'charge' | null
}

const columns = sql.raw(
  `id::text, code, user_id::text, product_id, kind, name, translations, details, fee::float8 as fee, way, state, order_id::text,
   is_charged_first, provider_no, app, created_at::float8 as created_at,
   signed_at::float8 as signed_at, is_end_due, lasts_until::float8 as lasts_until`,
)
const cycles = sql.raw(
  `id::text, ends_at::float8 as ends_at, fee::float8 as fee, announced_at::float8 as announced_at,
   tried_at::float8 as tried_at, order_id::text, outcome`,
)

/** The longest pause between two looks at a contract. */
export const TURN_MAX_MS = DAY_MS

export async function byCode(db: Db, code: string): Promise<RenewalRow | null> {
  const { rows } = await sql<RenewalRow>`select ${columns} from renewal where code = ${code}`.execute(db)
  return rows[0] ?? null
}

export async function byId(db: Db, id: string): Promise<RenewalRow | null> {
  const { rows } = await sql<RenewalRow>`select ${columns} from renewal where id = ${id}::bigint`.execute(db)
  return rows[0] ?? null
}

/** The row, locked until the transaction ends. */
export async function lock(tx: Tx, id: string): Promise<RenewalRow | null> {
  const { rows } = await sql<RenewalRow>`
    select ${columns} from renewal where id = ${id}::bigint for update`.execute(tx)
  return rows[0] ?? null
}

/** Serialises what one person signs, until the transaction ends. */
export const lockPerson = (tx: Tx, userId: UserId): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`renewals of ${userId}`}, 0))`.execute(tx)

/** The contract in force by which the operator renews something for a person; null: there is none. */
export async function activeOf(db: Db, userId: UserId, kind: string): Promise<RenewalRow | null> {
  const { rows } = await sql<RenewalRow>`
    select ${columns} from renewal
    where user_id = ${userId}::bigint and kind = ${kind} and state = 'active' and way <> 'apple'`.execute(db)
  return rows[0] ?? null
}

/** All contracts in force of a person, the newest first; `kind` null: of everything. */
export async function listActive(
  db: Db,
  userId: UserId,
  kind: string | null,
  now: Millis,
): Promise<RenewalRow[]> {
  const { rows } = await sql<RenewalRow>`
    select ${columns} from renewal
    where user_id = ${userId}::bigint and (${kind}::text is null or kind = ${kind}) and state = 'active'
      and (lasts_until is null or lasts_until > ${now}::bigint)
    order by id desc`.execute(db)
  return rows
}

/** What a purchase offered to sign by a way. */
export async function offered(tx: Tx, orderId: string, way: RenewalWay): Promise<RenewalRow | null> {
  const { rows } = await sql<RenewalRow>`
    select ${columns} from renewal where order_id = ${orderId}::bigint and way = ${way} and state = 'signing'`.execute(
    tx,
  )
  return rows[0] ?? null
}

export async function add(
  tx: Tx,
  input: Pick<
    RenewalRow,
    | 'code'
    | 'user_id'
    | 'product_id'
    | 'kind'
    | 'name'
    | 'translations'
    | 'details'
    | 'fee'
    | 'way'
    | 'order_id'
    | 'is_charged_first'
    | 'created_at'
  > & { readonly next_at: Millis },
): Promise<RenewalRow> {
  await tx
    .insertInto('renewal')
    .values({
      ...input,
      details: JSON.stringify(input.details),
      translations: JSON.stringify(input.translations),
      state: 'signing',
    })
    .execute()
  return (await byCode(tx, input.code))!
}

/** Stores what Apple says of a subscription, unless something newer is stored. It may begin again. */
export async function putApple(
  tx: Tx,
  input: Pick<
    RenewalRow,
    'code' | 'user_id' | 'product_id' | 'kind' | 'name' | 'translations' | 'details'
  > & {
    readonly providerNo: string
    readonly notifiedAt: Millis
    readonly lastsUntil: Millis
    readonly isActive: boolean
    readonly now: Millis
  },
): Promise<void> {
  const state = input.isActive ? 'active' : 'ended'
  const endedAt = input.isActive ? null : input.now
  await sql`
    insert into renewal (code, user_id, product_id, kind, name, translations, details, fee, way, state, is_charged_first, provider_no,
      created_at, signed_at, ended_at, lasts_until, told_at, next_at)
    values (${input.code}, ${input.user_id}::bigint, ${input.product_id}, ${input.kind}, ${input.name},
      ${JSON.stringify(input.translations)}::jsonb, ${JSON.stringify(input.details)}::jsonb, 0,
      'apple', ${state}, false, ${input.providerNo}, ${input.now}::bigint, ${input.now}::bigint, ${endedAt}::bigint,
      ${input.lastsUntil}::bigint, ${input.notifiedAt}::bigint, 0)
    on conflict (code) do update set product_id = excluded.product_id, kind = excluded.kind, name = excluded.name,
      translations = excluded.translations,
      details = excluded.details, state = excluded.state, ended_at = excluded.ended_at, lasts_until = excluded.lasts_until,
      told_at = excluded.told_at
    where renewal.told_at < excluded.told_at`.execute(tx)
}

export async function setChargedFirst(tx: Tx, id: string, isChargedFirst: boolean): Promise<void> {
  await tx.updateTable('renewal').set({ is_charged_first: isChargedFirst }).where('id', '=', id).execute()
}

export async function setSigned(
  tx: Tx,
  id: string,
  input: { readonly providerNo: string; readonly app: string; readonly now: Millis },
): Promise<void> {
  await tx
    .updateTable('renewal')
    .set({
      state: 'active',
      provider_no: input.providerNo,
      app: input.app,
      signed_at: input.now,
      next_at: input.now,
    })
    .where('id', '=', id)
    .execute()
}

/** `providerNo`: of a contract that is only now known by it. */
export async function setEnded(
  tx: Tx,
  id: string,
  input: { readonly now: Millis; readonly isEndDue: boolean; readonly providerNo?: string },
): Promise<void> {
  await tx
    .updateTable('renewal')
    .set({
      state: 'ended',
      ended_at: input.now,
      is_end_due: input.isEndDue,
      next_at: input.now,
      ...(input.providerNo !== undefined && { provider_no: input.providerNo }),
    })
    .where('id', '=', id)
    .execute()
}

/** Ends what is not over of a person, and what they were offered. */
export async function endAll(tx: Tx, userId: UserId, now: Millis): Promise<void> {
  await sql`
    update renewal set state = 'ended', ended_at = ${now}::bigint, is_end_due = (state = 'active'), next_at = ${now}::bigint
    where user_id = ${userId}::bigint and state <> 'ended' and way <> 'apple'`.execute(tx)
}

/** The provider knows that it is over. */
export async function setEndNotified(db: Db, id: string): Promise<void> {
  await db.updateTable('renewal').set({ is_end_due: false }).where('id', '=', id).execute()
}

/** The provider has to be told again that it is over. */
export async function setEndDue(db: Db, id: string, now: Millis): Promise<void> {
  await db.updateTable('renewal').set({ is_end_due: true, next_at: now }).where('id', '=', id).execute()
}

/** A turn that is further away than the longest pause was set while the clock was wrong: it is due. */
const isDue = (now: Millis) =>
  sql<boolean>`(next_at <= ${now}::bigint or next_at > ${now + TURN_MAX_MS}::bigint)`

/** Contracts of a way that somebody should look at now, those that wait the longest first. */
export async function due(db: Db, way: PayWay, now: Millis, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text from renewal
    where way = ${way} and (state <> 'ended' or is_end_due) and ${isDue(now)}
    order by next_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The contract, when it is due and nobody else looks at it; null otherwise. It is due again at `nextAt`. */
export async function takeTurn(db: Db, id: string, now: Millis, nextAt: Millis): Promise<RenewalRow | null> {
  const { rows } = await sql<RenewalRow>`
    update renewal set next_at = ${nextAt}::bigint
    where id = ${id}::bigint and (state <> 'ended' or is_end_due) and ${isDue(now)}
    returning ${columns}`.execute(db)
  return rows[0] ?? null
}

export async function setNextAt(db: Db, id: string, nextAt: Millis): Promise<void> {
  await db.updateTable('renewal').set({ next_at: nextAt }).where('id', '=', id).execute()
}

export async function findCycle(db: Db, renewalId: string, endsAt: Millis): Promise<CycleRow | null> {
  const { rows } = await sql<CycleRow>`
    select ${cycles} from renewal_cycle
    where renewal_id = ${renewalId}::bigint and ends_at = ${endsAt}::bigint`.execute(db)
  return rows[0] ?? null
}

/** The period that was looked at last. */
export async function lastCycle(db: Db, renewalId: string): Promise<CycleRow | null> {
  const { rows } = await sql<CycleRow>`
    select ${cycles} from renewal_cycle where renewal_id = ${renewalId}::bigint and outcome is not null
    order by ends_at desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** The period that ends at a moment, made when it is not there. */
export async function openCycle(
  tx: Tx,
  input: { readonly renewalId: string; readonly endsAt: Millis; readonly fee: Fen },
): Promise<CycleRow> {
  await sql`
    insert into renewal_cycle (renewal_id, ends_at, fee)
    values (${input.renewalId}::bigint, ${input.endsAt}::bigint, ${input.fee}::bigint)
    on conflict (renewal_id, ends_at) do nothing`.execute(tx)
  return (await findCycle(tx, input.renewalId, input.endsAt))!
}

/** Periods of a contract whose purchase was placed and whose outcome is not stored. */
export async function chargedCycles(db: Db, renewalId: string): Promise<CycleRow[]> {
  const { rows } = await sql<CycleRow>`
    select ${cycles} from renewal_cycle
    where renewal_id = ${renewalId}::bigint and order_id is not null and outcome is null`.execute(db)
  return rows
}

export async function setTried(db: Db, id: string, now: Millis): Promise<void> {
  await sql`
    update renewal_cycle set tried_at = ${now}::bigint, tries = tries + 1 where id = ${id}::bigint`.execute(
    db,
  )
}

export async function setAnnounced(tx: Tx, id: string, now: Millis): Promise<void> {
  await tx
    .updateTable('renewal_cycle')
    .set({ announced_at: now, tried_at: null })
    .where('id', '=', id)
    .execute()
}

export async function setCycleOrder(tx: Tx, id: string, orderId: string): Promise<void> {
  await tx.updateTable('renewal_cycle').set({ order_id: orderId }).where('id', '=', id).execute()
}

/** False when another outcome is stored. */
export async function setOutcome(
  tx: Tx,
  id: string,
  outcome: NonNullable<CycleRow['outcome']>,
): Promise<boolean> {
  const row = await tx
    .updateTable('renewal_cycle')
    .set({ outcome })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** More than end in a day; the index by number finds them. */
const CYCLES_COUNTED = 20_000

/** How the periods ended that were tried since then. */
export async function outcomesSince(
  db: Db,
  since: Millis,
): Promise<Readonly<Record<NonNullable<CycleRow['outcome']>, number>>> {
  const { rows } = await sql<{ outcome: NonNullable<CycleRow['outcome']>; n: number }>`
    select outcome, count(*)::int as n
    from (select outcome, tried_at from renewal_cycle order by id desc limit ${CYCLES_COUNTED}) newest
    where outcome is not null and tried_at >= ${since}::bigint group by outcome`.execute(db)
  const counts = { charged: 0, notice: 0, charge: 0 }
  for (const { outcome, n } of rows) counts[outcome] = n
  return counts
}
