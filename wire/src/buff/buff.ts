/** BUFF, the membership. commerce.md §3, §7, §9. */
import { browserPaying, product } from '../product/product.ts'
import { route } from '../route.ts'
import { int, z } from '../schema.ts'

/** The packages of BUFF on sale. */
export const vipProducts = route({
  method: 'GET',
  path: '/api/v3/vip/products',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    /** 1 in the iOS app, else 0. */
    market: z._default(int(), 0),
    /** 1: with packages that renew themselves. */
    period: z._default(int(0, 1), 0),
  }),
  answer: z.object({
    items: z.array(product),
    ...browserPaying,
  }),
  fails: ['product.market'],
})

/** Until when the caller's BUFF lasts, ms; 0: they have none. */
export const vipExpired = route({
  method: 'GET',
  path: '/api/v3/user/get-vip-expired',
  dialect: 'v3',
  who: 'person',
  input: z.object({}),
  answer: z.object({ vip_expired: z.number(), has_renewal: z.boolean() }),
  fails: [],
})
