/** Orders: placing them, looking at them, the bill. commerce.md §2, §7. */
import { event } from '../event.ts'
import { guildId, userId } from '../id.ts'
import { pageInput, pageOf } from '../page.ts'
import { route } from '../route.ts'
import { int, nothing, type Out, text, z } from '../schema.ts'
import { ORDER_STATES } from './state.ts'

/** More of one product is not ordered at once. commerce.md §9. */
export const ORDER_COUNT_MAX = 999
/** Orders of one person that wait for their payment. */
export const OPEN_ORDERS_MAX = 20

/** `20` and 14 to 18 more digits. */
export const orderId = z.string().check(z.regex(/^[1-9]\d{7,19}$/))
/** 32 hexadecimal digits: who has it may pay the order, and sees what it costs. */
export const orderCode = z.string().check(z.regex(/^[0-9a-f]{32}$/))

const state = z.enum(ORDER_STATES)

const line = z.object({
  product_id: z.number(),
  name: z.string(),
  count: z.number(),
  /** The price of one, and of all, fen. */
  price: z.number(),
  fee: z.number(),
  /** How many days, or packs, one of it brings; absent: none. Ours. */
  days: z.optional(z.number()),
  packs: z.optional(z.number()),
})

/** Money that went back, or is on its way. */
const refund = z.object({
  fee: z.number(),
  state: z.enum(['waiting', 'done', 'stuck']),
  /**
   * `late`: it was paid after the order was closed; `twice`: it was paid before; `failed`: it could not be
   * granted; `staff`.
   */
  cause: z.enum(['late', 'twice', 'failed', 'staff']),
  reason: z.string(),
  /** ms */
  at: z.number(),
})

/** An order as its buyer sees it. Money is in fen, times are ms. */
export const order = z.object({
  order_id: z.string(),
  code: z.string(),
  state,
  /** The whole price; what was given back of it. */
  pay_fee: z.number(),
  refund_fee: z.number(),
  /** By which way it was paid: 1 WeChat, 2 Alipay; 0: it was not. */
  pay_platform: z.number(),
  lines: z.array(line),
  refunds: z.array(refund),
  /** The guild it is for, and the friend who receives it; empty: none. */
  guild_id: z.string(),
  user_id: z.string(),
  /** The same in words, as in the bill; empty: the buyer. Ours. */
  usage_info: z.string(),
  created_at: z.number(),
  /** After it, nobody can pay it. */
  expires_at: z.number(),
  /** How much longer it can be paid, ms, whatever the clock of a device; 0: its time is over. Ours. */
  left_ms: z.number(),
  /** 0: it was not paid. */
  paid_at: z.number(),
  /** It renews itself: only ways that sign a contract pay it. Ours. */
  period_buy: z.optional(z.boolean()),
})
export type Order = Out<typeof order>

/**
 * Places an order, or finds the one that was placed with the same `key`. `guild_id`: the guild that it is
 * for; `user_id`: the friend who receives it. `code` is the `id` of `/pay?id=`.
 */
export const createOrder = route({
  method: 'POST',
  path: '/api/v3/order/create',
  dialect: 'v3',
  who: 'person',
  input: z.object({
    product_id: int(1, 2 ** 31 - 1),
    count: z._default(int(-(2 ** 31)), 1),
    /** Made by the client; the same one never places two orders. */
    key: text(64, 1),
    market: z.optional(int()),
    guild_id: z.optional(guildId),
    user_id: z.optional(userId),
  }),
  answer: z.object({
    order_id: z.string(),
    code: z.string(),
    pay_fee: z.number(),
    state,
    expires_at: z.number(),
  }),
  fails: [
    'product.unknown',
    'product.retired',
    'product.market',
    'order.count',
    'order.key_used',
    'order.receiver',
    'order.subject',
    'order.owned',
    'order.lower',
    'order.too_many',
    'guild.unknown',
  ],
})

/** One of the caller's own orders. */
export const viewOrder = route({
  method: 'GET',
  path: '/api/v3/order/view',
  dialect: 'v3',
  who: 'person',
  input: z.object({ order_id: orderId }),
  answer: order,
  fails: ['order.unknown'],
})

/** Gives up an order that was not paid. A payment that arrives all the same goes back. Idempotent. */
export const closeOrder = route({
  method: 'POST',
  path: '/api/v3/order/close',
  dialect: 'v3',
  who: 'person',
  input: z.object({ order_id: orderId }),
  answer: nothing,
  fails: ['order.unknown', 'order.paid'],
})

/** A line of the bill. commerce.md §3. */
export const billItem = z.object({
  order_id: z.string(),
  /** For whom, or for which guild, in words; empty: the buyer. */
  usage_info: z.string(),
  /** What was bought, in words. */
  buy_info: z.string(),
  /** ms */
  order_datetime: z.number(),
  /** The lines in words. */
  item_entities_desc: z.string(),
  pay_fee: z.number(),
  pay_platform: z.number(),
  /** Ours. */
  refund_fee: z.number(),
  state,
})
export type BillItem = Out<typeof billItem>

/** What the caller paid for, the newest first. commerce.md §7. */
export const listPayments = route({
  method: 'GET',
  path: '/api/v3/order/payments',
  dialect: 'v3',
  who: 'person',
  input: z.object(pageInput),
  answer: pageOf(billItem),
  fails: [],
})

/** An order that waits for its payment, in a list. */
export const unpaidItem = z.object({
  order_id: z.string(),
  buy_info: z.string(),
  usage_info: z.string(),
  pay_fee: z.number(),
  left_ms: z.number(),
  period_buy: z.boolean(),
})
export type UnpaidItem = Out<typeof unpaidItem>

/**
 * What the caller ordered and can still pay, the newest first, `OPEN_ORDERS_MAX` at most. Orders that are
 * charged by a contract are not among them: nobody pays these by hand. Ours.
 */
export const listUnpaid = route({
  method: 'GET',
  path: '/api/v3/order/unpaid',
  dialect: 'v3',
  who: 'person',
  input: nothing,
  answer: z.object({ items: z.array(unpaidItem) }),
  fails: [],
})

/** An order of the person changed: paid, granted, closed, refunded. Ours. */
export const orderUpdated = event(
  'updated_order',
  'person',
  z.object({ order_id: z.string(), state, pay_fee: z.number(), refund_fee: z.number() }),
  { access: 'none', dialects: 'pages' },
)

/**
 * A friend gave the person something, which they have from now on. `name`: of the product; `user_id`: of the
 * friend. Ours.
 */
export const giftReceived = event(
  'received_gift',
  'person',
  z.object({ user_id: userId, username: z.string(), name: z.string(), count: z.number() }),
  { access: 'none', dialects: 'pages' },
)
