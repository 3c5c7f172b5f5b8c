/** Paying an order. commerce.md §2, §4, §7. */
import { orderCode, orderId } from '../order/order.ts'
import { PAY_SCENES, payWay, platform } from '../payWay.ts'
import { route } from '../route.ts'
import { int, type Out, text, z } from '../schema.ts'

/**
 * Texts by their names. The validator's maps and tagged unions are used nowhere else, and would be in the
 * file that every page loads.
 */
const params = z.looseObject({})

/** What the buyer's device does to pay. */
export const payData = z.union([
  /** WeChat's `getBrandWCPayRequest` with these parameters. */
  z.object({ kind: z.literal('weixin'), params }),
  /** Alipay's `tradePay` with this text. */
  z.object({ kind: z.literal('alipay'), order_str: z.string() }),
  /**
   * The browser goes to this address. `from`: from this page of ours, whose whole address the provider has to
   * see, because it leads back to it.
   */
  z.object({ kind: z.literal('redirect'), url: z.string(), from: z.optional(z.string()) }),
  /** A QR code of this content, to be scanned by the provider's app. */
  z.object({ kind: z.literal('qr'), code: z.string() }),
  /** WeChat's SDK of a native app with these parameters. */
  z.object({ kind: z.literal('weixin_app'), params }),
])
export type PayData = Out<typeof payData>

const failsOfPaying = [
  'order.unknown',
  'order.closed',
  'order.paid',
  'pay.way',
  'pay.failed',
  'renewal.already',
] as const

/**
 * Begins to pay one of the caller's orders. `scene`: `inside` the provider's app, in another browser of a
 * `phone`, by a `qr` code, in the native `app`. In a browser only where the operator allows it. Inside of
 * WeChat it answers with a redirect: WeChat first tells who pays, or asks to sign a contract. Ours.
 */
export const payOrder = route({
  method: 'POST',
  path: '/api/v3/order/pay',
  dialect: 'v3',
  who: 'person',
  input: z.object({ order_id: orderId, way: payWay, scene: z.enum(PAY_SCENES) }),
  answer: payData,
  fails: [...failsOfPaying, 'pay.in_app'],
})

/**
 * Begins to pay the order of a code, on the phone that scanned it. `platform` 1: `mobile_pay` is the address
 * of WeChat's page that tells who pays, or on which a contract is signed, which is left for `from` a page of
 * ours; 2: the text for Alipay's `tradePay`. Who is logged in as somebody else than the buyer is refused.
 */
export const createByCode = route({
  method: 'POST',
  path: '/api/v3/order/create-by-code',
  dialect: 'v3',
  who: 'anyone',
  /** `id`: the order's code; any other text is an unknown order. */
  input: z.object({ id: text(512), platform: int(platform.wechat, platform.alipay) }),
  answer: z.object({
    pay_data: z.object({ mobile_pay: z.string(), pay_way: payWay, from: z.optional(z.string()) }),
  }),
  fails: [...failsOfPaying, 'order.not_own'],
})

/** What WeChat's page came back with: the parameters of `getBrandWCPayRequest`, who pays, and what. */
export const wxJsapi = route({
  method: 'GET',
  path: '/api/v3/pay/wx-jsapi',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({ code: text(512, 1), state: orderCode }),
  answer: z.object({
    pay: params,
    user: z.object({ avatar: z.string(), name: z.string() }),
    order: z.object({ product: z.string(), pay_fee: z.number() }),
  }),
  fails: [...failsOfPaying, 'auth.third_part_refused', 'auth.third_part_failed'],
})
