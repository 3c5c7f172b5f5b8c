/** Redeem codes. commerce.md §2 "/cdk", §7, §9. */
import { route } from '../route.ts'
import { text, z } from '../schema.ts'
import { foldCode } from '../typed.ts'

/** What a person types: spaces, dashes and the case of letters do not count. */
export const COUPON_TYPED_MAX = 100
/** A code as it is stored. */
export const readCoupon = (typed: string): string => foldCode(typed).toUpperCase()

/** Redeems a code for the caller. */
export const exchangeCoupon = route({
  method: 'POST',
  path: '/api/v3/coupon/exchange',
  dialect: 'v3',
  who: 'person',
  input: z.object({ code: text(COUPON_TYPED_MAX, 1, readCoupon) }),
  answer: z.object({
    message: z.string(),
    /** What was won. `type`: the kind of product. */
    products: z.array(z.object({ type: z.string(), id: z.number(), name: z.string(), count: z.number() })),
  }),
  fails: [
    'coupon.expired',
    'coupon.limit',
    'coupon.paused',
    'coupon.staff',
    'coupon.unknown',
    'coupon.used',
    'order.lower',
    'too_many',
  ],
})

/** The path before version 13, for pages and apps that were loaded before it. It goes with version 14. */
export const redeemCoupon = route({ ...exchangeCoupon, path: '/api/v3/coupon/redeem' })
