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
import { clock } from '../kit/clock.ts'
import { type Db, transaction } from '../kit/database/db.ts'
import {
  allProducts,
  type ChangeRow,
  changeProduct,
  changesOf,
  type Fields,
  findProduct,
  type ProductRow,
  plannedChanges,
  withdrawChange,
} from '../product/product.ts'
import { facesOf } from '../user/user.ts'
import { record, type StaffActor } from './staffAction.ts'

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
  const faces = await facesOf(db, [...new Set(ids)] as UserId[])
  const nameOf = (id: string | null) => faces.get(id as UserId)?.username ?? ''
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

/**
 * Changes a product from a moment on.
 * @throws Failure product.unknown, product.unchanged, product.past
 */
export const changeByStaff = (
  db: Db,
  by: StaffActor,
  { product_id, valid_from: validFrom, reason, on_sale, ...fields }: InputOf<typeof changeStaffProduct>,
): Promise<{ change_id: string }> =>
  transaction(db, async (tx) => {
    const wanted: Fields = {
      ...given(fields),
      ...(on_sale !== undefined && { retired_at: on_sale ? null : (validFrom ?? clock.now()) }),
    }
    const changed = await changeProduct(tx, product_id, wanted, { actor: by.actor, reason, validFrom })
    await record(tx, by, 'product change', {
      target: String(product_id),
      detail: {
        reason,
        change_id: changed.changeId,
        valid_from: validFrom ?? 'at once',
        before: shown(pick(changed.before, changed.fields)),
        after: shown(changed.fields),
      },
    })
    return { change_id: changed.changeId ?? '' }
  })

/** The fields that are there. */
const given = (fields: object): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** What a product has in some fields. */
const pick = (row: ProductRow, fields: Fields): Fields =>
  Object.fromEntries(Object.keys(fields).map((field) => [field, row[field as keyof ProductRow]]))

/** Takes a planned change back. @throws Failure product.no_plan */
export const withdrawByStaff = (
  db: Db,
  by: StaffActor,
  input: InputOf<typeof withdrawProductChange>,
): Promise<void> =>
  transaction(db, async (tx) => {
    const { reason } = input
    const change = await withdrawChange(tx, String(input.change_id), { actor: by.actor, reason })
    await record(tx, by, 'product withdraw', {
      target: String(change.product_id),
      detail: {
        reason,
        change_id: change.id,
        valid_from: change.valid_from,
        fields: shown(change.fields),
      },
    })
  })
