/**
 * The second factor of an account: codes of an authenticator app (TOTP, RFC 6238), and recovery codes
 * instead. Ours.
 */
import { route } from '../route.ts'
import { nothing, text, z } from '../schema.ts'
import { foldCode } from '../typed.ts'
import { MINUTE_MS, SECOND_MS } from '../unit.ts'
import { second_factor } from './auth.ts'
import { owner, ownerFails, proofFails } from './owner.ts'

export const TOTP_DIGITS = 6
/** How long one code is shown. */
export const TOTP_STEP_MS = 30 * SECOND_MS
export const RECOVERY_CODES = 10
/** The time to add the secret to an app and to type its first code. */
export const SETUP_LIVES_MS = 15 * MINUTE_MS

/** Whether the caller has a second factor, since when, ms, and how many recovery codes are left. */
export const secondFactorState = route({
  method: 'GET',
  path: '/api/v3/user/second-factor',
  dialect: 'v3',
  who: 'person',
  input: z.object({}),
  answer: z.object({ on: z.boolean(), since: z.int(), recovery_codes: z.int() }),
  fails: ['forbidden'],
})

/**
 * A new secret for an authenticator app, as base32 and as an `otpauth:` address. Nothing is on until
 * `confirmSecondFactor` gets
 * `setup`, which is valid for 15 minutes in this session.
 */
export const beginSecondFactor = route({
  method: 'POST',
  path: '/api/v3/user/second-factor-begin',
  dialect: 'v3',
  who: 'person',
  input: z.object({ owner }),
  answer: z.object({ address: z.string(), secret: z.string(), setup: z.string() }),
  fails: ['auth.second_factor_on', ...ownerFails, ...proofFails, 'forbidden'],
})

const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

/**
 * Turns the second factor on by the app's first code. Answers the recovery codes, which are not told again.
 */
export const confirmSecondFactor = route({
  method: 'POST',
  path: '/api/v3/user/second-factor-confirm',
  dialect: 'v3',
  who: 'person',
  input: z.object({ setup: text(2048, 1), code: text(32, 0, foldCode) }),
  answer: recoveryCodes,
  fails: ['auth.second_factor_on', 'auth.second_factor_expired', 'auth.second_factor_wrong', 'forbidden'],
})

const changeFails = [
  'auth.second_factor_off',
  ...ownerFails,
  ...proofFails,
  'auth.second_factor_needed',
  'auth.second_factor_wrong',
  'auth.second_factor_used',
  'forbidden',
] as const

/**
 * Turns it off. A code of type `confirm` in `owner` stays valid while the second factor is refused, here and
 * below.
 */
export const endSecondFactor = route({
  method: 'POST',
  path: '/api/v3/user/second-factor-off',
  dialect: 'v3',
  who: 'person',
  input: z.object({ owner, second_factor }),
  answer: nothing,
  fails: changeFails,
})

/** Ten new recovery codes; earlier ones are no longer valid. */
export const renewRecoveryCodes = route({
  method: 'POST',
  path: '/api/v3/user/recovery-codes',
  dialect: 'v3',
  who: 'person',
  input: z.object({ owner, second_factor }),
  answer: recoveryCodes,
  fails: changeFails,
})
