/**
 * Content that word rules or the review service hold back until staff decide: its author sees it, and nobody
 * else. Decision 82.
 */
import { event } from '../event.ts'
import { messageId } from '../id.ts'
import { route } from '../route.ts'
import { nothing, type Out, text, z } from '../schema.ts'

/** Held messages of one question. */
export const HELD_ASKED_MAX = 50
/** A reason of staff, characters. */
export const REASON_MAX = 200

/** `passed`: it was sent; `rejected`: it never will be. */
export const HELD_STATES = ['held', 'passed', 'rejected'] as const

/** How a held message stands, for its author. */
export const heldState = z.object({
  /** The channel's id, or the conversation's code. */
  conversation: z.string(),
  nonce: z.string(),
  state: z.enum(HELD_STATES),
  /** Why it was rejected, in the words of staff. */
  reason: z.string(),
  /** The message that it became; null: none. */
  msg_id: z.nullable(messageId),
})
export type HeldState = Out<typeof heldState>

/** Staff decided on a held message of this person. One that passed is sent as well, with its nonce. */
export const contentReviewed = event('reviewed_content', 'person', heldState, { access: 'none' })

const nonce = text(64)

/** How own held messages stand; those that are not known any more are left out. Ours. */
export const viewHeld = route({
  method: 'POST',
  path: '/api/v3/content/held',
  dialect: 'v3',
  who: 'user',
  input: z.object({ nonces: z.array(nonce).check(z.maxLength(HELD_ASKED_MAX)) }),
  answer: z.object({ items: z.array(heldState) }),
  fails: [],
})

/** Takes an own held message back: it is not sent, and nobody decides on it. Idempotent. Ours. */
export const withdrawHeld = route({
  method: 'POST',
  path: '/api/v3/content/withdraw',
  dialect: 'v3',
  who: 'user',
  input: z.object({ nonce }),
  answer: nothing,
  fails: [],
})
