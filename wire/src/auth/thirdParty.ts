/** Login by an account at a third party: QQ and WeChat. chat.md §4 "Third-party login", §7. */
import { route } from '../route.ts'
import { flag, int, type Out, text, z } from '../schema.ts'
import { MINUTE_MS } from '../unit.ts'
import {
  mobile,
  mobile_prefix,
  mobileLogin,
  second_factor,
  secondFails,
  session,
  sign,
  smsCode,
} from './auth.ts'
import { THIRD_PARTIES } from './thirdPartyNames.ts'

export * from './thirdPartyNames.ts'

/** How long a login may take at the provider. */
export const THIRD_PARTY_LOGIN_MS = 10 * MINUTE_MS
/** How long a proof is valid: the time to type the second factor. */
export const SECOND_FACTOR_PROOF_MS = 5 * MINUTE_MS
/** How long bind info is valid: the time to get a code by SMS, and another. */
export const BIND_LIVES_MS = 15 * MINUTE_MS

/**
 * Log in with the code that a provider sent back. `state` must be the one that this browser began with. An
 * account without a user here is refused with auth.bind_needed (41005): `data.extra` is a `bindNeeded`. Of
 * auth.second_factor_needed, it has a `proof` for the next call of this browser, from the same network.
 */
export const thirdPartLogin = route({
  method: 'POST',
  path: '/api/v2/auth/third-part-login',
  dialect: 'v2',
  who: 'anyone',
  input: z.object({
    token_type: z.enum(THIRD_PARTIES),
    auth_code: text(512, 1),
    remember: z._default(flag(), true),
    type: z._default(z.enum(['h5']), 'h5'),
    state: z._default(text(128), ''),
    second_factor,
    /** `proof` of the refusal with auth.second_factor_needed: the provider's code counts once. */
    second_factor_proof: z.optional(text(2048)),
  }),
  answer: session,
  fails: [
    'auth.third_part_off',
    'auth.third_part_state',
    'auth.third_part_refused',
    'auth.third_part_failed',
    'auth.bind_needed',
    'auth.too_many_tries',
    'auth.banned',
    ...secondFails,
  ],
})

/** Of a refusal with 41005: what binds the account to a number, sealed, and who is to be bound. */
export const bindNeeded = z.object({
  bind_info: z.string(),
  token_type: z.enum(THIRD_PARTIES),
  nickname: z.string(),
})
export type BindNeeded = Out<typeof bindNeeded>

/**
 * Binds the account of 41005 to the user of a number, or to a new one, and logs in. A user with another
 * account of the provider is refused with auth.bind_other (41006) unless `replace`; the code stays valid
 * then.
 */
export const thirdPartBindMobile = route({
  method: 'POST',
  path: '/api/v2/auth/third-part-bind-mobile',
  dialect: 'v2',
  who: 'anyone',
  input: z.object({
    bind_info: text(4096, 1),
    mobile,
    mobile_prefix,
    code: smsCode,
    remember: z._default(flag(), true),
    replace: z._default(flag(), false),
    sign,
    second_factor,
  }),
  answer: session,
  fails: [...mobileLogin.fails, 'auth.third_part_off', 'auth.bind_expired', 'auth.bind_other'],
})

/**
 * The configuration of WeChat's JS-SDK for a page of this site; `url` without its fragment is signed, or the
 * page that makes the call, by its Referer. chat.md §7.
 */
export const wxSign = route({
  method: 'GET',
  path: '/api/v2/auth/wx-sign',
  dialect: 'v2',
  who: 'anyone',
  input: z.object({ url: z._default(text(2048), '') }),
  answer: z.object({ appId: z.string(), timestamp: int(), nonceStr: z.string(), signature: z.string() }),
  fails: ['auth.third_part_off', 'auth.third_part_failed', 'auth.page_elsewhere'],
})
