/**
 * Sessions of the staff console. Staff log in there with number, password and second factor, and get a
 * session of its own: a session of the product reaches no call of staff. Decision 80.
 */

import { mobile, mobile_prefix, secondFails } from '../auth/auth.ts'
import { userId } from '../id.ts'
import { route } from '../route.ts'
import { nothing, type Out, text, z } from '../schema.ts'
import { foldCode } from '../typed.ts'
import { HOUR_MS, MINUTE_MS } from '../unit.ts'
import { STAFF_RIGHTS } from './rights.ts'
import { STAFF_ROLE_NAMES } from './roles.ts'

/** A session of the console ends when it was not used for so long, ms. */
export const STAFF_IDLE_MS = 30 * MINUTE_MS
/** It ends in any case after so long, ms. */
export const STAFF_SESSION_MS = 12 * HOUR_MS

/** Who is logged in to the console. */
export const staffSelf = z.object({
  id: userId,
  username: z.string(),
  identify_num: z.string(),
  avatar: z.string(),
  /** Empty: rights that were granted one by one. */
  role: z.enum(['', ...STAFF_ROLE_NAMES]),
  rights: z.array(z.enum(STAFF_RIGHTS)),
  /** When the session ends in any case, ms. */
  ends_at: z.number(),
})
export type StaffSelf = Out<typeof staffSelf>

/** Logs in to the console. The answer's token is good for calls of staff. */
export const staffLogin = route({
  method: 'POST',
  path: '/api/v3/staff/login',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({
    mobile: z._default(mobile, ''),
    mobile_prefix,
    /** In place of a number: an address, or `name#1234`. */
    account: z.optional(text(254)),
    password: text(128),
    second_factor: z._default(text(32, 0, foldCode), ''),
  }),
  answer: z.object({ token: z.string(), self: staffSelf }),
  fails: [
    ...([
      'auth.mobile_required',
      'auth.mobile_wrong',
      'auth.password_required',
      'auth.password_wrong',
      'auth.way_off',
      'auth.name_required',
      'auth.account_wrong',
    ] as const),
    ...(['auth.too_many_tries', 'auth.banned', ...secondFails] as const),
    ...(['forbidden', 'staff.second_factor_off', 'staff.address'] as const),
  ],
})

/** Oneself. Any right will do, so it names none. */
export const staffMe = route({
  method: 'GET',
  path: '/api/v3/staff/me',
  dialect: 'v3',
  who: 'staff',
  right: 'any',
  input: z.object({}),
  answer: staffSelf,
  fails: [],
})

/** Ends the session of the console. */
export const staffLogout = route({
  method: 'POST',
  path: '/api/v3/staff/logout',
  dialect: 'v3',
  who: 'staff',
  right: 'any',
  input: z.object({}),
  answer: nothing,
  fails: [],
})
