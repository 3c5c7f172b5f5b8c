/**
 * What money does to an order, as pure functions: `pay.ts` stores what they say, and a property test runs the
 * same functions over thousands of schedules. Entries of the ledger included.
 */
import { afterStep, isPayable, type OrderState, type OrderStep } from '@guildhall/wire/order/state.ts'
import type { Fen } from '@guildhall/wire/unit.ts'
import { accounts, type Line, moved } from '../ledger/ledger.ts'
import type { PayWay } from '../outside/payment/payProvider.ts'

/** Why money goes back. */
export type RefundCause = 'late' | 'twice' | 'failed' | 'staff'

/** What of an order decides. */
export interface OrderMoney {
  readonly state: OrderState
  readonly fee: Fen
  /** What went back of the payment that counts, and what is on its way. */
  readonly refunded: Fen
  readonly returning: Fen
}

/** What a payment that arrived means. `isMain`: it is the one that counts. */
export type Received =
  | { readonly isMain: true; readonly step: 'receive'; readonly refund: null }
  | { readonly isMain: true; readonly step: 'receive'; readonly refund: 'late' }
  | { readonly isMain: false; readonly step: null; readonly refund: 'twice' }

/** The first payment in time is for the order; every other one goes back. */
export function receive(state: OrderState): Received {
  if (isPayable(state)) return { isMain: true, step: 'receive', refund: null }
  if (state === 'closed') return { isMain: true, step: 'receive', refund: 'late' }
  return { isMain: false, step: null, refund: 'twice' }
}

/** After so many attempts what was bought cannot be granted, and the money goes back. */
export const GRANT_TRIES_MAX = 6

/** What follows an attempt to grant that failed. */
export const afterFailedGrant = (tries: number): 'again' | 'refund' =>
  tries < GRANT_TRIES_MAX ? 'again' : 'refund'

/** A refund that may be made. `step`: null for a part, which changes no state. */
export interface Refundable {
  readonly fee: Fen
  readonly step: Extract<OrderStep, 'refund'> | null
  /** What was granted is taken back. */
  readonly revokes: boolean
}

/**
 * What giving back `fee` of an order means, all that is left with null. Null: there is nothing to give back,
 * or not so much. Part of an order goes back only once it is granted.
 */
export function refundable(order: OrderMoney, fee: Fen | null): Refundable | null {
  const left = order.fee - order.refunded - order.returning
  const wanted = fee ?? left
  if (wanted < 1 || wanted > left) return null
  if (afterStep(order.state, 'refund') === null) return null
  const isAll = wanted === left
  if (!isAll && order.state !== 'granted') return null
  return { fee: wanted, step: isAll ? 'refund' : null, revokes: isAll && order.state === 'granted' }
}

/** The step that a finished refund brings: all of the order went back. */
export const afterRefund = ({ state, fee, refunded }: Pick<OrderMoney, 'state' | 'fee' | 'refunded'>) =>
  refunded >= fee && afterStep(state, 'refunded') !== null ? ('refunded' as const) : null

/** One line of an order in the ledger. */
export interface Sold {
  readonly product: string
  readonly fee: Fen
}

/** Money arrived: we owe the buyer. */
export const receiveLines = (way: PayWay, fee: Fen): readonly Line[] =>
  moved(accounts.owed(), accounts.clearing(way), fee)

/** What was bought is granted: we owe nothing more. */
export const grantLines = (sold: readonly Sold[]): readonly Line[] =>
  sold.flatMap(({ product, fee }) => moved(accounts.revenue(product), accounts.owed(), fee))

/** Something that was granted is to be given back: we owe it again. */
export const refundLines = (sold: readonly Sold[], fee: Fen): readonly Line[] =>
  shares(sold, fee).flatMap(({ product, fee }) => moved(accounts.owed(), accounts.refunds(product), fee))

/** Money went back to the buyer. */
export const payBackLines = (way: PayWay, fee: Fen): readonly Line[] =>
  moved(accounts.clearing(way), accounts.owed(), fee)

/** A sum divided over lines by what they cost, to the fen. */
export function shares(sold: readonly Sold[], sum: Fen): readonly Sold[] {
  const total = sold.reduce((all, { fee }) => all + fee, 0)
  let left = sum
  let rest = total
  return sold.map(({ product, fee }) => {
    const share = rest === 0 ? 0 : Math.round((left * fee) / rest)
    left -= share
    rest -= fee
    return { product, fee: share }
  })
}
