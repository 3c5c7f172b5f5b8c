import { route } from '../route.ts'
import { flag, nothing, text, z } from '../schema.ts'
import {
  codeFails,
  codeRequest,
  mobile,
  mobile_prefix,
  mobileLogin,
  second_factor,
  secondFails,
  session,
  sign,
  smsCode,
} from './auth.ts'

/** `sendCode` in the older dialect. */
export const sendCodeV2 = route({
  method: 'POST',
  path: '/api/v2/auth/phone-verification',
  dialect: 'v2',
  who: 'anyone',
  input: codeRequest,
  answer: nothing,
  fails: codeFails,
})

/** Log in with a code; a number seen for the first time becomes an account. chat.md §7. */
export const verifyCodeLogin = route({
  method: 'POST',
  path: '/api/v2/auth/verify-code-login',
  dialect: 'v2',
  who: 'anyone',
  input: z.object({
    mobile,
    mobile_prefix,
    code: smsCode,
    remember: z._default(flag(), true),
    sign,
    second_factor,
  }),
  answer: session,
  fails: mobileLogin.fails,
})

/** Log in with a password. chat.md §7. */
export const login = route({
  method: 'POST',
  path: '/api/v2/auth/login',
  dialect: 'v2',
  who: 'anyone',
  input: z.object({
    mobile,
    mobile_prefix,
    password: text(128),
    remember: z._default(flag(), true),
    sign,
    second_factor,
  }),
  answer: session,
  fails: [
    'captcha.needed',
    'auth.mobile_required',
    'auth.mobile_wrong',
    'auth.password_required',
    'auth.password_wrong',
    'auth.too_many_tries',
    'auth.banned',
    ...secondFails,
  ],
})
