/**
 * Products and prices as staff see and change them. What they change is valid from a moment on, and stays in
 * a history.
 */

import { LABEL_MAX, PRODUCT_NAME_MAX, productTranslations, TIP_MAX } from '../product/translation.ts'
import { route } from '../route.ts'
import { flag, int, type Out, text, z } from '../schema.ts'
import { readName, readWords } from '../words.ts'
import { REASON_MAX } from './orders.ts'
import { approvalId, waited } from './staff.ts'

/** Rows of one page of a history. */
export const CHANGES_PAGE = 50
/** Changes of all products that may be still to come. */
export const PLANS_MAX = 200
/** No price is higher, fen. */
export const PRICE_MAX = 10_000_000

const productId = int(1, 2 ** 31 - 1)

/** What staff change of a product; what is absent stays. Money is in fen. */
const fields = {
  name: z.optional(text(PRODUCT_NAME_MAX, 1, readName)),
  price: z.optional(int(1, PRICE_MAX)),
  /** The price before a discount; 0: there is none. */
  origin_price: z.optional(int(0, PRICE_MAX)),
  discount_label: z.optional(text(LABEL_MAX, 0, readWords)),
  buy_tip: z.optional(text(TIP_MAX, 0, readWords)),
  /** All of them: what is absent here is forgotten. */
  translations: z.optional(productTranslations),
  on_sale: z.optional(flag()),
}

/** A change of a product, as it was made. */
export const productChange = z.object({
  id: z.string(),
  product_id: z.number(),
  /** Columns with their new values; `on_sale` says whether it is sold. */
  fields: z.record(z.string(), z.unknown()),
  /** ms */
  valid_from: z.number(),
  at: z.number(),
  /** An id, or `operator`; their name, empty for operators. */
  actor: z.string(),
  actor_name: z.string(),
  reason: z.string(),
  /** Planned: it is not valid yet. Withdrawn: it was taken back and never was. */
  state: z.enum(['planned', 'valid', 'withdrawn']),
  /** Who took it back, when and why; 0 and empty: nobody. */
  withdrawn_at: z.number(),
  withdrawn_by: z.string(),
  withdrawn_why: z.string(),
})
export type ProductChange = Out<typeof productChange>

/** A product as it is now. */
export const staffProduct = z.object({
  id: z.number(),
  kind: z.string(),
  name: z.string(),
  price: z.number(),
  origin_price: z.number(),
  discount_label: z.string(),
  buy_tip: z.string(),
  translations: productTranslations,
  market: z.number(),
  group_id: z.number(),
  period_buy: z.boolean(),
  /** What one of it grants. */
  details: z.record(z.string(), z.unknown()),
  on_sale: z.boolean(),
  /** Changes that are still to come, the next one first. */
  planned: z.array(productChange),
})
export type StaffProduct = Out<typeof staffProduct>

/** All products. There are dozens of them. */
export const listStaffProducts = route({
  method: 'GET',
  path: '/api/v3/staff/products',
  dialect: 'v3',
  who: 'staff',
  right: 'price',
  input: z.object({}),
  answer: z.object({ items: z.array(staffProduct) }),
  fails: [],
})

/** Who changed what of a product, when and why, the last change first; those before `before`. */
export const listProductChanges = route({
  method: 'GET',
  path: '/api/v3/staff/product-changes',
  dialect: 'v3',
  who: 'staff',
  right: 'price',
  input: z.object({ product_id: productId, before: z.optional(int(1)) }),
  answer: z.object({ items: z.array(productChange), has_more: z.boolean() }),
  fails: ['product.unknown'],
})

/**
 * Changes a product from `valid_from` on, ms; absent: at once. Orders that were placed keep their price. A
 * price that changes by much waits.
 */
export const changeStaffProduct = route({
  method: 'POST',
  path: '/api/v3/staff/product-change',
  dialect: 'v3',
  who: 'staff',
  right: 'price',
  input: z.object({
    product_id: productId,
    ...fields,
    valid_from: z.optional(int(1)),
    reason: text(REASON_MAX, 1, readWords),
  }),
  answer: z.object({ change_id: z.string(), approval_id: approvalId }),
  fails: ['product.unknown', 'product.unchanged', 'product.past'],
})

/** Takes a change back before it is valid. It waits when a price becomes another by much. */
export const withdrawProductChange = route({
  method: 'POST',
  path: '/api/v3/staff/product-withdraw',
  dialect: 'v3',
  who: 'staff',
  right: 'price',
  input: z.object({ change_id: int(1), reason: text(REASON_MAX, 1, readWords) }),
  answer: waited,
  fails: ['product.no_plan'],
})
