/**
 * Products and prices for staff. What a change means is in `product`; here it is shown, refused and recorded.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import {
  CHANGES_PAGE,
  type changeStaffProduct,
  type listProductChanges,
  type listStaffProducts,
  PLANS_MAX,
  type ProductChange,
  type withdrawProductChange,
} from '@guildhall/wire/staff/products.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { clock } from '../../kit/clock.ts'
import type { Db, Tx } from '../../kit/database/db.ts'
import {
  agreedPrice,
  allProducts,
  type ChangeRow,
  changeProduct,
  changesOf,
  type Fields,
  findProduct,
  type ProductRow,
  plannedChanges,
  withdrawChange,
} from '../../product/product.ts'
import { identitiesOf } from '../../user/user.ts'
import { record, type StaffActor } from '../staffAction.ts'

/** All products, each with what is planned of it. */
export async function staffProducts(db: Db): Promise<AnswerOf<typeof listStaffProducts>> {
  const [products, plans] = await Promise.all([allProducts(db), plannedChanges(db, PLANS_MAX)])
  const planned = Map.groupBy(await changesOnWire(db, plans), ({ product_id }) => product_id)
  return {
    items: products.map(({ place: _, retired_at, details, ...it }) => ({
      ...it,
      on_sale: retired_at === null,
      details: { ...details },
      planned: planned.get(it.id) ?? [],
    })),
  }
}

/** A page of the history of a product. @throws Failure product.unknown */
export async function historyOfProduct(
  db: Db,
  { product_id, before }: InputOf<typeof listProductChanges>,
): Promise<AnswerOf<typeof listProductChanges>> {
  if (!(await findProduct(db, product_id))) throw fail('product.unknown')
  const found = await changesOf(db, product_id, { before: before ?? null, limit: CHANGES_PAGE + 1 })
  return {
    items: await changesOnWire(db, found.slice(0, CHANGES_PAGE)),
    has_more: found.length > CHANGES_PAGE,
  }
}

/** Changes as staff read them; `on_sale` stands for when it was taken off sale. */
async function changesOnWire(db: Db, changes: readonly ChangeRow[]): Promise<ProductChange[]> {
  const now = clock.now()
  const ids = changes.flatMap((it) => [it.actor, it.withdrawn_by ?? '']).filter((id) => /^\d+$/.test(id))
  const identities = await identitiesOf(db, [...new Set(ids)] as UserId[])
  const nameOf = (id: string | null) => identities.get(id as UserId)?.username ?? ''
  return changes.map((it) => ({
    id: it.id,
    product_id: it.product_id,
    valid_from: it.valid_from,
    at: it.at,
    reason: it.reason,
    fields: shown(it.fields),
    actor: it.actor,
    actor_name: nameOf(it.actor),
    state: it.withdrawn_at !== null ? 'withdrawn' : it.valid_from > now ? 'planned' : 'valid',
    withdrawn_at: it.withdrawn_at ?? 0,
    withdrawn_why: it.withdrawn_why ?? '',
    withdrawn_by: nameOf(it.withdrawn_by) || (it.withdrawn_by ?? ''),
  }))
}

const shown = ({ retired_at, ...fields }: Fields): Record<string, unknown> => ({
  ...fields,
  ...(retired_at !== undefined && { on_sale: retired_at === null }),
})

/** What a change of a product makes of it. */
export interface ProductChanged {
  readonly changeId: string
  readonly product: ProductRow
  readonly before: Record<string, unknown>
  readonly after: Record<string, unknown>
  /** Prices that it leaves, each with the one that is then, fen. */
  readonly prices: readonly (readonly [from: number, to: number])[]
}

/**
 * Changes a product from a moment on.
 * @throws Failure product.unknown, product.unchanged, product.past
 */
export async function changeByStaff(
  tx: Tx,
  by: StaffActor,
  { product_id, valid_from: validFrom, reason, on_sale, ...fields }: InputOf<typeof changeStaffProduct>,
): Promise<ProductChanged> {
  const now = clock.now()
  const wanted: Fields = {
    ...given(fields),
    ...(on_sale !== undefined && { retired_at: on_sale ? null : (validFrom ?? now) }),
  }
  const agreed = await agreedPrice(tx, product_id, validFrom ?? now)
  const { actor, approvedBy } = by
  const changed = await changeProduct(tx, product_id, wanted, { actor, approvedBy, reason, validFrom })
  const before = shown(pick(changed.before, changed.fields))
  const after = shown(changed.fields)
  await record(tx, by, 'product change', {
    target: String(product_id),
    detail: { reason, change_id: changed.changeId, valid_from: validFrom ?? 'at once', before, after },
  })
  const price = changed.fields.price
  const left = [changed.before.price, agreed ?? changed.before.price]
  return {
    changeId: changed.changeId ?? '',
    product: changed.before,
    before,
    after,
    // Many small steps are no way around what one large step needs.
    prices: price === undefined ? [] : left.map((from) => [from, price]),
  }
}

/** The fields that are there. */
const given = (fields: object): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** What a product has in some fields. */
const pick = (row: ProductRow, fields: Fields): Fields =>
  Object.fromEntries(Object.keys(fields).map((field) => [field, row[field as keyof ProductRow]]))

/** Takes a planned change back. @throws Failure product.no_plan */
export async function withdrawByStaff(
  tx: Tx,
  by: StaffActor,
  input: InputOf<typeof withdrawProductChange>,
): Promise<ProductChanged & { readonly validFrom: Millis }> {
  const { reason } = input
  const {
    planned,
    agreedPrice: agreed,
    after,
  } = await withdrawChange(tx, String(input.change_id), {
    actor: by.actor,
    reason,
  })
  const { id: changeId, product_id, valid_from: validFrom, fields } = planned
  await record(tx, by, 'product withdraw', {
    target: String(product_id),
    detail: { reason, change_id: changeId, valid_from: validFrom, fields: shown(fields) },
  })
  return {
    changeId,
    product: after,
    validFrom,
    before: shown(fields),
    after: shown(pick(after, fields)),
    // What was planned back goes on as it was before: that is a price, too.
    prices: fields.price === undefined || agreed === null ? [] : [[agreed, after.price]],
  }
}
