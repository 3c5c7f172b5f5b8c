/** The staff log: every call and every act of staff. Nobody changes or deletes its rows. */
import { userId } from '../id.ts'
import { route } from '../route.ts'
import { int, type Out, text, z } from '../schema.ts'

/** Rows of one page. */
export const LOG_PAGE = 50

export const STAFF_LOG_KINDS = ['login', 'call', 'act', 'refused'] as const

/** What staff and operators do, as the log names it; each once, of what it is done to. */
export const STAFF_ACTS = [
  'user suspend',
  'user restore',
  'user signout',
  'user password',
  'user delete',
  'second factor off',
  'buff give',
  'buff take',
  'guild close',
  'guild restore',
  'guild owner',
  'guild recommend',
  'guild unrecommend',
  'message delete',
  'asset delete',
  'member remove',
  'invite revoke',
  'held pass',
  'held reject',
  'review decide',
  'report decide',
  'approval ask',
  'approval approve',
  'approval reject',
  'approval withdraw',
  'order refund',
  'order retry',
  'coupon create',
  'coupon pause',
  'coupon resume',
  'product change',
  'product withdraw',
  'word add',
  'word update',
  'word remove',
  'word import',
  'staff role',
  'staff grant',
  'staff revoke',
] as const
export type StaffAct = (typeof STAFF_ACTS)[number]

export const staffLogRow = z.object({
  id: z.string(),
  /** ms */
  at: z.number(),
  /** An id, or `operator`: the command line. */
  actor: z.string(),
  /** The actor's name; empty for operators. */
  actor_name: z.string(),
  /** The network they came from. */
  place: z.string(),
  /** `call`: a look, or an act before it was done; `act`: it was done; `refused`: a call that failed. */
  kind: z.enum(STAFF_LOG_KINDS),
  /** The call without its prefix, or the name of the act. */
  name: z.string(),
  /** Whom it concerns; empty: nobody, or more than one. */
  user_id: z.string(),
  /** Their name; empty where there is nobody. */
  user_name: z.string(),
  /** Ids of what it concerns. */
  target: z.string(),
  /** What was asked for, and why, as far as it is not secret. */
  detail: z.record(z.string(), z.unknown()),
})
export type StaffLogRow = Out<typeof staffLogRow>

/**
 * The newest rows, those older than `before` (an id of a row); of one actor, of one concerned person, of a
 * name or a kind.
 */
export const listStaffLog = route({
  method: 'GET',
  path: '/api/v3/staff/log',
  dialect: 'v3',
  who: 'staff',
  right: 'log',
  input: z.object({
    before: z.optional(int(1, Number.MAX_SAFE_INTEGER)),
    actor: z.optional(text(20)),
    user_id: z.optional(userId),
    kind: z.optional(z.enum(STAFF_LOG_KINDS)),
    name: z.optional(text(60)),
  }),
  answer: z.object({ items: z.array(staffLogRow), has_more: z.boolean() }),
  fails: [],
})
