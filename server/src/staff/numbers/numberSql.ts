/** The numbers of each day. */
import type { NumberDay } from '@guildhall/wire/staff/numbers.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database/db.ts'

/** A day as it is counted. `messages` are counted up to `messages_until`. */
export interface DayRow extends NumberDay {
  readonly messages_until: Millis
  readonly counted_at: Millis
  readonly is_final: boolean
}

const columns = sql.raw(
  `day, registrations, active, messages, messages_until::float8 as messages_until, orders, paid_orders,
   gross_wechat::float8 as gross_wechat, gross_alipay::float8 as gross_alipay, refunds_wechat::float8 as refunds_wechat,
   refunds_alipay::float8 as refunds_alipay, counted_at::float8 as counted_at, is_final`,
)

/** Adds days that are not there, with nothing counted of them. */
export async function addDays(
  db: Db,
  days: readonly { readonly day: string; readonly from: Millis }[],
): Promise<void> {
  await sql`
    insert into number_day (day, messages_until)
    select * from unnest(${days.map(({ day }) => day)}::text[], ${days.map(({ from }) => from)}::bigint[])
    on conflict do nothing`.execute(db)
}

/**
 * Days up to today that can still change, the newest first; and those that were counted in the future, while
 * the clock was wrong.
 */
export async function openDays(db: Db, today: string, now: Millis): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day from number_day where day <= ${today} and (not is_final or counted_at > ${now}::bigint)
    order by day desc`.execute(db)
  return rows.map(({ day }) => day)
}

/** The row, locked; null: somebody else counts it now. */
export async function takeDay(tx: Tx, day: string): Promise<DayRow | null> {
  const { rows } = await sql<DayRow>`
    select ${columns} from number_day where day = ${day} for update skip locked`.execute(tx)
  return rows[0] ?? null
}

export async function storeDay(tx: Tx, { day, ...it }: DayRow): Promise<void> {
  await tx.updateTable('number_day').set(it).where('day', '=', day).execute()
}

/** Days from one to another, both included, the oldest first. */
export async function days(db: Db, from: string, to: string): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select ${columns} from number_day where day >= ${from} and day <= ${to} order by day`.execute(db)
  return rows
}
