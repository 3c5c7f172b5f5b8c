/**
 * What is done for contracts by themselves: a signed one charges the purchase that it began with, each period
 * is announced and charged by the calendar, and providers are told of ends. Several nodes may do it at the
 * same time: each contract is taken by one.
 */
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { isPayable } from '@guildhall/wire/order/state.ts'
import { MINUTE_MS, type Millis } from '@guildhall/wire/unit.ts'
import { notifyFromOfficialAccount } from '../chat/chat.ts'
import { clock } from '../kit/clock.ts'
import type { Tx } from '../kit/database/db.ts'
import { commit, type Emit } from '../kit/events/events.ts'
import { findOrder, type OrderRow, placeOperatorOrder } from '../order/order.ts'
import { type Contracts, PAY_TIMEOUT_MS, PAY_WAYS, type PayWay } from '../outside/payment/payProvider.ts'
import { askAboutOrder, chargeOrder, type PayDeps } from '../pay/pay.ts'
import { findProduct } from '../product/product.ts'
import { chargeAt, chargeUntil, nextStep } from './calendar.ts'
import { endLocked, notify, notifyEnd, SIGNING_MS, settleContract, waitsForCharge } from './contract.ts'
import * as rows from './sql.ts'
import { renewalText } from './text.ts'

const AT_ONCE = 50
const ROUNDS_MAX = 100
/** Who has taken a contract has so long for it. */
const LEASE_MS = 5 * MINUTE_MS
const HOURLY_MS = 60 * MINUTE_MS

const timeout = () => AbortSignal.timeout(PAY_TIMEOUT_MS)

/**
 * Does all that is due now. What fails holds nothing else up, and is tried again; a provider that does not
 * answer delays its own alone.
 */
export async function advanceRenewals(deps: PayDeps, signal?: AbortSignal): Promise<void> {
  await Promise.all(PAY_WAYS.map((way) => advanceWay(deps, way, signal)))
}

async function advanceWay(deps: PayDeps, way: PayWay, signal?: AbortSignal): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX && !signal?.aborted; round += 1) {
    const due = await rows.due(deps.appContext.db, way, clock.now(), AT_ONCE)
    for (const id of due) {
      if (signal?.aborted) return
      await advanceRenewal(deps, id).catch((error: unknown) =>
        deps.log.warn({ err: error, renewal: id }, 'a renewal could not be driven on; trying again'),
      )
    }
    if (due.length < AT_ONCE) return
  }
}

/** Looks at one contract when it is due. @throws PayFailed */
export async function advanceRenewal(deps: PayDeps, id: string): Promise<void> {
  const now = clock.now()
  const row = await rows.takeTurn(deps.appContext.db, id, now, now + LEASE_MS)
  if (!row || row.way === 'apple') return
  const contracts = deps.providers.get(row.way)?.contracts
  if (!contracts) return rows.setNextAt(deps.appContext.db, id, now + HOURLY_MS)
  if (row.state === 'ended') return notifyEnd(deps, id)
  const nextAt =
    row.state === 'signing'
      ? await advanceSigning(deps, row, contracts)
      : await advanceActive(deps, row, contracts)
  if (nextAt !== null)
    await rows.setNextAt(deps.appContext.db, id, Math.min(nextAt, clock.now() + rows.TURN_MAX_MS))
}

/** Asks whether it was signed; null: something happened, and its turn is set. */
async function advanceSigning(
  deps: PayDeps,
  row: rows.RenewalRow,
  contracts: Contracts,
): Promise<Millis | null> {
  const fact = await contracts.query(row.code, timeout())
  if (fact && row.way !== 'apple') {
    await settleContract(deps, row.way, fact)
    return null
  }
  if (row.created_at + SIGNING_MS > clock.now()) return clock.now() + LEASE_MS
  await commit(deps.appContext, async (tx, emit) => {
    const locked = await rows.lock(tx, row.id)
    if (locked?.state === 'signing') await endLocked(tx, emit, locked, { isEndDue: false })
  })
  return null
}

async function advanceActive(
  deps: PayDeps,
  row: rows.RenewalRow,
  contracts: Contracts,
): Promise<Millis | null> {
  const { db } = deps.appContext
  const now = clock.now()
  const first = row.order_id === null ? null : await findOrder(db, row.order_id)
  // Until the first purchase is granted, what the person has is of before.
  if (first && (isPayable(first.state) || first.state === 'paid')) {
    if (waitsForCharge(row, first)) await chargeFirst(deps, row, first)
    return now + MINUTE_MS
  }
  // Nobody paid what it began with, or it was given back: there is nothing to renew.
  if (first?.state === 'closed' || first?.state === 'refunded') {
    await end(deps, row)
    return null
  }
  await storeCharges(deps, row)
  const endsAt = (await deps.kinds.get(row.kind)?.endsAt?.(db, row.user_id, row.details)) ?? 0
  // A period that was over before the contract is none of it; what is over may be bought again.
  if (endsAt <= (row.signed_at ?? now)) return now + HOURLY_MS
  return advancePeriod(deps, row, contracts, endsAt)
}

/** Charges the purchase that a contract began with, unless it was paid otherwise meanwhile. */
async function chargeFirst(deps: PayDeps, row: rows.RenewalRow, order: OrderRow): Promise<void> {
  const asked = await askAboutOrder(deps, order.id)
  if (asked && waitsForCharge(row, asked)) await charge(deps, row, order.id)
}

function charge(deps: PayDeps, row: rows.RenewalRow, orderId: string): ReturnType<typeof chargeOrder> {
  if (row.way === 'apple') throw new Error('Apple charges by itself')
  return chargeOrder(deps, orderId, { way: row.way, providerNo: row.provider_no ?? '', app: row.app ?? '' })
}

/** Stores of periods whose purchase was placed that the money came. */
async function storeCharges(deps: PayDeps, row: rows.RenewalRow): Promise<void> {
  for (const cycle of await rows.chargedCycles(deps.appContext.db, row.id)) {
    const order = await findOrder(deps.appContext.db, cycle.order_id!)
    if (order && isCharged(order))
      await commit(deps.appContext, (tx) => rows.setOutcome(tx, cycle.id, 'charged'))
  }
}

/** The money of an order came, whatever became of it since. */
const isCharged = ({ state }: OrderRow): boolean => !isPayable(state) && state !== 'closed'

async function advancePeriod(
  deps: PayDeps,
  row: rows.RenewalRow,
  contracts: Contracts,
  endsAt: Millis,
): Promise<Millis | null> {
  const { db } = deps.appContext
  const now = clock.now()
  const found = await rows.findCycle(db, row.id, endsAt)
  const step = nextStep(stateOf(found, endsAt), now)
  if (step.do === 'nothing') return now + HOURLY_MS
  if (step.do === 'wait') return step.until
  const cycle = found ?? (await openCycle(deps, row, endsAt))
  if (step.do === 'give_up') return giveUp(deps, row, cycle, step.why)
  // A contract that was ended at the provider is neither announced nor charged.
  if ((await contracts.query(row.code, timeout()))?.state !== 'signed') {
    await end(deps, row)
    return null
  }
  await rows.setTried(db, cycle.id, now)
  if (step.do === 'announce') await announce(deps, row, contracts, cycle)
  else await chargePeriod(deps, row, cycle)
  // Asked once more by the calendar: an attempt that failed waits.
  const after = nextStep(stateOf(await rows.findCycle(db, row.id, endsAt), endsAt), clock.now())
  return after.do === 'wait' ? Math.min(after.until, now + LEASE_MS) : now + LEASE_MS
}

const stateOf = (cycle: rows.CycleRow | null, endsAt: Millis) => ({
  endsAt,
  announcedAt: cycle?.announced_at ?? null,
  triedAt: cycle?.tried_at ?? null,
  isOver: (cycle?.outcome ?? null) !== null,
})

/** The sum is what was agreed, or less when the product costs less now. */
async function openCycle(deps: PayDeps, row: rows.RenewalRow, endsAt: Millis): Promise<rows.CycleRow> {
  const product = await findProduct(deps.appContext.db, row.product_id)
  const fee = Math.min(row.fee, product?.price ?? row.fee)
  return commit(deps.appContext, (tx) => rows.openCycle(tx, { renewalId: row.id, endsAt, fee }))
}

async function announce(
  deps: PayDeps,
  row: rows.RenewalRow,
  contracts: Contracts,
  cycle: rows.CycleRow,
): Promise<void> {
  const { fee } = cycle
  const it = { providerNo: row.provider_no ?? '', app: row.app ?? '', fee, chargeAt: chargeAt(cycle.ends_at) }
  const answer = await contracts.announce(it, timeout())
  if (answer.is === 'refused') {
    deps.log.warn({ renewal: row.id, why: answer.why }, 'a charge was not announced; trying again')
    return
  }
  await commit(deps.appContext, async (tx, emit) => {
    await rows.setAnnounced(tx, cycle.id, clock.now())
    notify(emit, row, { what: 'announced', fee, at: it.chargeAt })
  })
}

async function chargePeriod(deps: PayDeps, row: rows.RenewalRow, cycle: rows.CycleRow): Promise<void> {
  const order = await commit(deps.appContext, async (tx) => {
    // Who closes the contract at this moment waits, or is not charged.
    const locked = await rows.lock(tx, row.id)
    if (locked?.state !== 'active') return null
    const placed = await placeOperatorOrder(tx, {
      buyerId: row.user_id,
      productId: row.product_id,
      key: `renewal-${cycle.id}`,
      kind: row.kind,
      name: row.name,
      translations: row.translations,
      price: cycle.fee,
      details: row.details,
      expiresAt: chargeUntil(cycle.ends_at),
    })
    await rows.setCycleOrder(tx, cycle.id, placed.id)
    return placed
  })
  if (!order) return
  await charge(deps, row, order.id)
  await storeCharges(deps, row)
}

/** Nothing is taken for this period, and its owner is told so. */
async function giveUp(
  deps: PayDeps,
  row: rows.RenewalRow,
  cycle: rows.CycleRow,
  why: 'notice' | 'charge',
): Promise<Millis> {
  const order = cycle.order_id === null ? null : await askAboutOrder(deps, cycle.order_id)
  if (order && isCharged(order)) await storeCharges(deps, row)
  else
    await commit(deps.appContext, async (tx, emit) => {
      if (await rows.setOutcome(tx, cycle.id, why)) await notifyFailed(deps, tx, emit, row, cycle)
    })
  return clock.now() + HOURLY_MS
}

/**
 * By an event for open pages, and by a message for everybody else; it is stored, so it is in the default
 * locale.
 */
async function notifyFailed(
  { appContext }: PayDeps,
  tx: Tx,
  emit: Emit,
  row: rows.RenewalRow,
  cycle: rows.CycleRow,
): Promise<void> {
  notify(emit, row, { what: 'failed', fee: cycle.fee, at: clock.now() })
  await notifyFromOfficialAccount(appContext, tx, emit, {
    to: row.user_id,
    text: renewalText[defaultLocale].failed(row.name),
  })
}

/** Ends a contract, here and at its provider. */
async function end(deps: PayDeps, row: rows.RenewalRow): Promise<void> {
  await commit(deps.appContext, async (tx, emit) => {
    const locked = await rows.lock(tx, row.id)
    if (locked) await endLocked(tx, emit, locked, { isEndDue: true })
  })
  await notifyEnd(deps, row.id)
}
