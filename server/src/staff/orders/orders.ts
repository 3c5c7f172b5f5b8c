/**
 * Orders for staff: found, shown with all that is known, given back, tried again. The rules of money are
 * those of `pay`.
 */

import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { yuan } from '@guildhall/wire/money.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import {
  type listBills,
  type listDifferences,
  type listDoubts,
  type listOrders,
  ORDERS_PAGE,
  type refundStaffOrder,
  type StaffOrder,
  type StaffOrderRow,
} from '@guildhall/wire/staff/orders.ts'
import { findGuild } from '../../guild/guild.ts'
import type { Db, Tx } from '../../kit/database/db.ts'
import { entriesOf } from '../../ledger/ledger.ts'
import {
  findOrder,
  type LineRow,
  linesOf,
  type OrderRow,
  type ProductKinds,
  type StepActor,
  stepsOf,
} from '../../order/order.ts'
import {
  comparedBills,
  type FoundOrder,
  findOrders,
  foundDifferences,
  leftOf,
  mismatchesBefore,
  mismatchesOf,
  needsAttentionOf,
  type PayDeps,
  type PaymentRow,
  paymentsOf,
  type RefundRow,
  refundOrder,
  refundsOf,
  retryOrder,
  retryRefunds,
  subjectOf,
} from '../../pay/pay.ts'
import { identitiesOf, staffRightsOf } from '../../user/user.ts'
import { record, type StaffActor } from '../staffAction.ts'

const DOUBTS_MAX = 20

/** A page of what is looked for. */
export async function pageOfOrders(
  db: Db,
  input: InputOf<typeof listOrders>,
): Promise<AnswerOf<typeof listOrders>> {
  const found = await findOrders(db, {
    number: input.number,
    state: input.state,
    kind: input.kind,
    needsAttention: input.trouble,
    before: input.before ?? null,
    limit: ORDERS_PAGE + 1,
  })
  return {
    items: await rowsOf(db, found.slice(0, ORDERS_PAGE)),
    has_more: found.length > ORDERS_PAGE,
  }
}

async function rowsOf(db: Db, found: readonly FoundOrder[]): Promise<StaffOrderRow[]> {
  const [lines, personOf] = await Promise.all([
    linesOf(
      db,
      found.map(({ id }) => id),
    ),
    peopleOf(
      db,
      found.flatMap((it) => [it.user_id, it.receiver_id]),
    ),
  ])
  const byOrder = Map.groupBy(lines, (line) => line.order_id)
  return found.map((it) => ({
    id: it.id,
    state: it.state,
    pay_fee: it.pay_fee,
    refund_fee: it.refund_fee,
    created_at: it.created_at,
    guild_id: it.guild_id ?? '',
    way: it.way ?? '',
    trouble: it.trouble ?? '',
    buyer: personOf(it.user_id),
    receiver: it.receiver_id === null ? null : personOf(it.receiver_id),
    ...wordsOf(byOrder.get(it.id) ?? []),
  }))
}

const wordsOf = (lines: readonly LineRow[]) => ({
  what: subjectOf(lines),
  kinds: [...new Set(lines.map(({ kind }) => kind))],
})

async function peopleOf(db: Db, ids: readonly (UserId | null)[]) {
  const identities = await identitiesOf(db, [...new Set(ids.filter((id) => id !== null))])
  return (id: UserId) => {
    const identity = identities.get(id)
    return { id, username: identity?.username ?? '', identify_num: identity?.identify_num ?? '' }
  }
}

/** All that is known of one order. @throws Failure order.unknown */
export async function staffOrderOf(
  { db, kinds }: { readonly db: Db; readonly kinds: ProductKinds },
  orderId: string,
): Promise<StaffOrder> {
  const order = await findOrder(db, orderId)
  if (!order) throw fail('order.unknown')
  const [lines, payments, refunds, trouble] = await Promise.all([
    linesOf(db, [orderId]),
    paymentsOf(db, orderId),
    refundsOf(db, [orderId]),
    needsAttentionOf(db, orderId),
  ])
  const main = payments.find((it) => it.is_main)
  const [row] = await rowsOf(db, [{ ...order, way: main?.way ?? null, trouble }])
  const left = leftOf(order, payments, refunds)
  return {
    ...row!,
    is_granted: order.is_granted,
    grant_tries: order.grant_tries,
    expires_at: order.expires_at,
    guild_name: order.guild_id === null ? '' : await guildNameOf(db, order.guild_id),
    lines: lines.map(({ product_id, kind, name, count, price, details }) => ({
      product_id,
      kind,
      name,
      count,
      price,
      fee: price * count,
      details: details as Record<string, unknown>,
    })),
    ...(await historyOf(db, order, payments, refunds)),
    granted: await grantedBy(db, kinds, order, lines),
    left: left && { fee: left.fee, is_divisible: left.isDivisible, revokes: left.revokes },
    ...retriesOf(order, payments, refunds),
    is_of_staff: await isOfStaff(db, order),
  }
}

async function guildNameOf(db: Db, id: GuildId): Promise<string> {
  return (await findGuild(db, id))?.name ?? ''
}

const retriesOf = (
  order: OrderRow,
  payments: readonly PaymentRow[],
  refunds: readonly RefundRow[],
): Pick<StaffOrder, 'can_retry' | 'can_retry_refunds'> => ({
  can_retry:
    order.state === 'paid' ||
    (order.state === 'stuck' && !order.is_granted && refunds.length === 0) ||
    payments.some(({ state }) => state === 'begun') ||
    refunds.some(({ state }) => state === 'waiting'),
  can_retry_refunds: refunds.some(({ state }) => state === 'stuck'),
})

/** Steps, payments, refunds, entries and doubts, with who made each. */
async function historyOf(
  db: Db,
  order: OrderRow,
  payments: readonly PaymentRow[],
  refunds: readonly RefundRow[],
): Promise<Pick<StaffOrder, 'steps' | 'payments' | 'refunds' | 'entries' | 'doubts'>> {
  const [steps, lines, mismatches] = await Promise.all([
    stepsOf(db, order.id),
    entriesOf(db, order.id),
    mismatchesOf(
      db,
      payments.map((it) => it.trade_no),
      DOUBTS_MAX,
    ),
  ])
  const actorOf = await actorsOf(db, [...steps, ...refunds])
  const tradeOf = new Map(payments.map((it) => [it.id, it.trade_no]))
  return {
    steps: steps.map(({ step, from_state: from, to_state: to, actor, note, at }) => ({
      step,
      from,
      to,
      actor: actorOf(actor),
      note,
      at,
    })),
    payments: payments.map(seenPayment),
    refunds: refunds.map((it) => seenRefund(it, tradeOf.get(it.payment_id) ?? '', actorOf(it.actor))),
    entries: [...Map.groupBy(lines, ({ id }) => id)].map(([id, of]) => ({
      id,
      kind: of[0]!.kind,
      ref: of[0]!.ref,
      at: of[0]!.at,
      lines: of.map(({ account, amount }) => ({ account, amount })),
    })),
    doubts: mismatches.map(({ way, why, trade_no, provider_no, times, at }) => ({
      way,
      why,
      trade_no,
      provider_no,
      times,
      at,
    })),
  }
}

const seenPayment = ({
  trade_no,
  way,
  scene,
  fee,
  state,
  is_main,
  ...it
}: PaymentRow): StaffOrder['payments'][number] => ({
  trade_no,
  way,
  scene,
  fee,
  state,
  is_main,
  provider_no: it.provider_no ?? '',
  created_at: it.created_at,
  paid_at: it.paid_at ?? 0,
  queries: it.queries,
  next_query_at: it.next_query_at,
})

type SeenRefund = StaffOrder['refunds'][number]

/** `trade_no`: of the payment that is given back. */
const seenRefund = (
  { refund_no, fee, cause, reason, state, created_at, tries, ...it }: RefundRow,
  trade_no: string,
  actor: SeenRefund['actor'],
): SeenRefund => ({
  refund_no,
  fee,
  cause,
  reason,
  actor,
  state,
  created_at,
  tries,
  trade_no,
  provider_no: it.provider_refund_no ?? '',
  why: it.why ?? '',
  done_at: it.done_at ?? 0,
})

const OF_STAFF = 'staff:'

/** Who made some steps: `buyer`, `provider`, `server`, `operator`, or staff by id and name. */
async function actorsOf(db: Db, of: readonly { readonly actor: string }[]) {
  const idOf = (actor: string) => (actor.startsWith(OF_STAFF) ? actor.slice(OF_STAFF.length) : actor)
  const staff = of.map(({ actor }) => idOf(actor)).filter((id) => /^\d+$/.test(id)) as UserId[]
  const personOf = await peopleOf(db, staff)
  return (actor: string) => {
    const id = idOf(actor)
    return { id, name: /^\d+$/.test(id) ? personOf(id as UserId).username : '' }
  }
}

async function grantedBy(
  db: Db,
  kinds: ProductKinds,
  order: OrderRow,
  lines: readonly LineRow[],
): Promise<StaffOrder['granted']> {
  const names = [...new Set(lines.map(({ kind }) => kind))]
  const facts = await Promise.all(names.map((name) => kinds.get(name)?.granted(db, order.id) ?? []))
  return facts.flat().map((it) => ({
    what: it.what,
    granted_at: it.grantedAt,
    revoked_at: it.revokedAt ?? 0,
    length: it.length ?? 0,
    count: it.count ?? 0,
    used: it.used ?? 0,
  }))
}

/** Staff do not act on staff: what they bought is given back by operators. */
async function isOfStaff(db: Db, order: OrderRow): Promise<boolean> {
  const people = [order.user_id, ...(order.receiver_id === null ? [] : [order.receiver_id])]
  const rights = await Promise.all(people.map((id) => staffRightsOf(db, id)))
  return rights.some((of) => of.length > 0)
}

/** @throws Failure forbidden, order.unknown */
async function requireOrder(db: Db, by: StaffActor, orderId: string): Promise<OrderRow> {
  const order = await findOrder(db, orderId)
  if (!order) throw fail('order.unknown')
  if (by.actor !== 'operator' && (await isOfStaff(db, order))) throw fail('forbidden')
  return order
}

const actorOf = ({ actor }: StaffActor): StepActor => `staff:${actor}`

/**
 * Gives back an order, or part of it, as staff decided when so much was left.
 * @throws Failure order.unknown, order.changed, order.too_much, forbidden
 */
export async function giveBack(
  deps: PayDeps,
  by: StaffActor,
  { order_id, fee, left, reason }: InputOf<typeof refundStaffOrder>,
): Promise<void> {
  await requireOrder(deps.appContext.db, by, order_id)
  if (fee !== undefined && fee > left) throw fail('order.too_much', { left: yuan(left) })
  // A part that is all of it takes back what was granted, as all of it does.
  const part = fee === undefined || fee === left ? null : fee
  await refundOrder(deps, order_id, {
    fee: part,
    left,
    reason,
    actor: actorOf(by),
    also: (tx, order, refund) =>
      record(tx, by, 'order refund', {
        userId: order.user_id,
        target: order.id,
        detail: {
          reason,
          fee: refund.fee,
          left_before: left,
          left_after: left - refund.fee,
          state_before: order.state,
          refund_no: refund.refund_no,
          revoked: part === null && order.is_granted,
        },
      }),
  })
}

/** Tries again what waits of an order. @throws Failure order.unknown, order.nothing_waits, forbidden */
export async function tryAgain(
  deps: PayDeps,
  by: StaffActor,
  input: { readonly order_id: string; readonly reason: string },
): Promise<void> {
  await requireOrder(deps.appContext.db, by, input.order_id)
  const { reason } = input
  await retryOrder(deps, input.order_id, {
    actor: actorOf(by),
    reason,
    also: (tx, order, tried) => recordRetry(tx, by, order, { reason, tried }),
  })
}

/**
 * Tries refunds again that the provider refused. @throws Failure order.unknown, order.nothing_waits,
 * forbidden
 */
export async function tryRefundsAgain(
  deps: PayDeps,
  by: StaffActor,
  input: { readonly order_id: string; readonly reason: string },
): Promise<void> {
  await requireOrder(deps.appContext.db, by, input.order_id)
  const { reason } = input
  await retryRefunds(deps, input.order_id, {
    actor: actorOf(by),
    reason,
    also: (tx, order) => recordRetry(tx, by, order, { reason, tried: ['refunding'] }),
  })
}

const recordRetry = (
  tx: Tx,
  by: StaffActor,
  order: OrderRow,
  detail: { readonly reason: string; readonly tried: readonly string[] },
): Promise<void> =>
  record(tx, by, 'order retry', {
    userId: order.user_id,
    target: order.id,
    detail: { ...detail, state_before: order.state },
  })

/** A page of the bills that were compared. */
export async function pageOfBills(
  db: Db,
  input: InputOf<typeof listBills>,
): Promise<AnswerOf<typeof listBills>> {
  // Whole days, so that the next page begins with another day.
  const found = await comparedBills(db, input.before ?? null, ORDERS_PAGE + 1)
  const isMore = found.length > ORDERS_PAGE
  const last = found.at(-1)?.day
  const items = isMore ? found.filter(({ day }) => day !== last) : found
  return {
    items: items.map((row) => ({ ...row, differences: row.differences ?? -1 })),
    has_more: isMore,
  }
}

/** A page of how bills and the ledger differ. */
export async function pageOfDifferences(
  db: Db,
  input: InputOf<typeof listDifferences>,
): Promise<AnswerOf<typeof listDifferences>> {
  const before =
    input.before === undefined || input.before_day === undefined
      ? null
      : { day: input.before_day, id: input.before }
  const found = await foundDifferences(db, { day: input.day ?? null, before, limit: ORDERS_PAGE + 1 })
  return {
    items: found.slice(0, ORDERS_PAGE).map(({ there, here, order_id, ...row }) => ({
      ...row,
      there: there ?? -1,
      here: here ?? -1,
      order_id: order_id ?? '',
    })),
    has_more: found.length > ORDERS_PAGE,
  }
}

/** A page of what providers said that does not fit. */
export async function pageOfMismatches(
  db: Db,
  input: InputOf<typeof listDoubts>,
): Promise<AnswerOf<typeof listDoubts>> {
  const found = await mismatchesBefore(db, input.before ?? null, ORDERS_PAGE + 1)
  return {
    items: found
      .slice(0, ORDERS_PAGE)
      .map(({ id, way, why, trade_no, provider_no, times, at, order_id }) => ({
        id,
        way,
        why,
        trade_no,
        provider_no,
        times,
        at,
        order_id: order_id ?? '',
      })),
    has_more: found.length > ORDERS_PAGE,
  }
}
