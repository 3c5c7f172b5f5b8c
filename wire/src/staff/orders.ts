/**
 * Orders as staff see them: found by any number, with all that is known of one; giving back and trying again;
 * differences of bills.
 */

import { userId } from '../id.ts'
import { orderId } from '../order/order.ts'
import { ORDER_STATES, ORDER_STEPS } from '../order/state.ts'
import { PAY_WAYS, payWay } from '../payWay.ts'
import { route } from '../route.ts'
import { flag, int, nothing, type Out, text, z } from '../schema.ts'
import { foldDashed, readWords } from '../words.ts'

/** Rows of one page. */
export const ORDERS_PAGE = 50
/** A refund's reason is read by the buyer and by the provider, which takes no longer one. */
export const REFUND_REASON_MAX = 80
/** The reason of any other act. */
export const REASON_MAX = 200
const FEE_MAX = 10_000_000

/** Kinds of what is sold. */
export const PRODUCT_KINDS = ['buff', 'boost', 'golive'] as const

/**
 * Why somebody must look at an order. `stuck`: nothing happens by itself; `ungranted`: it is paid and not
 * granted; `refund`: money does not go back; `provider`: its time is over, and the provider has not said what
 * became of it.
 */
export const ORDER_TROUBLES = ['stuck', 'ungranted', 'refund', 'provider'] as const

const state = z.enum(ORDER_STATES)
const trouble = z.enum(['', ...ORDER_TROUBLES])
const day = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))

/** Somebody by id, with the name that they have now. */
const person = z.object({ id: userId, username: z.string(), identify_num: z.string() })

/** An order in a list. Money is in fen, times are ms. */
export const staffOrderRow = z.object({
  id: z.string(),
  buyer: person,
  /** Who receives it when that is not the buyer. */
  receiver: z.nullable(person),
  guild_id: z.string(),
  /** What was bought, in words, and its kinds. */
  what: z.string(),
  kinds: z.array(z.string()),
  state,
  pay_fee: z.number(),
  refund_fee: z.number(),
  /** Empty: it was not paid. */
  way: z.enum(['', ...PAY_WAYS]),
  created_at: z.number(),
  /** Empty: nobody must look at it. */
  trouble,
})
export type StaffOrderRow = Out<typeof staffOrderRow>

/**
 * Orders, the newest first, those older than `before`. `number`: any number of an order, of a payment or
 * refund (ours or the provider's), of a person or a guild, exactly. `trouble`: only those that somebody must
 * look at.
 */
export const listOrders = route({
  method: 'GET',
  path: '/api/v3/staff/orders',
  dialect: 'v3',
  who: 'staff',
  right: 'order',
  input: z.object({
    before: z.optional(orderId),
    number: z.optional(text(64, 1, foldDashed)),
    state: z.optional(state),
    kind: z.optional(z.enum(PRODUCT_KINDS)),
    trouble: z._default(flag(), false),
  }),
  answer: z.object({ items: z.array(staffOrderRow), has_more: z.boolean() }),
  fails: [],
})

/**
 * Who made a step or asked for a refund: `buyer`, `provider`, `server`, `operator`, or a member of staff by
 * id.
 */
const actor = z.object({ id: z.string(), name: z.string() })

const doubt = z.object({
  way: payWay,
  /**
   * What does not fit: another sum, merchant, application, currency or number, or a trade that is not ours.
   */
  why: z.string(),
  trade_no: z.string(),
  provider_no: z.string(),
  /** How often it was said. */
  times: z.number(),
  at: z.number(),
})

/** All that is known of one order. */
export const staffOrder = z.object({
  ...staffOrderRow.shape,
  guild_name: z.string(),
  is_granted: z.boolean(),
  /** Attempts to grant it that failed. */
  grant_tries: z.number(),
  expires_at: z.number(),
  lines: z.array(
    z.object({
      product_id: z.number(),
      kind: z.string(),
      name: z.string(),
      count: z.number(),
      price: z.number(),
      fee: z.number(),
      /** What one of it grants. */
      details: z.record(z.string(), z.unknown()),
    }),
  ),
  steps: z.array(
    z.object({
      step: z.enum(ORDER_STEPS),
      from: state,
      to: state,
      actor,
      note: z.string(),
      at: z.number(),
    }),
  ),
  payments: z.array(
    z.object({
      trade_no: z.string(),
      way: payWay,
      scene: z.string(),
      fee: z.number(),
      state: z.enum(['begun', 'paid', 'closed']),
      /** The one that counts; others go back. */
      is_main: z.boolean(),
      provider_no: z.string(),
      created_at: z.number(),
      /** 0: it was not paid. */
      paid_at: z.number(),
      /** How often the provider was asked, and when it is next. */
      queries: z.number(),
      next_query_at: z.number(),
    }),
  ),
  refunds: z.array(
    z.object({
      refund_no: z.string(),
      trade_no: z.string(),
      provider_no: z.string(),
      fee: z.number(),
      cause: z.enum(['late', 'twice', 'failed', 'staff']),
      reason: z.string(),
      actor,
      state: z.enum(['waiting', 'done', 'stuck']),
      /** Why the provider refuses. */
      why: z.string(),
      created_at: z.number(),
      /** 0: it is not done. */
      done_at: z.number(),
      tries: z.number(),
    }),
  ),
  /** Its entries in the ledger; debits are positive, credits negative. */
  entries: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      ref: z.string(),
      at: z.number(),
      lines: z.array(z.object({ account: z.string(), amount: z.number() })),
    }),
  ),
  /** What was granted, and what became of it. */
  granted: z.array(
    z.object({
      /** `buff`, `golive_normal`, `golive_pro`, `boost`. */
      what: z.string(),
      granted_at: z.number(),
      /** 0: it counts. */
      revoked_at: z.number(),
      /** ms; 0: it does not end by itself. */
      length: z.number(),
      /** Of packs: how many, and how many of them are used; 0: it is not counted. */
      count: z.number(),
      used: z.number(),
    }),
  ),
  /** What providers said of its payments that does not fit. */
  doubts: z.array(doubt),
  /** What can be given back now; null: nothing. */
  left: z.nullable(
    z.object({
      fee: z.number(),
      /** Part of it can go back alone. */
      is_divisible: z.boolean(),
      /** Giving all of it back takes away what was granted. */
      revokes: z.boolean(),
    }),
  ),
  /** What may be tried again: by the right `order`, and refunds that are stuck by the right `refund`. */
  can_retry: z.boolean(),
  can_retry_refunds: z.boolean(),
  /** The buyer or the receiver is staff: only operators give it back. */
  is_of_staff: z.boolean(),
})
export type StaffOrder = Out<typeof staffOrder>

/** One order. */
export const viewStaffOrder = route({
  method: 'GET',
  path: '/api/v3/staff/order',
  dialect: 'v3',
  who: 'staff',
  right: 'order',
  input: z.object({ order_id: orderId }),
  answer: staffOrder,
  fails: ['order.unknown'],
})

/**
 * Gives back all that is left of an order, or with `fee` a part of it. All of it takes away what was granted.
 * `left`: what could be given back when staff decided; with another sum left, somebody else was faster, and
 * nothing happens.
 */
export const refundStaffOrder = route({
  method: 'POST',
  path: '/api/v3/staff/order-refund',
  dialect: 'v3',
  who: 'staff',
  right: 'refund',
  input: z.object({
    order_id: orderId,
    fee: z.optional(int(1, FEE_MAX)),
    left: int(1, FEE_MAX),
    reason: text(REFUND_REASON_MAX, 1, readWords),
  }),
  answer: nothing,
  fails: ['order.unknown', 'order.changed', 'order.too_much', 'forbidden'],
})

/**
 * Tries again what waits of an order: asks providers, grants what is paid, asks for refunds that are under
 * way.
 */
export const retryStaffOrder = route({
  method: 'POST',
  path: '/api/v3/staff/order-retry',
  dialect: 'v3',
  who: 'staff',
  right: 'order',
  input: z.object({ order_id: orderId, reason: text(REASON_MAX, 1, readWords) }),
  answer: nothing,
  fails: ['order.unknown', 'order.nothing_waits', 'forbidden'],
})

/** Tries refunds of an order again that the provider has refused. */
export const retryStaffRefunds = route({
  method: 'POST',
  path: '/api/v3/staff/order-refund-retry',
  dialect: 'v3',
  who: 'staff',
  right: 'refund',
  input: z.object({ order_id: orderId, reason: text(REFUND_REASON_MAX, 1, readWords) }),
  answer: nothing,
  fails: ['order.unknown', 'order.nothing_waits', 'forbidden'],
})

/**
 * The bills of providers that were held beside the ledger, the newest first; those of days before `before`.
 */
export const listBills = route({
  method: 'GET',
  path: '/api/v3/staff/bills',
  dialect: 'v3',
  who: 'staff',
  right: 'order',
  input: z.object({ before: z.optional(day) }),
  answer: z.object({
    items: z.array(
      z.object({
        way: payWay,
        day: z.string(),
        compared_at: z.number(),
        lines: z.number(),
        /** -1: nobody has looked for them yet. */
        differences: z.number(),
      }),
    ),
    has_more: z.boolean(),
  }),
  fails: [],
})

/** How a bill and the ledger differ. */
export const billDifference = z.object({
  id: z.string(),
  way: payWay,
  day: z.string(),
  /** It is in the bill alone, in the ledger alone, or in both with other sums. */
  what: z.enum(['unknown_here', 'unknown_there', 'other_sum']),
  kind: z.enum(['payment', 'refund']),
  trade_no: z.string(),
  refund_no: z.string(),
  provider_no: z.string(),
  /** fen; -1: it is not there. */
  there: z.number(),
  here: z.number(),
  found_at: z.number(),
  /** They agree about it by now. */
  is_settled: z.boolean(),
  /** Empty: there is no order of ours. */
  order_id: z.string(),
})
export type BillDifference = Out<typeof billDifference>

/**
 * What was found, the newest day first, those after the row of `before_day` and `before`; of one day or all.
 */
export const listDifferences = route({
  method: 'GET',
  path: '/api/v3/staff/bill-differences',
  dialect: 'v3',
  who: 'staff',
  right: 'order',
  input: z.object({
    day: z.optional(day),
    before_day: z.optional(day),
    before: z.optional(int(1)),
  }),
  answer: z.object({ items: z.array(billDifference), has_more: z.boolean() }),
  fails: [],
})

/** What providers said that does not fit, the newest first; those before `before`. It grants nothing. */
export const listDoubts = route({
  method: 'GET',
  path: '/api/v3/staff/pay-doubts',
  dialect: 'v3',
  who: 'staff',
  right: 'order',
  input: z.object({ before: z.optional(int(1)) }),
  answer: z.object({
    items: z.array(
      z.object({
        ...doubt.shape,
        id: z.string(),
        /** Empty: there is no order of ours. */
        order_id: z.string(),
      }),
    ),
    has_more: z.boolean(),
  }),
  fails: [],
})
