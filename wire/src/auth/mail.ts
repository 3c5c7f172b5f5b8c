/**
 * Registering, logging in and what else needs a code, by mail: beside the calls about numbers, where
 * REGISTRATION has `email`. The codes are those of `auth.ts`, with its limits. Ours: chat.md knows numbers.
 */
import { inviteCode } from '../id.ts'
import { route } from '../route.ts'
import { flag, nothing, text, z } from '../schema.ts'
import { ADDRESS_MAX, foldAddress } from './address.ts'
import { CODE_TYPES, second_factor, secondFails, session, sign, smsCode } from './auth.ts'
import { changedSelf, owner, ownerFails, proofFails } from './owner.ts'

/** As it was typed. */
export const address = text(ADDRESS_MAX, 0, foldAddress)
const password = text(128)

const addressFails = ['auth.way_off', 'auth.address_required', 'auth.address_wrong'] as const

/**
 * Sends a verification code to an address. Who is logged in gets one of type `confirm` to their own address
 * by leaving it empty. `data.extra.n`: seconds until the next may be requested.
 */
export const sendMailCode = route({
  method: 'POST',
  path: '/api/v3/auth/mail-verification',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({ address, type: z._default(z.enum(CODE_TYPES), 'login'), sign }),
  answer: nothing,
  fails: [
    'captcha.needed',
    ...addressFails,
    'auth.address_refused',
    'auth.code_too_soon',
    'auth.code_too_many',
    'auth.mail_failed',
  ],
})

/**
 * Logs in by a code, or by a password, where one is given. By a code an address that is seen for the first
 * time becomes an account, credited to `invite_code` as `mobileLogin` does it.
 */
export const mailLogin = route({
  method: 'POST',
  path: '/api/v3/auth/mail-login',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({
    address,
    code: z._default(smsCode, ''),
    password: z._default(password, ''),
    remember: z._default(flag(), true),
    invite_code: z.optional(inviteCode),
    sign,
    second_factor,
  }),
  answer: session,
  fails: [
    'captcha.needed',
    ...addressFails,
    'auth.code_required',
    'auth.code_wrong',
    'auth.code_expired',
    'auth.account_wrong',
    'auth.too_many_tries',
    'auth.banned',
    ...secondFails,
  ],
})

/**
 * Gives the account an address in place of the number or address that it has, proven by a code of type
 * `verify`. Who has a verified one already needs `owner` too.
 */
export const verifyMail = route({
  method: 'POST',
  path: '/api/v3/user/verify-mail',
  dialect: 'v3',
  who: 'person',
  input: z.object({ address, code: smsCode, owner, sign }),
  answer: changedSelf,
  fails: ['captcha.needed', ...addressFails, 'auth.address_taken', ...proofFails, ...ownerFails, 'forbidden'],
})

/** Sets a new password by a code of type `forgot`, as `forgotPassword` does it. */
export const forgotByMail = route({
  method: 'POST',
  path: '/api/v3/auth/mail-forgot',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({ address, code: smsCode, password, sign }),
  answer: nothing,
  fails: [
    'captcha.needed',
    ...addressFails,
    'auth.password_required',
    'auth.password_weak',
    ...proofFails,
    'auth.too_many_tries',
    'auth.address_unknown',
    'auth.banned',
  ],
})

/** `thirdPartBindMobile` for an address. */
export const thirdPartBindMail = route({
  method: 'POST',
  path: '/api/v3/auth/third-part-bind-mail',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({
    bind_info: text(4096, 1),
    address,
    code: smsCode,
    remember: z._default(flag(), true),
    replace: z._default(flag(), false),
    sign,
    second_factor,
  }),
  answer: session,
  fails: [...mailLogin.fails, 'auth.third_part_off', 'auth.bind_expired', 'auth.bind_other'],
})
