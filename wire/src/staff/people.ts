/**
 * People, as staff with the right `people` find and see them, and what staff with `gift` give them. Acts on
 * accounts: staff.ts.
 */
import { mobile, mobile_prefix } from '../auth/auth.ts'
import { address } from '../auth/mail.ts'
import { guildId, userId } from '../id.ts'
import { route } from '../route.ts'
import { int, nothing, type Out, text, z } from '../schema.ts'
import { actReason, approvalId } from './staff.ts'

/** People of one page of a search. */
export const FOUND_MAX = 20
/** Guilds, sessions and grants of one person that are shown. */
export const SHOWN_MAX = 100
export const GIFT_DAYS_MAX = 3_660

export const PERSON_STATES = ['active', 'suspended', 'deleted'] as const

/** A person in the list of a search. */
export const foundPerson = z.object({
  id: userId,
  username: z.string(),
  identify_num: z.string(),
  avatar: z.string(),
  bot: z.boolean(),
  /** A suspension that is over by the clock is none. */
  state: z.enum(PERSON_STATES),
  /** Of who is suspended: until when, ms; 0: until they are restored. */
  suspended_until: z.number(),
  mobile_prefix: z.string(),
  /** Masked: the last four digits only. */
  mobile: z.string(),
  /** Of an account with an address instead of a number, masked. */
  address: z.optional(z.string()),
  created_at: z.number(),
  /** They are staff: staff do not act on them. */
  is_staff: z.boolean(),
})
export type FoundPerson = Out<typeof foundPerson>

/**
 * Looks people up by id, by number, by `name#1234`, or by how their name begins, without regard to case; may
 * be empty. A page of names follows `after`, the last person of the page before.
 */
export const findPeople = route({
  method: 'GET',
  path: '/api/v3/staff/user-find',
  dialect: 'v3',
  who: 'staff',
  right: 'people',
  input: z.object({
    user_id: z.optional(userId),
    mobile: z.optional(mobile),
    mobile_prefix,
    address: z.optional(address),
    name: z.optional(text(50, 1)),
    after: z.optional(userId),
  }),
  answer: z.object({ items: z.array(foundPerson), has_more: z.boolean() }),
  fails: ['auth.mobile_required', 'auth.mobile_wrong', 'auth.address_required', 'auth.address_wrong'],
})

/** BUFF that was granted: an end of it is no end of what was granted beside it. */
export const buffGrant = z.object({
  id: z.string(),
  /** The order that bought it; empty: the operator gave it, as a gift or by a redeem code. */
  order_id: z.string(),
  days: z.number(),
  granted_at: z.number(),
  /** When it was taken back or refunded, ms; 0: it counts. */
  revoked_at: z.number(),
})

/** All that the console shows of a person. Times are ms. */
export const staffPerson = z.object({
  ...foundPerson.shape,
  /** The digits that they chose; empty: none. */
  custom_num: z.string(),
  mobile_verified: z.boolean(),
  /** Why they are suspended; empty: they are not, or nobody said. */
  suspended_reason: z.string(),
  has_password: z.boolean(),
  /** Logging in asks for a code of an authenticator app too. */
  second_factor: z.boolean(),
  staff_role: z.string(),
  staff_rights: z.array(z.string()),
  /** Since when their real name is verified; 0: it is not. The name is not shown. */
  verified_at: z.number(),
  /** Logins that are valid now, the one used last first. */
  sessions: z.array(
    z.object({
      id: z.string(),
      os: z.string(),
      app: z.string(),
      network: z.string(),
      created_at: z.number(),
      seen_at: z.number(),
    }),
  ),
  /** In the order of joining, at most `SHOWN_MAX`. `is_gone`: closed or deleted. */
  guilds: z.array(
    z.object({
      id: guildId,
      name: z.string(),
      is_owner: z.boolean(),
      is_gone: z.boolean(),
      joined_at: z.number(),
    }),
  ),
  /** Until when they have BUFF; it may be over; 0: never. */
  buff_until: z.number(),
  /** The newest first. */
  buff_grants: z.array(buffGrant),
  boost_unused: z.number(),
  boost_used: z.array(
    z.object({ guild_id: guildId, name: z.string(), count: z.number(), end_at: z.number() }),
  ),
  /** Until when they have each version of screen sharing; 0: they have not. */
  golive_normal: z.number(),
  golive_pro: z.number(),
})
export type StaffPerson = Out<typeof staffPerson>

export const staffViewPerson = route({
  method: 'GET',
  path: '/api/v3/staff/user-view',
  dialect: 'v3',
  who: 'staff',
  right: 'people',
  input: z.object({ user_id: userId }),
  answer: staffPerson,
  fails: ['user.unknown'],
})

/**
 * Gives BUFF for days after what the person has. They are told. It waits when staff made as much today as
 * they may.
 */
export const giveBuff = route({
  method: 'POST',
  path: '/api/v3/staff/buff-give',
  dialect: 'v3',
  who: 'staff',
  right: 'gift',
  input: z.object({ user_id: userId, days: int(1, GIFT_DAYS_MAX), reason: actReason }),
  /** `until` 0: it waits. */
  answer: z.object({ until: z.number(), approval_id: approvalId }),
  fails: ['user.unknown'],
})

/** Takes a grant back that the operator gave. What was bought is ended by a refund of its order. */
export const takeBuff = route({
  method: 'POST',
  path: '/api/v3/staff/buff-take',
  dialect: 'v3',
  who: 'staff',
  right: 'gift',
  input: z.object({ user_id: userId, grant_id: text(20, 1), reason: actReason }),
  answer: nothing,
  fails: ['user.unknown', 'buff.not_given'],
})
