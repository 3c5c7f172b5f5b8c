/** Products and their changes. */
import type { ProductTranslations } from '@guildhall/wire/product/translation.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { int8 } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'

/** A product; `details` is what one of it grants, as its kind reads it. */
export interface ProductRow {
  readonly id: number
  readonly kind: string
  readonly name: string
  readonly price: number
  readonly origin_price: number
  readonly discount_label: string
  readonly buy_tip: string
  /** What it says in other languages than the default. */
  readonly translations: ProductTranslations
  readonly market: number
  readonly group_id: number
  readonly period_buy: boolean
  readonly details: Readonly<Record<string, unknown>>
  readonly place: number
  readonly retired_at: number | null
}

export type NewProduct = Omit<ProductRow, 'id' | 'retired_at'>
/** What of a product changes, with the new values. */
export type Fields = Partial<Omit<ProductRow, 'id'>>

export interface ChangeRow {
  readonly id: string
  readonly product_id: number
  readonly fields: Fields
  readonly valid_from: Millis
  readonly at: Millis
  /** An id, or `operator`. */
  readonly actor: string
  readonly reason: string
  /** Who else agreed; null: it needed nobody. */
  readonly approved_by: string | null
  /** Null: it was not taken back. */
  readonly withdrawn_at: Millis | null
  readonly withdrawn_by: string | null
  readonly withdrawn_why: string | null
}

/**
 * Products as they are at a moment: the row, and then each change that is valid by then, the later over the
 * earlier.
 */
async function productsAt(db: Db, at: Millis, id: number | null): Promise<ProductRow[]> {
  const { rows } = await sql<{ it: ProductRow & { created_at: number } }>`
    select to_jsonb(product) || coalesce(changed.fields, '{}') as it from product
    left join lateral (
      -- Of a name that is there twice, the last one stays.
      select jsonb_object_agg(field.key, field.value order by change.valid_from, change.id) as fields
      from product_change change, jsonb_each(change.fields) field
      where change.product_id = product.id and change.valid_from <= ${at}::bigint
        and not exists (select from product_withdrawal it where it.change_id = change.id)
    ) changed on true
    where ${id}::integer is null or product.id = ${id}`.execute(db)
  return rows.map(({ it: { created_at: _, ...row } }) => row)
}

export async function byId(db: Db, id: number, at: Millis): Promise<ProductRow | null> {
  return (await productsAt(db, at, id))[0] ?? null
}

const byPosition = (a: ProductRow, b: ProductRow) => a.place - b.place || a.id - b.id

/** All products by kind and position. There are dozens of them. */
export async function all(db: Db, at: Millis): Promise<ProductRow[]> {
  const found = await productsAt(db, at, null)
  return found.sort((a, b) => (a.kind === b.kind ? byPosition(a, b) : a.kind < b.kind ? -1 : 1))
}

/** Serialises the changes of a product, until the transaction ends. False: there is none of this id. */
export async function lock(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`select id from product where id = ${id} for update`.execute(tx)
  return rows.length > 0
}

export async function add(tx: Tx, input: NewProduct, now: Millis): Promise<number> {
  const { id } = await tx
    .insertInto('product')
    .values({
      ...input,
      details: JSON.stringify(input.details),
      translations: JSON.stringify(input.translations),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Also in the row, which the version before reads. */
export async function setNow(tx: Tx, id: number, { details, translations, ...rest }: Fields): Promise<void> {
  await tx
    .updateTable('product')
    .set({
      ...rest,
      ...(details && { details: JSON.stringify(details) }),
      ...(translations && { translations: JSON.stringify(translations) }),
    })
    .where('id', '=', id)
    .execute()
}

export async function addChange(
  tx: Tx,
  input: Pick<ChangeRow, 'product_id' | 'fields' | 'valid_from' | 'at' | 'actor' | 'reason' | 'approved_by'>,
): Promise<string> {
  const { id } = await tx
    .insertInto('product_change')
    .values({ ...input, fields: JSON.stringify(input.fields) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const changes = sql.raw(
  `change.id::text, change.product_id, change.fields, change.valid_from::float8 as valid_from, change.at::float8 as at, change.actor,
   change.reason, change.approved_by, gone.at::float8 as withdrawn_at, gone.actor as withdrawn_by, gone.reason as withdrawn_why`,
)

/**
 * The price that is valid at a moment, of those alone to which more than one member of staff, or the
 * operator, agreed. Null: there is none.
 */
export async function agreedPrice(db: Db, id: number, at: Millis): Promise<number | null> {
  const { rows } = await sql<{ price: number }>`
    select (fields->>'price')::int as price from product_change change
    where product_id = ${id} and fields ? 'price' and valid_from <= ${at}::bigint
      and (actor = 'operator' or approved_by is not null)
      and not exists (select from product_withdrawal it where it.change_id = change.id)
    order by valid_from desc, change.id desc limit 1`.execute(db)
  return rows[0]?.price ?? null
}

/** The changes of a product, the last one that was made first. */
export async function changesOf(
  db: Db,
  productId: number,
  input: { readonly before: number | null; readonly limit: number },
): Promise<ChangeRow[]> {
  const before = input.before === null ? null : int8(input.before)
  const { rows } = await sql<ChangeRow>`
    select ${changes} from product_change change left join product_withdrawal gone on gone.change_id = change.id
    where change.product_id = ${productId} and (${before}::bigint is null or change.id < ${before}::bigint)
    order by change.id desc limit ${input.limit}`.execute(db)
  return rows
}

/** The change of an id, locked with its product until the transaction ends. */
export async function lockChange(tx: Tx, id: string): Promise<ChangeRow | null> {
  const { rows: found } = await sql<{ product_id: number }>`
    select product_id from product_change where id = ${id}::bigint`.execute(tx)
  const [known] = found
  if (!known || !(await lock(tx, known.product_id))) return null
  const { rows } = await sql<ChangeRow>`
    select ${changes} from product_change change left join product_withdrawal gone on gone.change_id = change.id
    where change.id = ${id}::bigint`.execute(tx)
  return rows[0] ?? null
}

/** Changes that are still to come, the next one first. */
export async function planned(db: Db, now: Millis, limit: number): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select ${changes} from product_change change left join product_withdrawal gone on gone.change_id = change.id
    where change.valid_from > ${now}::bigint and gone.change_id is null
    order by change.valid_from, change.id limit ${limit}`.execute(db)
  return rows
}

export async function withdraw(
  tx: Tx,
  input: { readonly change_id: string; readonly at: Millis; readonly actor: string; readonly reason: string },
): Promise<void> {
  await tx.insertInto('product_withdrawal').values(input).execute()
}
