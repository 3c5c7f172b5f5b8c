import { inviteCode } from '../id.ts'
import { route } from '../route.ts'
import { flag, nothing, type Out, text, z } from '../schema.ts'
import { foldCode } from '../typed.ts'
import { MINUTE_MS, SECOND_MS } from '../unit.ts'
import { self } from '../user/user.ts'

/** Minimum time between two codes to one number. chat.md §9. */
export const CODE_RESEND_MS = 60 * SECOND_MS
export const CODE_LIVES_MS = 10 * MINUTE_MS
/** This many wrong tries from one network are refused there, until it asks for another code. */
export const CODE_TRIES = 5
/** This many wrong tries from anywhere else end a code for every network but the one that asked for it. */
export const STRANGE_CODE_TRIES = 10
export const CODE_DIGITS = 6

/** As it was typed: `readMobile` reads it. */
export const mobile = text(20, 0, foldCode)
/** With or without `+`; China when absent. */
export const mobile_prefix = z._default(text(6, 0, foldCode), '86')
/** A code that was sent. */
export const smsCode = text(12, 0, foldCode)
/** The value of an answered captcha, after `captcha.needed`. */
export const sign = z.optional(text(4096))
/**
 * After auth.second_factor_needed: a code of the person's authenticator app, or a recovery code. Spaces and
 * hyphens do not matter.
 */
export const second_factor = z.optional(text(32, 0, foldCode))

/**
 * The result of a login: the token to send as `Authorization`, the user, and the gateway's address. chat.md
 * §7.
 */
export const session = z.object({
  token: z.string(),
  authorization: z.string(),
  user: self,
  /** Whether the account has a password; without one only codes log in. */
  has_password: z._default(z.boolean(), true),
  /** Where to open the socket; its token is short-lived. protocol.md §9.4. */
  gateway_url: z.string(),
})
export type Session = Out<typeof session>

/**
 * What a code is asked for, and good for. The first three are one: logging in and registering. `verify`
 * proves a number that the caller wants to have, `forgot` gives a new password, `confirm` proves that the
 * caller owns the account.
 */
export const CODE_TYPES = ['invite-h5', 'register', 'login', 'verify', 'forgot', 'confirm'] as const
export type CodeType = (typeof CODE_TYPES)[number]

export const codeRequest = z.object({
  mobile,
  mobile_prefix,
  type: z._default(z.enum(CODE_TYPES), 'login'),
  sign,
})
export const codeFails = [
  'captcha.needed',
  'auth.way_off',
  'auth.mobile_required',
  'auth.mobile_wrong',
  'auth.prefix_refused',
  'auth.code_too_soon',
  'auth.code_too_many',
  'auth.sms_failed',
  /** Of a code to the caller's own address. */
  'auth.mail_failed',
  'auth.address_refused',
] as const

/**
 * Refusals of a login whose first factor is right. None of them begins a session or uses up a code that was
 * sent. The call is made again with `second_factor`.
 */
export const secondFails = [
  'auth.second_factor_needed',
  'auth.second_factor_wrong',
  'auth.second_factor_used',
] as const

/**
 * Send a verification code by SMS. Who is logged in gets one of type `confirm` to their own number, of which
 * pages know the last digits only, by leaving `mobile` empty. chat.md §7. `data.extra.n`: seconds until the
 * next may be requested.
 */
export const sendCode = route({
  method: 'POST',
  path: '/api/v3/auth/phone-verification',
  dialect: 'v3',
  who: 'anyone',
  input: codeRequest,
  answer: nothing,
  fails: codeFails,
})

/**
 * Register, or log in, from an invite; `joinGuild` joins. `invite_code`: an invite into a guild, or a user's
 * code; who made it is credited for a new account. The header of `source.ts` says where the user comes from.
 * chat.md §5 and §7.
 */
export const mobileLogin = route({
  method: 'POST',
  path: '/api/v3/auth/mobile-login',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({
    type: z._default(z.enum(['invite_reg']), 'invite_reg'),
    mobile,
    mobile_prefix,
    code: smsCode,
    remember: z._default(flag(), true),
    invite_code: z.optional(inviteCode),
    sign,
    second_factor,
  }),
  answer: session,
  fails: [
    'captcha.needed',
    'auth.way_off',
    'auth.mobile_required',
    'auth.mobile_wrong',
    'auth.code_required',
    'auth.code_wrong',
    'auth.code_expired',
    'auth.too_many_tries',
    'auth.banned',
    ...secondFails,
  ],
})

/** Log out: this session ends and its socket closes. chat.md §7. */
export const logout = route({
  method: 'DELETE',
  path: '/api/v2/auths',
  dialect: 'v2',
  who: 'user',
  input: z.object({}),
  answer: nothing,
  fails: [],
})
