/**
 * What renews itself: contracts by which the next period is charged. commerce.md §2 "/renewal/management",
 * §3, §7, §9.
 */

import { event } from '../event.ts'
import { platform } from '../payWay.ts'
import { route } from '../route.ts'
import { int, nothing, type Out, text, z } from '../schema.ts'

/** `type` of the list: BUFF, or screen sharing. commerce.md §7. */
export const renewalType = { buff: 1, golive: 2 } as const

/** `pay_info.platform`. A subscription at Apple is closed there alone. commerce.md §9. */
export const renewalPlatform = { ...platform, apple: 3 } as const

/** A contract that is in force. Money is in fen, times are ms. commerce.md §3 "Renewal item". */
export const renewal = z.object({
  code: z.string(),
  /** When what is renewed ends; 0: the person does not have it. */
  expired_time: z.number(),
  /** When it is charged next; 0: nothing is charged for what the person has now. */
  next_time: z.number(),
  product: z.object({ name: z.string() }),
  pay_info: z.object({ platform: z.number(), pay_text: z.string() }),
  /** What the next charge takes; 0: Apple knows it. Ours. */
  fee: z.number(),
  /** The last charge failed, and nothing was taken. Ours. */
  is_failed: z.boolean(),
})
export type Renewal = Out<typeof renewal>

/** The caller's contracts that are in force, the newest first. `type`: 1 BUFF, 2 screen sharing. */
export const listRenewals = route({
  method: 'GET',
  path: '/api/v3/renewal/list',
  dialect: 'v3',
  who: 'person',
  input: z.object({ type: int(renewalType.buff, renewalType.golive) }),
  answer: z.object({ items: z.array(renewal) }),
  fails: [],
})

/** Ends one of the caller's contracts, at its provider too: nothing is charged by it any more. Idempotent. */
export const closeRenewal = route({
  method: 'POST',
  path: '/api/v3/renewal/close',
  dialect: 'v3',
  who: 'person',
  input: z.object({ code: text(64, 1) }),
  answer: nothing,
  fails: ['renewal.unknown', 'renewal.apple'],
})

/**
 * A contract of the person changed. `signed`, `ended`; `announced`: it will be charged at `at`; `failed`: the
 * next period was not charged, and nothing was taken. Ours.
 */
export const renewalUpdated = event(
  'updated_renewal',
  'person',
  z.object({
    code: z.string(),
    what: z.enum(['signed', 'announced', 'failed', 'ended']),
    name: z.string(),
    fee: z.number(),
    at: z.number(),
  }),
  { access: 'none' },
)
