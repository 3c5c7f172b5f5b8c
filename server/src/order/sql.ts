/** Orders, their lines and their steps. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { OrderState, OrderStep } from '@guildhall/wire/order/state.ts'
import type { ProductTranslations } from '@guildhall/wire/product/translation.ts'
import type { Fen, Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { countRows } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'

export interface OrderRow {
  readonly id: string
  readonly code: string
  readonly user_id: UserId
  readonly receiver_id: UserId | null
  readonly guild_id: GuildId | null
  readonly state: OrderState
  readonly pay_fee: Fen
  readonly refund_fee: Fen
  readonly is_granted: boolean
  readonly grant_tries: number
  readonly request: string
  readonly created_at: Millis
  readonly expires_at: Millis
}

export interface LineRow {
  readonly order_id: string
  readonly product_id: number
  readonly kind: string
  readonly name: string
  readonly count: number
  readonly price: Fen
  /** Its name in other languages than the default. */
  readonly translations: ProductTranslations
  readonly details: unknown
}

export interface StepRow {
  readonly step: OrderStep
  readonly from_state: OrderState
  readonly to_state: OrderState
  readonly actor: string
  readonly note: string
  readonly at: Millis
}

const columns = sql.raw(
  `"order".id::text, "order".code, "order".user_id::text, "order".receiver_id::text, "order".guild_id::text, "order".state,
   "order".pay_fee::float8 as pay_fee, "order".refund_fee::float8 as refund_fee, "order".is_granted, "order".grant_tries,
   "order".request, "order".created_at::float8 as created_at, "order".expires_at::float8 as expires_at`,
)

export async function byId(db: Db, id: string): Promise<OrderRow | null> {
  const { rows } = await sql<OrderRow>`select ${columns} from "order" where id = ${id}::bigint`.execute(db)
  return rows[0] ?? null
}

/** The row, locked until the transaction ends. */
export async function lock(tx: Tx, id: string): Promise<OrderRow | null> {
  const { rows } = await sql<OrderRow>`
    select ${columns} from "order" where id = ${id}::bigint for update`.execute(tx)
  return rows[0] ?? null
}

export async function byCode(db: Db, code: string): Promise<OrderRow | null> {
  const { rows } = await sql<OrderRow>`select ${columns} from "order" where code = ${code}`.execute(db)
  return rows[0] ?? null
}

export async function byKey(db: Db, userId: UserId, key: string): Promise<OrderRow | null> {
  const { rows } = await sql<OrderRow>`
    select ${columns} from "order" where user_id = ${userId}::bigint and key = ${key}`.execute(db)
  return rows[0] ?? null
}

export async function linesOf(db: Db, orderIds: readonly string[]): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    select order_id::text, product_id, kind, name, count, price::float8 as price, translations, details from order_line
    where order_id = any(${orderIds}::bigint[]) order by order_id, place`.execute(db)
  return rows
}

export async function stepsOf(db: Db, orderId: string): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`
    select step, from_state, to_state, actor, note, at::float8 as at from order_step
    where order_id = ${orderId}::bigint order by id`.execute(db)
  return rows
}

/** Orders of a person that wait for their payment. */
export async function countOpen(db: Db, userId: UserId): Promise<number> {
  const row = await db
    .selectFrom('order')
    .select((eb) => countRows(eb).as('n'))
    .where('user_id', '=', userId)
    .where('state', 'in', ['placed', 'paying'])
    .executeTakeFirstOrThrow()
  return row.n
}

/** Serialises what one person orders, until the transaction ends. */
export async function lockBuyer(tx: Tx, userId: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`orders of ${userId}`}, 0))`.execute(tx)
}

export async function add(
  tx: Tx,
  input: {
    readonly code: string
    readonly user_id: UserId
    readonly key: string
    readonly request: string
    readonly receiver_id: UserId | null
    readonly guild_id: GuildId | null
    readonly pay_fee: Fen
    readonly created_at: Millis
    readonly expires_at: Millis
  },
  lines: readonly Omit<LineRow, 'order_id'>[],
): Promise<string> {
  const { id } = await tx
    .insertInto('order')
    .values({ ...input, state: 'placed', kinds: [...new Set(lines.map(({ kind }) => kind))] })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('order_line')
    .values(
      lines.map((line, position) => ({
        ...line,
        details: JSON.stringify(line.details),
        translations: JSON.stringify(line.translations),
        order_id: id,
        place: position,
      })),
    )
    .execute()
  return id
}

export async function setState(
  tx: Tx,
  input: {
    readonly id: string
    readonly step: OrderStep
    readonly from: OrderState
    readonly to: OrderState
    readonly actor: string
    readonly note: string
    readonly now: Millis
  },
): Promise<void> {
  await sql`
    with changed as (update "order" set state = ${input.to} where id = ${input.id}::bigint)
    insert into order_step (order_id, step, from_state, to_state, actor, note, at)
    values (${input.id}::bigint, ${input.step}, ${input.from}, ${input.to}, ${input.actor}, ${input.note}, ${input.now}::bigint)`.execute(
    tx,
  )
}

export async function setGranted(tx: Tx, id: string, isGranted: boolean): Promise<void> {
  await tx.updateTable('order').set({ is_granted: isGranted }).where('id', '=', id).execute()
}

/** One more attempt to grant it failed; how many there were. */
export async function countGrantTry(tx: Tx, id: string): Promise<number> {
  const row = await tx
    .updateTable('order')
    .set((eb) => ({ grant_tries: eb('grant_tries', '+', 1) }))
    .where('id', '=', id)
    .returning('grant_tries')
    .executeTakeFirst()
  return row?.grant_tries ?? 0
}

export async function addRefunded(tx: Tx, id: string, fee: Fen): Promise<void> {
  await sql`update "order" set refund_fee = refund_fee + ${fee}::bigint where id = ${id}::bigint`.execute(tx)
}

/** Orders after an id that are over their time and were not paid, in order. */
export async function expired(db: Db, now: Millis, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text from "order"
    where state in ('placed', 'paying') and expires_at < ${now}::bigint and id > ${after}::bigint
    order by "order".id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Orders after an id whose money is here and whose grant is not, in order: those of which nothing happened
 * for `quietMs`. A step of the future was taken while the clock was wrong, and does not count.
 */
export async function ungranted(
  db: Db,
  input: { readonly now: Millis; readonly quietMs: Millis },
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select it.id::text from "order" it
    where it.state = 'paid' and it.id > ${after}::bigint and not exists (
      select 1 from order_step step
      where step.order_id = it.id and step.at > ${input.now - input.quietMs}::bigint and step.at <= ${input.now}::bigint)
    order by it.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export interface OrderFilter {
  readonly state: OrderState | null
  readonly userId: UserId | null
  /** The last id of the part before. */
  readonly before: string | null
}

/** Orders, the newest first. */
export async function list(db: Db, input: OrderFilter, limit: number): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select ${columns} from "order"
    where (${input.state}::text is null or state = ${input.state})
      and (${input.userId}::bigint is null or user_id = ${input.userId}::bigint)
      and (${input.before}::bigint is null or id < ${input.before}::bigint)
    order by id desc limit ${limit}`.execute(db)
  return rows
}

/** Orders that were placed within a time. */
export async function countPlaced(
  db: Db,
  input: { readonly from: Millis; readonly to: Millis },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from "order" where created_at >= ${input.from}::bigint and created_at < ${input.to}::bigint`.execute(
    db,
  )
  return rows[0]!.n
}
