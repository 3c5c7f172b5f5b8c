/** The numbers of this site, by day of Beijing. */
import { route } from '../route.ts'
import { int, type Out, z } from '../schema.ts'

/** How many days are looked at together. */
export const NUMBER_RANGES = [7, 30, 90] as const
const DAYS_MAX = 90

/** One day. Money is in fen. */
export const numberDay = z.object({
  /** `YYYY-MM-DD`, of Beijing. */
  day: z.string(),
  /** Accounts that were made. */
  registrations: z.number(),
  /** People who were here. */
  active: z.number(),
  /** Messages that were sent in channels and private conversations. */
  messages: z.number(),
  /** Orders that were placed, and that were paid. */
  orders: z.number(),
  paid_orders: z.number(),
  /** What buyers paid and what they got back, by provider. */
  gross_wechat: z.number(),
  gross_alipay: z.number(),
  refunds_wechat: z.number(),
  refunds_alipay: z.number(),
})
export type NumberDay = Out<typeof numberDay>

/** The last `days` days with today as the last one, and as many before them, the oldest first. */
export const viewNumbers = route({
  method: 'GET',
  path: '/api/v3/staff/numbers',
  dialect: 'v3',
  who: 'staff',
  right: 'number',
  input: z.object({ days: z._default(int(1, DAYS_MAX), 30) }),
  answer: z.object({
    days: z.array(numberDay),
    before: z.array(numberDay),
    /** When today was counted last, ms; 0: not yet. */
    counted_at: z.number(),
  }),
  fails: [],
})
