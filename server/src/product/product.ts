/** What is sold: products, their prices, and the kinds that grant them. */
import { fail } from '@guildhall/wire/failure.ts'
import { market, type Product } from '@guildhall/wire/product/product.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/db.ts'
import * as rows from './sql.ts'

export type { ProductRow } from './sql.ts'

/** The product as the shop's pages show it. */
export const productOf = (row: rows.ProductRow): Product => ({
  id: row.id,
  name: row.name,
  price: row.price,
  origin_price: row.origin_price,
  discount_label: row.discount_label,
  buy_tip: row.buy_tip,
  period_buy: row.period_buy,
  group_id: row.group_id,
})

/**
 * A product that may be ordered in a market; in any, when none is named.
 * @throws Failure product.unknown, product.retired, product.market
 */
export async function productForSale(db: Db, id: number, where?: number): Promise<rows.ProductRow> {
  if (where !== undefined) requireMarket(where)
  const row = await rows.byId(db, id)
  if (!row) throw fail('product.unknown')
  if (row.retired_at !== null) throw fail('product.retired')
  if (where !== undefined && row.market !== where) throw fail('product.market')
  return row
}

/**
 * The products of a kind on sale in a market, in their order.
 * @throws Failure product.market
 */
export function productsForSale(db: Db, kind: string, where: number): Promise<rows.ProductRow[]> {
  requireMarket(where)
  return rows.forSale(db, kind, where)
}

/** @throws Failure product.market */
function requireMarket(value: number): void {
  if (!Object.values(market).includes(value as 0)) throw fail('product.market')
}

/** A product, also a retired one; null: there is none of this id. */
export const findProduct = (db: Db, id: number): Promise<rows.ProductRow | null> => rows.byId(db, id)

/** All products, also the retired ones. */
export const allProducts = (db: Db): Promise<rows.ProductRow[]> => rows.all(db)

/** Adds a product, or with an id changes one, which puts it on sale again. Null: there is none of this id. */
export const putProduct = (
  tx: Tx,
  id: number | null,
  it: Partial<rows.NewProduct>,
): Promise<rows.ProductRow | null> =>
  id === null ? rows.add(tx, it as rows.NewProduct, clock.now()) : rows.change(tx, id, it)

/** Takes a product off sale; orders of it go on. False: there is none of this id on sale. */
export const retireProduct = (tx: Tx, id: number): Promise<boolean> => rows.retire(tx, id, clock.now())
