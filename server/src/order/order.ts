/** Orders: placing, their states, their steps. Paying them is `pay`. */
import { createHash, randomBytes } from 'node:crypto'
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { OPEN_ORDERS_MAX, ORDER_COUNT_MAX, orderUpdated } from '@guildhall/wire/order/order.ts'
import { afterStep, type OrderStep } from '@guildhall/wire/order/state.ts'
import { type Fen, MINUTE_MS, type Millis } from '@guildhall/wire/unit.ts'
import { relationsTo } from '../friend/friend.ts'
import { clock } from '../kit/clock.ts'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import type { Emit } from '../kit/events/events.ts'
import { isMember } from '../member/member.ts'
import { productForSale } from '../product/product.ts'
import type { OrderedLine, ProductKind, ProductKinds } from './kind.ts'
import * as rows from './sql.ts'

export { giftTo, notifyGiftRevoked, notifyReceiver } from './giftMessage.ts'
export type { GrantedLine, GrantFact, OrderedLine, ProductKind, ProductKinds } from './kind.ts'
export type { LineRow, OrderFilter, OrderRow, StepRow } from './sql.ts'

/** How long an order may be paid. */
export const ORDER_LASTS_MS = 30 * MINUTE_MS
/** A higher sum is no order of a person. */
const FEE_MAX: Fen = 10_000_000

export interface NewOrder {
  readonly buyerId: UserId
  readonly productId: number
  readonly count: number
  readonly key: string
  readonly market?: number | undefined
  readonly guildId?: GuildId | undefined
  readonly receiverId?: UserId | undefined
}

/** Places an order, or finds the one that was placed with its key. */
export async function placeOrder(db: Db, kinds: ProductKinds, input: NewOrder): Promise<rows.OrderRow> {
  const request = fingerprint(input)
  const found = await rows.byKey(db, input.buyerId, input.key)
  if (found) return sameRequest(found, request)
  const product = await productForSale(db, input.productId, input.market)
  const kind = kinds.get(product.kind)
  if (!kind) throw fail('product.retired')
  const most = kind.isCounted ? ORDER_COUNT_MAX : 1
  const fee = product.price * input.count
  if (input.count < 1 || input.count > most || fee > FEE_MAX) throw fail('order.count', { most })
  await refuseSubject(db, kind, input)
  const receiverId = await receiverOf(db, kind, input, product.details)
  if (receiverId === null) await refuseLower(db, kind, input.buyerId, product.details)
  // Who signs the contract is who has it.
  if (product.period_buy && receiverId !== null) throw fail('order.receiver')
  return transaction(db, async (tx) => {
    await rows.lockBuyer(tx, input.buyerId)
    const again = await rows.byKey(tx, input.buyerId, input.key)
    if (again) return sameRequest(again, request)
    if ((await rows.countOpen(tx, input.buyerId)) >= OPEN_ORDERS_MAX)
      throw fail('order.too_many', { most: OPEN_ORDERS_MAX })
    const now = clock.now()
    const id = await rows.add(
      tx,
      {
        code: randomBytes(16).toString('hex'),
        user_id: input.buyerId,
        key: input.key,
        request,
        receiver_id: receiverId,
        guild_id: input.guildId ?? null,
        pay_fee: fee,
        created_at: now,
        expires_at: now + ORDER_LASTS_MS,
      },
      [
        {
          product_id: product.id,
          kind: product.kind,
          name: product.name,
          count: input.count,
          price: product.price,
          translations: product.translations,
          details: product.details,
        },
      ],
    )
    return (await rows.byId(tx, id))!
  })
}

/** An order that the operator places for a person, once per key: the next period of what renews itself. */
export async function placeOperatorOrder(
  tx: Tx,
  input: Pick<NewOrder, 'buyerId' | 'productId' | 'key'> &
    Pick<rows.LineRow, 'kind' | 'name' | 'translations' | 'price' | 'details'> & {
      readonly expiresAt: Millis
    },
): Promise<rows.OrderRow> {
  await rows.lockBuyer(tx, input.buyerId)
  const found = await rows.byKey(tx, input.buyerId, input.key)
  if (found) return found
  const id = await rows.add(
    tx,
    {
      code: randomBytes(16).toString('hex'),
      user_id: input.buyerId,
      key: input.key,
      request: fingerprint({ ...input, count: 1 }),
      receiver_id: null,
      guild_id: null,
      pay_fee: input.price,
      created_at: clock.now(),
      expires_at: input.expiresAt,
    },
    [
      {
        product_id: input.productId,
        kind: input.kind,
        name: input.name,
        count: 1,
        price: input.price,
        translations: input.translations,
        details: input.details,
      },
    ],
  )
  return (await rows.byId(tx, id))!
}

/** What a key stands for: the same key with another wish is a mistake of the client. */
const fingerprint = (input: NewOrder): string =>
  createHash('sha256')
    .update(JSON.stringify([input.productId, input.count, input.guildId ?? '', input.receiverId ?? '']))
    .digest('hex')

function sameRequest(row: rows.OrderRow, request: string): rows.OrderRow {
  if (row.request !== request) throw fail('order.key_used')
  return row
}

/** @throws Failure order.subject, guild.unknown */
async function refuseSubject(db: Db, kind: ProductKind, { guildId, buyerId }: NewOrder): Promise<void> {
  if (kind.forGuild !== 'maybe' && kind.forGuild !== (guildId !== undefined)) throw fail('order.subject')
  if (guildId !== undefined && !(await isMember(db, guildId, buyerId))) throw fail('guild.unknown')
}

/**
 * The friend who receives it; null for the buyer.
 * @throws Failure order.receiver, order.owned
 */
async function receiverOf(
  db: Db,
  kind: ProductKind,
  { buyerId, receiverId }: NewOrder,
  details: unknown,
): Promise<UserId | null> {
  if (receiverId === undefined || receiverId === buyerId) return null
  if (!kind.isGift || !(await relationsTo(db, buyerId, [receiverId]))(receiverId).isFriend)
    throw fail('order.receiver')
  if ((await kind.owners(db, [receiverId], details)).has(receiverId)) throw fail('order.owned')
  return receiverId
}

/**
 * Nobody pays for less than they have.
 * @throws Failure order.lower
 */
export async function refuseLower(
  db: Db,
  kind: ProductKind,
  userId: UserId,
  details: unknown,
): Promise<void> {
  if (await kind.hasBetter?.(db, userId, details)) throw fail('order.lower')
}

export const findOrder = rows.byId
export const findOrderByCode = rows.byCode
export const linesOf = rows.linesOf
export const stepsOf = rows.stepsOf
export const listOrders = rows.list
export const expiredOrders = rows.expired
export const ungrantedOrders = rows.ungranted

/**
 * An order of this person.
 * @throws Failure order.unknown, also for somebody else's
 */
export async function ownOrder(db: Db, userId: UserId, id: string): Promise<rows.OrderRow> {
  const order = await rows.byId(db, id)
  if (order?.user_id !== userId) throw fail('order.unknown')
  return order
}

/** An order, locked until the transaction ends; null when there is none. */
export const lockOrder = rows.lock

/** How many orders were placed within a time, ms. */
export const countPlaced = rows.countPlaced

/** Who makes a step: the buyer, a provider, a job of the server, or staff. */
export type StepActor = 'buyer' | 'provider' | 'server' | `staff:${string}`

/**
 * Takes a step of a locked order, and tells its buyer. The order as it is then; null when the state refuses
 * the step.
 */
export async function takeStep(
  tx: Tx,
  emit: Emit,
  order: rows.OrderRow,
  input: { readonly step: OrderStep; readonly actor: StepActor; readonly note?: string },
): Promise<rows.OrderRow | null> {
  const to = afterStep(order.state, input.step)
  if (to === null) return null
  await rows.setState(tx, {
    id: order.id,
    step: input.step,
    from: order.state,
    to,
    actor: input.actor,
    note: input.note ?? '',
    now: clock.now(),
  })
  const next = { ...order, state: to }
  if (to !== order.state) notifyBuyer(emit, next)
  return next
}

/** Tells the buyer's devices how the order is now. */
export const notifyBuyer = (emit: Emit, { id, user_id, state, pay_fee, refund_fee }: rows.OrderRow): void =>
  emit.person(user_id, orderUpdated, { order_id: id, state, pay_fee, refund_fee })

/** The lines of an order with their kinds; a kind that the server does not know any more is null. */
export async function grantedLines(
  tx: Tx,
  kinds: ProductKinds,
  order: rows.OrderRow,
): Promise<
  {
    readonly kind: ProductKind | null
    readonly name: string
    readonly fee: Fen
    readonly line: OrderedLine
  }[]
> {
  const lines = await rows.linesOf(tx, [order.id])
  return lines.map((line) => ({
    kind: kinds.get(line.kind) ?? null,
    name: line.kind,
    fee: line.price * line.count,
    line: {
      orderId: order.id,
      userId: order.receiver_id ?? order.user_id,
      guildId: order.guild_id,
      count: line.count,
      details: line.details,
    },
  }))
}

export const setGranted = rows.setGranted
export const countGrantTry = rows.countGrantTry

/** Adds to what went back of the payment that counts. */
export async function addRefunded(tx: Tx, order: rows.OrderRow, fee: Fen): Promise<rows.OrderRow> {
  await rows.addRefunded(tx, order.id, fee)
  return { ...order, refund_fee: order.refund_fee + fee }
}
