/** Attempts to pay an order: each is a trade of its own at a provider. */
import { fail } from '@guildhall/wire/failure.ts'
import { isPayable } from '@guildhall/wire/order/state.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import type { Tx } from '../kit/database/db.ts'
import { ids } from '../kit/ids.ts'
import type { OrderRow } from '../order/order.ts'
import type { PayProvider, PayScene, PayWay } from '../outside/payment/payProvider.ts'
import type { PayDeps } from './payContext.ts'
import * as rows from './sql.ts'

/** A begun payment is asked for first after this; then the pauses double. */
export const FIRST_QUERY_MS = 5 * SECOND_MS

export interface Beginning {
  readonly way: PayWay
  readonly scene: PayScene
  readonly clientIp: string
  readonly returnUrl: string
  /** WeChat `inside`: the payer's openid. */
  readonly payer?: string
}

/** @throws Failure pay.way */
export function providerOf(
  { providers }: Pick<PayDeps, 'providers'>,
  way: PayWay,
  scene: PayScene,
): PayProvider {
  const provider = providers.get(way)
  if (!provider?.scenes.includes(scene)) throw fail('pay.way')
  return provider
}

/** @throws Failure order.paid, order.closed */
export function refuseUnpayable({ state, expires_at }: OrderRow): void {
  if (state !== 'closed' && !isPayable(state)) throw fail('order.paid')
  if (state === 'closed' || expires_at <= clock.now()) throw fail('order.closed')
}

/** What is bought, in one line. */
export const subjectOf = (lines: readonly { readonly name: string; readonly count: number }[]): string =>
  lines.map(({ name, count }) => (count === 1 ? name : `${name} ×${count}`)).join('、')

/** 24 capital letters and digits: the time, so that numbers sort, and 60 random bits. */
const newTradeNo = (): string => `P${ids.uuid().replaceAll('-', '').slice(0, 23)}`.toUpperCase()

/** Stores an attempt to pay a locked order, before its provider hears of it. */
export function addAttempt(
  tx: Tx,
  order: OrderRow,
  { way, scene }: { readonly way: PayWay; readonly scene: rows.PaymentRow['scene'] },
): Promise<rows.PaymentRow> {
  const now = clock.now()
  return rows.addPayment(tx, {
    trade_no: newTradeNo(),
    order_id: order.id,
    way,
    scene,
    fee: order.pay_fee,
    created_at: now,
    next_query_at: now + FIRST_QUERY_MS,
  })
}

export const isBegun = ({ state }: rows.PaymentRow): boolean => state === 'begun'
