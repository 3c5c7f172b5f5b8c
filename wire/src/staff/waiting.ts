/** How much waits for staff, shown beside the sections of the console. */
import { route } from '../route.ts'
import { type Out, z } from '../schema.ts'

/** Counted no further than this: a full count says "this many, or more". */
export const WAITING_COUNT_MAX = 100

const count = z.nullable(z.number())

/** Null: the caller has no right to decide them. */
export const waiting = z.object({
  /** Changes of recommended guilds and held messages. */
  reviews: count,
  /** Open cases of reports. */
  reports: count,
  /** Orders that somebody must look at. */
  orders: count,
  /** Acts of others that wait for approval. */
  approvals: count,
})
export type Waiting = Out<typeof waiting>

export const staffWaiting = route({
  method: 'GET',
  path: '/api/v3/staff/waiting',
  dialect: 'v3',
  who: 'staff',
  right: 'any',
  input: z.object({}),
  answer: waiting,
  fails: [],
})
