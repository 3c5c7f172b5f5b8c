/**
 * Accounts without a number or an address, where REGISTRATION has `invite`: an invite link and a password
 * make one, and its name logs it in. Ours.
 */
import { inviteCode } from '../id.ts'
import { route } from '../route.ts'
import { flag, text, z } from '../schema.ts'
import { readName } from '../words.ts'
import { second_factor, secondFails, session, sign } from './auth.ts'

const password = text(128)

/**
 * Registers by an invite: into a guild, or that of a user. Without one that can be used it is refused. The
 * name gets its digits; `joinGuild` joins.
 */
export const registerName = route({
  method: 'POST',
  path: '/api/v3/auth/name-register',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({
    username: text(200, 0, readName),
    password,
    invite_code: inviteCode,
    remember: z._default(flag(), true),
    sign,
  }),
  answer: session,
  fails: [
    'captcha.needed',
    'auth.way_off',
    'user.name_required',
    'user.name_wrong',
    'content.refused',
    'content.reserved',
    'auth.password_required',
    'auth.password_weak',
    'auth.invite_needed',
    'too_many',
  ],
})

/** Logs in by `name#1234`, with the digits that are shown, and the password. */
export const nameLogin = route({
  method: 'POST',
  path: '/api/v3/auth/name-login',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({
    name: text(64),
    password,
    remember: z._default(flag(), true),
    sign,
    second_factor,
  }),
  answer: session,
  fails: [
    'captcha.needed',
    'auth.way_off',
    'auth.name_required',
    'auth.password_required',
    'auth.account_wrong',
    'auth.too_many_tries',
    'auth.banned',
    ...secondFails,
  ],
})
