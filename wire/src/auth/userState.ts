/** The state of a session, which every page asks for; apart from logging in, which few do. */
import { event } from '../event.ts'
import { route } from '../route.ts'
import { z } from '../schema.ts'
import { session } from './auth.ts'

/** The current state of the session's user, with a new gateway address. chat.md §4 "Refresh". */
export const userState = route({
  method: 'GET',
  path: '/api/v2/user/user-state',
  dialect: 'v2',
  who: 'user',
  input: z.object({}),
  answer: session,
  fails: [],
})

/**
 * A login of this user ended, and its connections are closed, which may include the receiving one: a bot got
 * another token, or was stopped. Ours.
 */
export const loginEnded = event('login_ended', 'person', z.object({ login_id: z.string() }), {
  access: 'none',
})
