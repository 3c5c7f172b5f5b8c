/** What people change of their own account: number, password, name. chat.md §7. */

import { route } from '../route.ts'
import { nothing, type Out, text, z } from '../schema.ts'
import { foldCode } from '../typed.ts'
import { AVATAR_FRAMES } from '../user/avatarFrame.ts'
import { self } from '../user/user.ts'
import { readName } from '../words.ts'
import { mobile, mobile_prefix, sign, smsCode } from './auth.ts'

const password = text(128)

/**
 * What proves that the caller owns the account: its password, or a code of type `confirm` sent to its number.
 */
export const owner = z._default(
  z.object({ password: z._default(password, ''), code: z._default(smsCode, '') }),
  {
    password: '',
    code: '',
  },
)

/** The caller's account after a change; its fields are there twice, as in `user/me`. */
export const changedSelf = z.object({ ...self.shape, user: self, has_password: z.boolean() })
export type ChangedSelf = Out<typeof changedSelf>

export const ownerFails = ['auth.password_required', 'auth.password_wrong', 'auth.too_many_tries'] as const
export const proofFails = ['auth.code_required', 'auth.code_wrong', 'auth.code_expired'] as const

/**
 * Gives the account a number, proven by a code of type `verify` that was sent to it. Who has a verified
 * number already and wants another needs `owner` too. Only who has the right code learns that a number
 * belongs to somebody else.
 */
export const verifyMobile = route({
  method: 'PATCH',
  path: '/api/v2/users',
  dialect: 'v2',
  who: 'person',
  input: z.object({ mobile: z.object({ mobile, code: smsCode, mobile_prefix }), owner, sign }),
  answer: changedSelf,
  fails: [
    'captcha.needed',
    'auth.way_off',
    'auth.mobile_required',
    'auth.mobile_wrong',
    'auth.mobile_taken',
    ...proofFails,
    ...ownerFails,
    'forbidden',
  ],
})

const nameFails = [
  'user.name_required',
  'user.name_wrong',
  'content.refused',
  'content.reserved',
  'too_many',
] as const

/** Changes the username. `sign` is not needed: older clients send it. */
export const renameSelf = route({
  method: 'POST',
  path: '/api/v2/users',
  dialect: 'v2',
  who: 'person',
  input: z.object({ username: text(200, 0, readName), sign }),
  answer: changedSelf,
  fails: [...nameFails, 'forbidden'],
})

/**
 * Changes what an account has. `password`: all other sessions end; an account that has one needs `owner`.
 * `avatar`: the address of an image that the caller uploaded, or `''` for none; one that moves is shown
 * moving while they have BUFF. `identify_num`: digits that a member of BUFF chooses, or `''` for those that
 * they were given. `avatar_frame`: the ring around the face that a member of BUFF chooses, or `''` for none.
 * `invite_code`: that of who brought the caller here.
 */
export const updateSelf = route({
  method: 'POST',
  path: '/api/v3/user/update',
  dialect: 'v3',
  who: 'person',
  input: z.object({
    password: z.optional(password),
    username: z.optional(text(200, 0, readName)),
    avatar: z.optional(text(500)),
    identify_num: z.optional(text(20, 0, foldCode)),
    avatar_frame: z.optional(z.enum(['', ...AVATAR_FRAMES])),
    invite_code: z._default(text(64, 0, foldCode), ''),
    /**
     * Real name and number of the identity card, for verification: both, and nothing else with them.
     * commerce.md §7.
     */
    cert_name: z.optional(text(40, 0, readName)),
    cert_code: z.optional(text(40, 0, foldCode)),
    owner,
  }),
  answer: changedSelf,
  fails: [
    'auth.password_weak',
    'asset.unknown',
    'asset.too_large',
    'user.needs_buff',
    'user.number_taken',
    'user.number_wrong',
    'referral.invalid',
    'referral.own',
    'referral.late',
    'referral.recorded',
    'realname.name_wrong',
    'realname.number_wrong',
    'realname.mismatch',
    'realname.taken',
    'realname.done',
    'realname.unavailable',
    'realname.off',
    ...ownerFails,
    ...proofFails,
    ...nameFails,
    'forbidden',
  ],
})

/**
 * Sets a new password by a code of type `forgot`. All sessions of the account end, and nobody is logged in.
 * Only who has the right code learns that a number has no account.
 */
export const forgotPassword = route({
  method: 'POST',
  path: '/api/v2/auth/forgot',
  dialect: 'v2',
  who: 'anyone',
  input: z.object({ mobile, mobile_prefix, code: smsCode, password, sign }),
  answer: nothing,
  fails: [
    'captcha.needed',
    'auth.way_off',
    'auth.mobile_required',
    'auth.mobile_wrong',
    'auth.password_required',
    'auth.password_weak',
    ...proofFails,
    'auth.too_many_tries',
    'auth.no_account',
    'auth.banned',
  ],
})
