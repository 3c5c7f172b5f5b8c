/** Screen sharing: two versions, bought for a time. commerce.md §3, §4, §7, §9. */
import { browserPaying, product } from '../product/product.ts'
import { route } from '../route.ts'
import { int, z } from '../schema.ts'

/** `group_id` of the products of each version. commerce.md §9. */
export const goliveGroup = { normal: 10_015, pro: 10_016 } as const

export const goliveType = z.enum(['none', 'normal', 'pro'])

/** Which version the caller has, and until when, ms; 0 without any. */
export const goliveInfo = route({
  method: 'GET',
  path: '/api/v3/product/golive-info',
  dialect: 'v3',
  who: 'user',
  input: z.object({}),
  answer: z.object({
    type: goliveType,
    expire_time: z.number(),
    /** It renews itself. Ours. */
    has_renewal: z.boolean(),
  }),
  fails: [],
})

/** What screen sharing brings, and its products. `market`: 1 in the iOS app, else 0. */
export const goliveProducts = route({
  method: 'GET',
  path: '/api/v3/product/golive-products',
  dialect: 'v3',
  who: 'user',
  input: z.object({ market: z._default(int(), 0), period: z._default(int(0, 1), 0) }),
  answer: z.object({
    ability: z.array(z.object({ title: z.string(), desc: z.string(), image: z.string() })),
    /** What each version has; the values are words of the caller's language. */
    compare: z.array(
      z.object({ title: z.string(), desc: z.string(), normal_v: z.string(), pro_v: z.string() }),
    ),
    /** Paths on this server; empty where there is none. */
    video: z.object({ cover: z.string(), url: z.string() }),
    /** Until when the caller has the standard version, and the professional one, ms; 0: not. */
    items: z.array(z.object({ expire_time: z.number() })),
    /** Of both versions, by `group_id`. */
    products: z.array(product),
    ...browserPaying,
  }),
  fails: ['product.market'],
})
