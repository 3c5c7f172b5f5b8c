/** Products. */
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/db.ts'

/** A product; `details` is what one of it grants, as its kind reads it. */
export interface ProductRow {
  readonly id: number
  readonly kind: string
  readonly name: string
  readonly price: number
  readonly origin_price: number
  readonly discount_label: string
  readonly buy_tip: string
  readonly market: number
  readonly group_id: number
  readonly period_buy: boolean
  readonly details: Readonly<Record<string, unknown>>
  readonly place: number
  readonly retired_at: number | null
}

export type NewProduct = Omit<ProductRow, 'id' | 'retired_at'>

const columns = sql.raw(
  `id, kind, name, price::float8 as price, origin_price::float8 as origin_price, discount_label, buy_tip, market, group_id,
   period_buy, details, place, retired_at::float8 as retired_at`,
)

export async function byId(db: Db, id: number): Promise<ProductRow | null> {
  const { rows } = await sql<ProductRow>`select ${columns} from product where id = ${id}`.execute(db)
  return rows[0] ?? null
}

export async function forSale(db: Db, kind: string, market: number): Promise<ProductRow[]> {
  const { rows } = await sql<ProductRow>`
    select ${columns} from product where kind = ${kind} and market = ${market} and retired_at is null
    order by place, id`.execute(db)
  return rows
}

export async function all(db: Db): Promise<ProductRow[]> {
  const { rows } = await sql<ProductRow>`select ${columns} from product order by kind, place, id`.execute(db)
  return rows
}

export async function add(tx: Tx, it: NewProduct, now: number): Promise<ProductRow> {
  const { id } = await tx
    .insertInto('product')
    .values({ ...it, details: JSON.stringify(it.details), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return (await byId(tx, id))!
}

export async function change(tx: Tx, id: number, it: Partial<NewProduct>): Promise<ProductRow | null> {
  const { details, ...rest } = it
  await tx
    .updateTable('product')
    .set({ ...rest, ...(details && { details: JSON.stringify(details) }), retired_at: null })
    .where('id', '=', id)
    .execute()
  return byId(tx, id)
}

export async function retire(tx: Tx, id: number, now: number): Promise<boolean> {
  const row = await tx
    .updateTable('product')
    .set({ retired_at: now })
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
