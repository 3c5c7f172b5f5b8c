/** Redeem codes, as staff make, pause and follow them. The command line uses the same functions. */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import {
  CODES_PAGE,
  type CodeBatch,
  type listCodeProducts,
  type listCodes,
  type listCodeUses,
  USES_PAGE,
} from '@guildhall/wire/staff/codes.ts'
import {
  type BatchRow,
  batchById,
  batches,
  codeUses,
  createCoupons,
  pauseBatch,
} from '../../coupon/coupon.ts'
import { clock } from '../../kit/clock.ts'
import type { Db, Tx } from '../../kit/database/db.ts'
import { type AppContext, commit } from '../../kit/events/events.ts'
import { allProducts, type ProductRow, productForSale } from '../../product/product.ts'
import { identitiesOf, staffRightsOf } from '../../user/user.ts'
import { reasonDetail, record, type StaffActor } from '../staffAction.ts'

const isUser = (actor: string): actor is UserId => /^\d+$/.test(actor)

async function named(db: Db, found: readonly BatchRow[]): Promise<CodeBatch[]> {
  const people = await identitiesOf(
    db,
    found.flatMap(({ actor, approved_by }) => [actor, approved_by ?? ''].filter(isUser)),
  )
  return found.map((it) => ({
    id: it.id,
    product_id: it.product_id,
    product_name: it.product_name,
    note: it.note,
    count: it.count,
    used: it.used,
    per_user: it.per_user,
    created_at: it.created_at,
    expires_at: it.expires_at ?? 0,
    paused_at: it.paused_at ?? 0,
    actor: it.actor,
    actor_name: people.get(it.actor as UserId)?.username ?? '',
    approved_by: it.approved_by ?? '',
    approved_by_name: people.get(it.approved_by as UserId)?.username ?? '',
  }))
}

/** A page of batches, the newest first. */
export async function listBatches(
  db: Db,
  { before }: InputOf<typeof listCodes>,
): Promise<AnswerOf<typeof listCodes>> {
  const found = await batches(db, { before: before ?? null, limit: CODES_PAGE + 1 })
  return { items: await named(db, found.slice(0, CODES_PAGE)), has_more: found.length > CODES_PAGE }
}

/** @throws Failure not_found */
export async function viewBatch(db: Db, id: number): Promise<CodeBatch> {
  const found = await batchById(db, id)
  const [batch] = await named(db, found ? [found] : [])
  if (!batch) throw fail('not_found')
  return batch
}

/**
 * A page of the uses of a batch, the last first. Who used its codes is for staff with the right `people`
 * alone.
 */
export async function listUses(
  db: Db,
  viewer: UserId,
  { batch_id, before }: InputOf<typeof listCodeUses>,
): Promise<AnswerOf<typeof listCodeUses>> {
  const found = await codeUses(db, { batchId: batch_id, before: before ?? null, limit: USES_PAGE + 1 })
  const page = found.slice(0, USES_PAGE)
  const mayKnow = (await staffRightsOf(db, viewer)).includes('people')
  const people = mayKnow
    ? await identitiesOf(db, [...new Set(page.map(({ used_by }) => used_by))])
    : new Map()
  return {
    items: page.map(({ id, used_at, used_by }) => ({
      id,
      used_at,
      user_id: mayKnow ? used_by : '',
      username: people.get(used_by)?.username ?? '',
    })),
    has_more: found.length > USES_PAGE,
  }
}

/** What codes may be for: the products on sale. */
export async function codeProducts(db: Db): Promise<AnswerOf<typeof listCodeProducts>> {
  const all = await allProducts(db)
  return {
    items: all
      .filter(({ retired_at }) => retired_at === null)
      .map(({ id, name, kind, price }) => ({ id, name, kind, price })),
  }
}

export interface MadeCodes {
  readonly batchId: string
  readonly codes: readonly string[]
}

export interface WantedCodes {
  readonly productId: number
  readonly count: number
  readonly perUser: number
  /** Null: they do not end. */
  readonly expiresAt: number | null
  readonly note?: string
  readonly reason?: string | undefined
}

/**
 * Makes a batch, and answers its codes, which nothing answers again, with what they are worth, fen.
 * @throws Failure product.unknown, product.retired, staff.end_wrong
 */
export async function makeCodes(
  tx: Tx,
  by: StaffActor,
  input: WantedCodes,
): Promise<{ readonly made: MadeCodes; readonly product: ProductRow; readonly valueFen: number }> {
  const product = await productForSale(tx, input.productId)
  if (input.expiresAt !== null && input.expiresAt <= clock.now()) throw fail('staff.end_wrong')
  const { productId, count, perUser, expiresAt, note = '' } = input
  const { actor, approvedBy } = by
  const made = await createCoupons(tx, { productId, count, perUser, expiresAt, note, actor, approvedBy })
  const valueFen = product.price * count
  await record(tx, by, 'coupon create', {
    target: made.batchId,
    detail: {
      ...reasonDetail(input.reason),
      product_id: productId,
      product: product.name,
      count,
      value: valueFen,
      per_user: perUser,
      expires_at: expiresAt ?? 'endless',
      note,
    },
  })
  return { made, product, valueFen }
}

/** The same in a transaction of its own. @throws Failure product.unknown, product.retired, staff.end_wrong */
export const makeCodesBy = (appContext: AppContext, by: StaffActor, input: WantedCodes): Promise<MadeCodes> =>
  commit(appContext, async (tx) => (await makeCodes(tx, by, input)).made)

/** Pauses a batch: its codes are not redeemed; or goes on with it. @throws Failure not_found */
export const pauseCodesBy = (
  appContext: AppContext,
  by: StaffActor,
  input: { readonly batchId: number; readonly isPaused: boolean; readonly reason?: string | undefined },
): Promise<void> =>
  commit(appContext, async (tx) => {
    const changed = await pauseBatch(tx, input.batchId, input.isPaused)
    if (changed === null) throw fail('not_found')
    if (!changed) return
    await record(tx, by, input.isPaused ? 'coupon pause' : 'coupon resume', {
      target: String(input.batchId),
      detail: reasonDetail(input.reason),
    })
  })
