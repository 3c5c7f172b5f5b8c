/**
 * Acts of staff that wait until somebody else agrees: a second account with the same right, or the operator
 * by command. Decision 107.
 */

import { guildId, userId } from '../id.ts'
import { route } from '../route.ts'
import { flag, int, type Out, text, z } from '../schema.ts'
import { DAY_MS } from '../unit.ts'
import { readWords } from '../words.ts'
import type { StaffRight } from './rights.ts'
import { ACT_REASON_MAX } from './staff.ts'

/** Requests of one page. */
export const APPROVALS_PAGE = 50
/** A request that nobody decided ends after so long, ms. */
export const APPROVAL_MS = 7 * DAY_MS

/** What may wait, each with the right that making and deciding it needs. */
export const APPROVAL_RIGHTS = {
  codes: 'code',
  buff: 'gift',
  change: 'price',
  withdrawal: 'price',
  guild: 'guild',
} as const satisfies Readonly<Record<string, StaffRight>>
export type ApprovalKind = keyof typeof APPROVAL_RIGHTS
export const APPROVAL_KINDS = Object.keys(APPROVAL_RIGHTS) as ApprovalKind[]

/**
 * Why an act waits: `value`, it is worth more than one person may make; `day`, staff made as much today as
 * they may; `price`, a price changes by more than one person may change it; `owner`, a guild gets another
 * owner.
 */
export const APPROVAL_WHYS = ['value', 'day', 'price', 'owner'] as const
export type ApprovalWhy = (typeof APPROVAL_WHYS)[number]

export const APPROVAL_STATES = ['waiting', 'approved', 'rejected', 'withdrawn', 'expired'] as const

const named = z.object({ id: userId, name: z.string() })

/** What exactly will happen; of the five one is there, by the kind. Money is in fen, times are ms. */
export const approvalFacts = z.object({
  codes: z.optional(
    z.object({
      product_id: z.number(),
      product_name: z.string(),
      price: z.number(),
      count: z.number(),
      per_user: z.number(),
      /** 0: they do not end. */
      expires_at: z.number(),
      note: z.string(),
      value: z.number(),
    }),
  ),
  buff: z.optional(z.object({ to: named, days: z.number(), value: z.number() })),
  /** Of a withdrawal: what will be in place of what was planned. */
  change: z.optional(
    z.object({
      product_id: z.number(),
      product_name: z.string(),
      /** 0: at once. */
      valid_from: z.number(),
      before: z.record(z.string(), z.unknown()),
      after: z.record(z.string(), z.unknown()),
    }),
  ),
  guild: z.optional(z.object({ id: guildId, name: z.string(), from: named, to: named })),
})
export type ApprovalFacts = Out<typeof approvalFacts>

/** An act that waits, or that was decided. */
export const approval = z.object({
  id: z.string(),
  kind: z.enum(APPROVAL_KINDS),
  why: z.enum(APPROVAL_WHYS),
  facts: approvalFacts,
  /** Who wants it. They do not decide it, but may withdraw it. */
  actor: z.string(),
  actor_name: z.string(),
  reason: z.string(),
  /** ms */
  created_at: z.number(),
  /** Until when it may be decided, ms. */
  expires_at: z.number(),
  state: z.enum(APPROVAL_STATES),
  /** The failure of the last try to do it; empty: nobody tried. */
  failure: z.string(),
  /** An id, or `operator`; empty: nobody did. */
  decided_by: z.string(),
  decided_by_name: z.string(),
  decided_at: z.nullable(z.number()),
  decided_why: z.string(),
})
export type Approval = Out<typeof approval>

/**
 * What waits, or is over: of the caller's rights, and their own. The newest first, those older than `before`.
 */
export const listApprovals = route({
  method: 'GET',
  path: '/api/v3/staff/approval-list',
  dialect: 'v3',
  who: 'staff',
  right: 'any',
  input: z.object({
    state: z._default(z.enum(['waiting', 'decided']), 'waiting'),
    before: z.optional(int(1)),
  }),
  answer: z.object({ items: z.array(approval), has_more: z.boolean() }),
  fails: [],
})

/**
 * Approves an act of somebody else, which does it, or rejects it, which needs a reason. The same decision
 * again has no effect. Codes that it makes are in this answer alone. What can no longer be done is refused as
 * the act is, and what is no longer as it was shown, with `staff.approval_changed`: both still wait.
 */
export const decideApproval = route({
  method: 'POST',
  path: '/api/v3/staff/approval-decide',
  dialect: 'v3',
  who: 'staff',
  right: 'any',
  input: z.object({
    id: int(1),
    approve: flag(),
    reason: z._default(text(ACT_REASON_MAX, 0, readWords), ''),
  }),
  /** Empty, but for an approved batch of codes. */
  answer: z.object({ batch_id: z.string(), codes: z.array(z.string()) }),
  fails: [
    ...(['staff.approval_unknown', 'staff.approval_own', 'staff.approval_decided'] as const),
    ...(['staff.approval_over', 'staff.approval_changed'] as const),
    ...(['product.unknown', 'product.retired', 'product.unchanged', 'product.past'] as const),
    ...(['product.no_plan', 'staff.end_wrong', 'user.unknown', 'guild.unknown'] as const),
    ...(['guild.not_member', 'guild.owns_too_many', 'staff.own_guild', 'staff.owner_already'] as const),
  ],
})

/** Takes an own request back while it waits. Once more has no effect. */
export const withdrawApproval = route({
  method: 'POST',
  path: '/api/v3/staff/approval-withdraw',
  dialect: 'v3',
  who: 'staff',
  right: 'any',
  input: z.object({ id: int(1) }),
  answer: z.object({}),
  fails: ['staff.approval_unknown', 'staff.approval_decided', 'staff.approval_over'],
})
