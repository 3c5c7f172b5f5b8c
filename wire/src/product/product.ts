/** What is sold. commerce.md §3. */
import { payWay } from '../payWay.ts'
import { type Out, z } from '../schema.ts'
/** Where a product is sold: everywhere but in the iOS app, or there alone. commerce.md §7. */
export const market = { any: 0, ios: 1 } as const

/** A product as the shop's pages show it. Money is in fen. */
export const product = z.object({
  id: z.number(),
  name: z.string(),
  price: z.number(),
  /** The price before a discount; 0: there is none. */
  origin_price: z.number(),
  discount_label: z.string(),
  buy_tip: z.string(),
  /** It renews itself. */
  period_buy: z.boolean(),
  /** The group it is shown in; 0 for BUFF, 10015 and 10016 for screen sharing. commerce.md §3. */
  group_id: z.number(),
  /** How many days one of it lasts; absent: what it grants has no end of its own, as packs. Ours. */
  days: z.optional(z.number()),
})
export type Product = Out<typeof product>

const ways = z.array(payWay)

/** How an offer is paid in a browser. Ours. */
export const browserPaying = {
  /** Empty: it is bought in the app. */
  browser_ways: ways,
  /**
   * The ways by which what renews itself is signed: inside of the provider's app, in another browser of a
   * phone, by a QR code. Absent: by none.
   */
  renewing_ways: z.optional(z.object({ inside: ways, phone: ways, qr: ways })),
}
