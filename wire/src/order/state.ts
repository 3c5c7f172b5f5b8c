/** The states of an order and every step between them. Pure: `server/src/order` stores what it says. */

export const ORDER_STATES = [
  /** It exists; the buyer has chosen no way to pay. */
  'placed',
  /** A payment was begun at a provider. */
  'paying',
  /** The money is here, and what was bought is not yet granted. */
  'paid',
  /** The receiver has what was bought. Final, unless it is refunded. */
  'granted',
  /** Nobody paid in time, or the buyer gave up. Final, unless money arrives late. */
  'closed',
  /** The money is on its way back. */
  'refunding',
  /** The money is back. Final. */
  'refunded',
  /** A person must look: nothing happens by itself. */
  'stuck',
] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** What happens to an order. Part of a refund changes no state: the order stays granted. */
export const ORDER_STEPS = [
  'begin',
  'receive',
  'grant',
  'close',
  'refund',
  'refunded',
  'stick',
  'resume',
] as const
export type OrderStep = (typeof ORDER_STEPS)[number]

const arrows: Readonly<Record<OrderState, Partial<Readonly<Record<OrderStep, OrderState>>>>> = {
  placed: { begin: 'paying', receive: 'paid', close: 'closed' },
  paying: { begin: 'paying', receive: 'paid', close: 'closed' },
  paid: { grant: 'granted', refund: 'refunding', stick: 'stuck' },
  granted: { refund: 'refunding' },
  // Money that arrives after the end goes back.
  closed: { receive: 'refunding' },
  refunding: { refunded: 'refunded', stick: 'stuck' },
  refunded: {},
  // Staff repeats what was tried, or gives the money back.
  stuck: { resume: 'paid', refund: 'refunding', refunded: 'refunded' },
}

/** The state after a step; null: the step is refused in this state. */
export const afterStep = (state: OrderState, step: OrderStep): OrderState | null =>
  arrows[state][step] ?? null

/** Nothing more happens to such an order by itself. */
export const isFinal = (state: OrderState): boolean =>
  state === 'granted' || state === 'closed' || state === 'refunded' || state === 'stuck'

/** A buyer may pay it. */
export const isPayable = (state: OrderState): boolean => state === 'placed' || state === 'paying'
