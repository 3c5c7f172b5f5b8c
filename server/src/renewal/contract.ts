/**
 * Contracts by which the next period of something is charged: how they are signed and ended, and what their
 * owner sees. commerce.md §4.
 */

import type { BodyOf } from '@guildhall/wire/event.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { isPayable } from '@guildhall/wire/order/state.ts'
import { wordIn } from '@guildhall/wire/product/translation.ts'
import { type Renewal, renewalPlatform, renewalUpdated } from '@guildhall/wire/renewal/renewal.ts'
import { z } from '@guildhall/wire/schema.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { commit, type Emit } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import { jobKind } from '../kit/jobs.ts'
import { findOrder, linesOf, type OrderRow, type ProductKinds } from '../order/order.ts'
import {
  type ContractFact,
  type NewContract,
  PAY_TIMEOUT_MS,
  type PayScene,
  type PayWay,
} from '../outside/payment/payProvider.ts'
import type { PayDeps, Renewing, Signing } from '../pay/pay.ts'
import { findProduct } from '../product/product.ts'
import { findUser } from '../user/user.ts'
import { chargeAt, nextStep } from './calendar.ts'
import * as rows from './sql.ts'
import { afterRenewalStep } from './state.ts'
import { renewalText } from './text.ts'

/** Looks at one contract: what was signed is charged without waiting for the next minute. */
export const advanceRenewalJob = jobKind({
  name: 'drive-renewal',
  data: z.object({ renewal_id: z.string() }),
  pollSeconds: 5,
})

/** What nobody has signed for so long after its purchase was placed is over. */
export const SIGNING_MS = 2 * HOUR_MS
/** The provider is asked first after this, in case that its message was lost. */
const FIRST_LOOK_MS = HOUR_MS / 30

const timeout = () => AbortSignal.timeout(PAY_TIMEOUT_MS)

/**
 * What renewals do in paying. `deps`: what paying has; it is asked for late, because each needs the other.
 */
export const renewingOf = (deps: () => PayDeps): Renewing => ({
  signingOf: (order, way, scene) => signingOf(deps(), order, way, scene),
  settle: (way, fact) => settleContract(deps(), way, fact),
})

/** @throws Failure pay.way, renewal.already */
async function signingOf(
  deps: PayDeps,
  order: OrderRow,
  way: PayWay,
  scene: PayScene,
): Promise<Signing | null> {
  const { db } = deps.appContext
  const [line] = await linesOf(db, [order.id])
  const product = line && (await findProduct(db, line.product_id))
  if (!line || !product?.period_buy) return null
  const when = deps.providers.get(way)?.contracts?.scenes[scene]
  if (!when || !deps.kinds.get(line.kind)?.endsAt) throw fail('pay.way')
  const user = await findUser(db, order.user_id)
  const row = await commit(deps.appContext, async (tx) => {
    await rows.lockPerson(tx, order.user_id)
    if (await rows.activeOf(tx, order.user_id, line.kind)) throw fail('renewal.already')
    const now = clock.now()
    const found = await rows.offered(tx, order.id, way)
    if (found) await rows.setChargedFirst(tx, found.id, when === 'before_paying')
    return (
      found ??
      rows.add(tx, {
        code: newCode(),
        user_id: order.user_id,
        product_id: line.product_id,
        kind: line.kind,
        way,
        name: line.name,
        translations: line.translations,
        details: line.details,
        fee: line.price,
        order_id: order.id,
        is_charged_first: when === 'before_paying',
        created_at: now,
        next_at: now + FIRST_LOOK_MS,
      })
    )
  })
  const contract: NewContract = {
    contractNo: row.code,
    serial: row.id,
    fee: row.fee,
    days: daysOf(row.details),
    account: user?.username ?? '',
  }
  return { contract, when }
}

const MONTH_DAYS = 30
/** For how many days a period is. */
const daysOf = (details: unknown): number => {
  const { days } = (details ?? {}) as { readonly days?: unknown }
  return typeof days === 'number' ? days : MONTH_DAYS
}

/** 24 capital letters and digits: the time, so that numbers sort, and 60 random bits. */
const newCode = (): string => `N${ids.uuid().replaceAll('-', '').slice(0, 23)}`.toUpperCase()

/**
 * Takes what a provider says of a contract: once, whoever says it, however often and in any order. True when
 * it is ours.
 */
export async function settleContract(deps: PayDeps, way: PayWay, fact: ContractFact): Promise<boolean> {
  const provider = deps.providers.get(way)
  const known = await rows.byCode(deps.appContext.db, fact.contractNo)
  if (!provider || known?.way !== way) return doubt(deps, way, 'unknown', fact)
  if (fact.merchant !== provider.merchant) return doubt(deps, way, 'merchant', fact)
  if (!provider.apps.includes(fact.app)) return doubt(deps, way, 'app', fact)
  if (known.provider_no !== null && known.provider_no !== fact.providerNo)
    return doubt(deps, way, 'number', fact)
  await commit(deps.appContext, async (tx, emit) => {
    await rows.lockPerson(tx, known.user_id)
    const row = await rows.lock(tx, known.id)
    if (!row) return
    if (fact.state === 'ended')
      await endLocked(tx, emit, row, { isEndDue: false, providerNo: fact.providerNo })
    else await signLocked(deps, tx, emit, row, fact)
  })
  deps.jobs.wake(advanceRenewalJob)
  return true
}

function doubt(
  deps: PayDeps,
  way: PayWay,
  why: Parameters<PayDeps['counts']['refused']>[1],
  fact: ContractFact,
): false {
  deps.counts.refused(way, why)
  deps.log.warn({ way, why, contract: fact.contractNo }, 'a provider reports a contract that does not fit')
  return false
}

/**
 * What is signed is in force, unless its purchase is over, or another contract renews the same: then it ends
 * at once.
 */
async function signLocked(
  deps: PayDeps,
  tx: Tx,
  emit: Emit,
  row: rows.RenewalRow,
  { providerNo, app }: ContractFact,
): Promise<void> {
  const now = clock.now()
  if (afterRenewalStep(row.state, 'sign') !== 'active') {
    // It was offered too long ago, and somebody signed it all the same. One that ended after it was signed is
    // known by its number.
    if (row.state === 'ended' && row.provider_no === null)
      await rows.setEnded(tx, row.id, { now, isEndDue: true, providerNo })
    return
  }
  const order = row.order_id === null ? null : await findOrder(tx, row.order_id)
  const isOver = order?.state === 'closed' || order?.state === 'refunded'
  if (isOver || (await rows.activeOf(tx, row.user_id, row.kind))) {
    await rows.setEnded(tx, row.id, { now, isEndDue: true, providerNo })
    return
  }
  await rows.setSigned(tx, row.id, { providerNo, app, now })
  await deps.jobs.send(tx, advanceRenewalJob, { renewal_id: row.id })
  notify(emit, row, { what: 'signed', fee: row.fee, at: now })
}

/** Ends a locked contract, and tells its owner. `isEndDue`: the provider does not know it yet. */
export async function endLocked(
  tx: Tx,
  emit: Emit,
  row: rows.RenewalRow,
  input: { readonly isEndDue: boolean; readonly providerNo?: string },
): Promise<void> {
  if (afterRenewalStep(row.state, 'end') === null) return
  const now = clock.now()
  await rows.setEnded(tx, row.id, { ...input, now })
  if (row.state === 'active') notify(emit, row, { what: 'ended', fee: row.fee, at: now })
}

/** Tells the owner's devices. */
export const notify = (
  emit: Emit,
  { user_id, code, name }: rows.RenewalRow,
  input: Omit<BodyOf<typeof renewalUpdated>, 'code' | 'name'>,
): void => emit.person(user_id, renewalUpdated, { code, name, ...input })

/**
 * Ends a contract of this person. Nothing is charged by it from then on; a provider that does not answer is
 * told later.
 * @throws Failure renewal.unknown, also for somebody else's; renewal.apple
 */
export async function closeRenewal(deps: PayDeps, userId: UserId, code: string): Promise<void> {
  const known = await rows.byCode(deps.appContext.db, code)
  if (known?.user_id !== userId || known.state === 'signing') throw fail('renewal.unknown')
  if (known.way === 'apple') throw fail('renewal.apple')
  await commit(deps.appContext, async (tx, emit) => {
    const row = await rows.lock(tx, known.id)
    if (row) await endLocked(tx, emit, row, { isEndDue: true })
  })
  try {
    await notifyEnd(deps, known.id)
  } catch (error) {
    deps.log.warn(
      { err: error, contract: code },
      'a provider was not told that a contract is over; it is told later',
    )
  }
}

/** Tells the provider that a contract is over, when it has to be told. @throws PayFailed */
export async function notifyEnd(deps: PayDeps, id: string): Promise<void> {
  const row = await rows.byId(deps.appContext.db, id)
  if (!row?.is_end_due || row.way === 'apple') return
  const contracts = deps.providers.get(row.way)?.contracts
  if (!contracts) throw new Error(`${row.way} has no contracts, and ${row.code} waits for its end`)
  await contracts.end({ contractNo: row.code, providerNo: row.provider_no ?? '' }, timeout())
  await rows.setEndNotified(deps.appContext.db, row.id)
}

/** Ends all contracts of a person who deletes their account; the providers are told within a minute. */
export const endAllRenewals = (tx: Tx, userId: UserId): Promise<void> => rows.endAll(tx, userId, clock.now())

/** The contracts in force of a person for a kind, as their owner sees them. */
export async function renewalsOf(
  db: Db,
  kinds: ProductKinds,
  userId: UserId,
  input: { readonly kind: string; readonly locale: Locale },
): Promise<Renewal[]> {
  const now = clock.now()
  const found = await rows.listActive(db, userId, input.kind, now)
  return Promise.all(
    found.map(async (row): Promise<Renewal> => {
      const ownEnd = (await kinds.get(row.kind)?.endsAt?.(db, userId, row.details)) ?? 0
      const end = row.lasts_until ?? ownEnd
      const cycle = await rows.findCycle(db, row.id, end)
      const last = await rows.lastCycle(db, row.id)
      return {
        code: row.code,
        expired_time: end > now ? end : 0,
        product: { name: wordIn(row, 'name', input.locale) },
        next_time: row.way === 'apple' ? (row.lasts_until ?? 0) : nextCharge(cycle, end, now),
        pay_info: { platform: renewalPlatform[row.way], pay_text: renewalText[input.locale][row.way] },
        fee: cycle?.fee ?? row.fee,
        is_failed: last !== null && last.outcome !== 'charged' && last.ends_at === end,
      }
    }),
  )
}

/** When a period is charged; 0: it is not. */
function nextCharge(cycle: rows.CycleRow | null, endsAt: number, now: number): number {
  if (endsAt <= now) return 0
  const step = nextStep(
    {
      endsAt,
      announcedAt: cycle?.announced_at ?? null,
      triedAt: cycle?.tried_at ?? null,
      isOver: (cycle?.outcome ?? null) !== null,
    },
    now,
  )
  return step.do === 'give_up' || step.do === 'nothing' ? 0 : Math.max(chargeAt(endsAt), now)
}

/** Whether something renews itself for a person, at Apple or here. */
export const hasRenewal = async (db: Db, userId: UserId, kind: string): Promise<boolean> =>
  (await rows.listActive(db, userId, kind, clock.now())).length > 0

/** Whether the purchase that a contract begins with waits for its charge. */
export const waitsForCharge = (row: rows.RenewalRow, order: OrderRow | null): boolean =>
  row.is_charged_first && order !== null && isPayable(order.state) && order.expires_at > clock.now()
