/**
 * Redeem codes, as staff with the right `code` make and follow them. A code is kept as its hash: it is
 * answered once, when it is made.
 */

import { route } from '../route.ts'
import { flag, int, nothing, type Out, text, z } from '../schema.ts'
import { readWords } from '../words.ts'
import { actReason, approvalId } from './staff.ts'

/** Batches, and uses of one, on a page. */
export const CODES_PAGE = 20
export const USES_PAGE = 50
/** Codes of one batch. */
export const CODES_MAX = 10_000
export const CODE_NOTE_MAX = 60

/** Codes that were made together. Times are ms. */
export const codeBatch = z.object({
  id: z.string(),
  product_id: z.number(),
  product_name: z.string(),
  /** What it is for, in the words of who made it. */
  note: z.string(),
  count: z.number(),
  used: z.number(),
  /** How many of its codes one person may use. */
  per_user: z.number(),
  /** 0: they do not end. */
  expires_at: z.number(),
  /** 0: its codes are redeemed. */
  paused_at: z.number(),
  created_at: z.number(),
  /** An id, or `operator`: the command line. */
  actor: z.string(),
  /** Who approved it; empty: it needed nobody. */
  approved_by: z.string(),
  approved_by_name: z.string(),
  /** Empty for operators. */
  actor_name: z.string(),
})
export type CodeBatch = Out<typeof codeBatch>

/** The newest batches, those older than `before`. */
export const listCodes = route({
  method: 'GET',
  path: '/api/v3/staff/codes',
  dialect: 'v3',
  who: 'staff',
  right: 'code',
  input: z.object({ before: z.optional(int(1)) }),
  answer: z.object({ items: z.array(codeBatch), has_more: z.boolean() }),
  fails: [],
})

export const viewCodes = route({
  method: 'GET',
  path: '/api/v3/staff/code-view',
  dialect: 'v3',
  who: 'staff',
  right: 'code',
  input: z.object({ batch_id: int(1) }),
  answer: codeBatch,
  fails: ['not_found'],
})

/**
 * The codes of a batch that were used, the last first, those before `before` (an id). Who used them is for
 * the right `people`.
 */
export const listCodeUses = route({
  method: 'GET',
  path: '/api/v3/staff/code-uses',
  dialect: 'v3',
  who: 'staff',
  right: 'code',
  input: z.object({ batch_id: int(1), before: z.optional(int(1)) }),
  answer: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        used_at: z.number(),
        /** Both empty without the right `people`. */
        user_id: z.string(),
        username: z.string(),
      }),
    ),
    has_more: z.boolean(),
  }),
  fails: [],
})

/** Products that codes may be for. Money is in fen. */
export const listCodeProducts = route({
  method: 'GET',
  path: '/api/v3/staff/code-products',
  dialect: 'v3',
  who: 'staff',
  right: 'code',
  input: z.object({}),
  answer: z.object({
    items: z.array(z.object({ id: z.number(), name: z.string(), kind: z.string(), price: z.number() })),
  }),
  fails: [],
})

/**
 * Makes a batch. Its codes are in this answer alone. `expires_at` 0: they do not end. A batch of much value
 * waits: its codes are in the answer to who approves it.
 */
export const makeCodes = route({
  method: 'POST',
  path: '/api/v3/staff/code-create',
  dialect: 'v3',
  who: 'staff',
  right: 'code',
  input: z.object({
    product_id: int(1, 2 ** 31 - 1),
    count: int(1, CODES_MAX),
    per_user: int(1, CODES_MAX),
    expires_at: int(),
    note: z._default(text(CODE_NOTE_MAX, 0, readWords), ''),
    reason: actReason,
  }),
  answer: z.object({ batch_id: z.string(), codes: z.array(z.string()), approval_id: approvalId }),
  fails: ['product.unknown', 'product.retired', 'staff.end_wrong'],
})

/** The codes of a batch are not redeemed, or are again. */
export const pauseCodes = route({
  method: 'POST',
  path: '/api/v3/staff/code-pause',
  dialect: 'v3',
  who: 'staff',
  right: 'code',
  input: z.object({ batch_id: int(1), paused: flag(), reason: actReason }),
  answer: nothing,
  fails: ['not_found'],
})
