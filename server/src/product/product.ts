/**
 * What is sold: products, and their prices by the clock. A product is what its changes say that are valid
 * when it is read. Decision 84.
 */

import { isDeepStrictEqual } from 'node:util'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import type { BrowserScene, PayWay } from '@guildhall/wire/payWay.ts'
import { market, type Product } from '@guildhall/wire/product/product.ts'
import { wordIn } from '@guildhall/wire/product/translation.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import * as rows from './sql.ts'

export type { ChangeRow, Fields, ProductRow } from './sql.ts'

/** The product as the shop's pages show it, in a language. */
export const productOf = (row: rows.ProductRow, locale: Locale): Product => ({
  id: row.id,
  name: wordIn(row, 'name', locale),
  price: row.price,
  origin_price: row.origin_price,
  discount_label: wordIn(row, 'discount_label', locale),
  buy_tip: wordIn(row, 'buy_tip', locale),
  period_buy: row.period_buy,
  group_id: row.group_id,
  ...(typeof row.details.days === 'number' && { days: row.details.days }),
})

/**
 * The ways to pay in a browser, and those that sign what renews itself there; none where the operator allows
 * no buying in browsers.
 */
export interface BrowserPaying {
  readonly browser_ways: PayWay[]
  readonly renewing_ways: Record<BrowserScene, PayWay[]>
}

/** What selling needs that the nouns of the shop do not know. */
export interface Selling {
  readonly paying: BrowserPaying
  /** Whether what somebody has of a kind renews itself. */
  readonly hasRenewal: (userId: UserId, kind: string) => Promise<boolean>
}

/**
 * A product that may be ordered in a market; in any, when none is named.
 * @throws Failure product.unknown, product.retired, product.market
 */
export async function productForSale(db: Db, id: number, where?: number): Promise<rows.ProductRow> {
  if (where !== undefined) requireMarket(where)
  const row = await rows.byId(db, id, clock.now())
  if (!row) throw fail('product.unknown')
  if (row.retired_at !== null) throw fail('product.retired')
  if (where !== undefined && row.market !== where) throw fail('product.market')
  return row
}

/**
 * The products of a kind on sale in a market, in their order.
 * @throws Failure product.market
 */
export async function productsForSale(db: Db, kind: string, where: number): Promise<rows.ProductRow[]> {
  requireMarket(where)
  const found = await rows.all(db, clock.now())
  return found.filter((it) => it.kind === kind && it.market === where && it.retired_at === null)
}

/** @throws Failure product.market */
function requireMarket(value: number): void {
  if (!Object.values(market).includes(value as 0)) throw fail('product.market')
}

/** A product, also a retired one; null: there is none of this id. */
export const findProduct = (db: Db, id: number): Promise<rows.ProductRow | null> =>
  rows.byId(db, id, clock.now())

/** All products, also the retired ones. */
export const allProducts = (db: Db): Promise<rows.ProductRow[]> => rows.all(db, clock.now())

/** Who changes a product, why, and from when on. */
export interface Changing {
  /** An id, or `operator`. */
  readonly actor: string
  readonly reason: string
  /** ms; absent: at once. */
  readonly validFrom?: Millis | undefined
  /** Who else agreed; absent: it needed nobody. */
  readonly approvedBy?: string | undefined
}

const OPERATOR: Changing = { actor: 'operator', reason: '' }

/**
 * Adds a product, or with an id changes one, which puts it on sale again. Null: there is none of this id. The
 * product as it is from then on.
 * @throws Failure product.past
 */
export async function putProduct(
  tx: Tx,
  id: number | null,
  input: Partial<rows.NewProduct>,
  by: Changing = OPERATOR,
): Promise<rows.ProductRow | null> {
  if (id === null) return addProduct(tx, input as rows.NewProduct, by)
  const changed = await change(tx, id, { ...input, retired_at: null }, by)
  return changed?.after ?? null
}

async function addProduct(tx: Tx, input: rows.NewProduct, by: Changing): Promise<rows.ProductRow | null> {
  const now = clock.now()
  const id = await rows.add(tx, input, now)
  const fields = { ...input, retired_at: null }
  await rows.addChange(tx, {
    product_id: id,
    fields,
    valid_from: now,
    at: now,
    actor: by.actor,
    reason: by.reason,
    approved_by: null,
  })
  return rows.byId(tx, id, now)
}

/**
 * Takes a product off sale; orders of it go on. False: there is none of this id on sale. @throws Failure
 * product.past
 */
export async function retireProduct(tx: Tx, id: number, by: Changing = OPERATOR): Promise<boolean> {
  const known = await rows.byId(tx, id, clock.now())
  if (!known || known.retired_at !== null) return false
  const changed = await change(tx, id, { retired_at: by.validFrom ?? clock.now() }, by)
  return changed !== null && changed.changeId !== null
}

/** What became of a change. */
export interface Changed {
  /** Null: the product is so already. */
  readonly changeId: string | null
  /** What of it changes. */
  readonly fields: rows.Fields
  readonly before: rows.ProductRow
  readonly after: rows.ProductRow
}

/**
 * Changes a product from a moment on: whoever reads it later reads the new values, and no work has to be done
 * then. Orders that were placed keep theirs.
 * @throws Failure product.unknown, product.unchanged (also for the second tap), product.past
 */
export async function changeProduct(tx: Tx, id: number, fields: rows.Fields, by: Changing): Promise<Changed> {
  const changed = await change(tx, id, fields, by)
  if (!changed) throw fail('product.unknown')
  if (changed.changeId === null) throw fail('product.unchanged')
  return changed
}

/** Null: there is no such product. @throws Failure product.past */
async function change(tx: Tx, id: number, wanted: rows.Fields, by: Changing): Promise<Changed | null> {
  if (!(await rows.lock(tx, id))) return null
  const now = clock.now()
  const from = by.validFrom ?? now
  if (from < now) throw fail('product.past')
  const before = (await rows.byId(tx, id, from))!
  const fields = differing(before, wanted)
  if (Object.keys(fields).length === 0) return { changeId: null, fields, before, after: before }
  const changeId = await rows.addChange(tx, {
    product_id: id,
    fields,
    valid_from: from,
    at: now,
    actor: by.actor,
    reason: by.reason,
    approved_by: by.approvedBy ?? null,
  })
  if (from === now) await rows.setNow(tx, id, fields)
  return { changeId, fields, before, after: (await rows.byId(tx, id, from))! }
}

/** Of some values, those that a product does not have. Off sale is off sale, since whenever. */
const differing = (row: rows.ProductRow, wanted: rows.Fields): rows.Fields =>
  Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) =>
      field === 'retired_at'
        ? (row.retired_at === null) !== (value === null)
        : !isDeepStrictEqual(row[field as keyof rows.ProductRow], value),
    ),
  )

/**
 * Takes a change back that is not valid yet. Answers it, the agreed price of its moment as it was before, and
 * the product as it will be then.
 * @throws Failure product.no_plan: there is none, it was taken back, or it is valid by now
 */
export async function withdrawChange(
  tx: Tx,
  changeId: string,
  by: Pick<Changing, 'actor' | 'reason'>,
): Promise<{
  readonly planned: rows.ChangeRow
  readonly agreedPrice: number | null
  readonly after: rows.ProductRow
}> {
  const found = await rows.lockChange(tx, changeId)
  const at = clock.now()
  if (!found || found.withdrawn_at !== null || found.valid_from <= at) throw fail('product.no_plan')
  const { product_id, valid_from } = found
  const agreed = await rows.agreedPrice(tx, product_id, valid_from)
  await rows.withdraw(tx, { change_id: changeId, at, actor: by.actor, reason: by.reason })
  return { planned: found, agreedPrice: agreed, after: (await rows.byId(tx, product_id, valid_from))! }
}

/**
 * The price at a moment, ms, to which more than one member of staff, or the operator, agreed; null: there is
 * none.
 */
export const agreedPrice = rows.agreedPrice

/** The changes of a product, the last one that was made first, those before one. */
export const changesOf = rows.changesOf

/** Changes of all products that are still to come, the next one first. */
export const plannedChanges = (db: Db, limit: number): Promise<rows.ChangeRow[]> =>
  rows.planned(db, clock.now(), limit)
