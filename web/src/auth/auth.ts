import { logout, type Session } from '@guildhall/wire/auth/auth.ts'
import { mobileProblem } from '@guildhall/wire/auth/mobile.ts'
import type { Self } from '@guildhall/wire/user/user.ts'
import { createContext, useContext } from 'react'
import { call } from '../kit/call.ts'
import { paths, safeRedir } from '../kit/paths.ts'
import { forgetPerson, recall, remember } from '../kit/storage.ts'

/** Keeps a login: the token for every later call, and who it is, to draw the shell before the network answers. */
export function keepSession(session: Session): void {
  const { id, username, identify_num, avatar, mobile_verified } = session.user
  remember('authorization', session.authorization)
  remember('auth', { id, username, identify_num, avatar, mobile_verified })
}

/** Whether someone is logged in here, as far as this browser knows. */
export const isLoggedIn = (): boolean => recall('authorization') !== null

/** Ends the session on both sides. Forgetting here does not wait for the server and cannot fail. chat.md §4. */
export async function leave(): Promise<void> {
  const told = call(logout, {}).catch(() => null)
  forgetPerson()
  await told
}

/**
 * Where a login leads: the `redir` of the address when it stays on this site, else the invite accepted before
 * logging in, else the guilds. chat.md §4 "Login flow".
 */
export function afterLogin(search: string): { path: string } | { join: { id: string; code: string } } {
  const redir = safeRedir(new URLSearchParams(search).get('redir'))
  // Back to the login page would go round in circles.
  if (redir && !redir.startsWith('/login')) return { path: redir }
  const join = recall('pending_join')
  return join ? { join } : { path: paths.channels() }
}

/** What to write under a phone number, or undefined when it will do; the forms say it in words of their own.
 * chat.md §5. */
export function mobileWords(
  prefix: string,
  mobile: string,
  words: { mobileRequired: string; mobileWrong: string },
): string | undefined {
  const problem = mobileProblem({ prefix, mobile })
  if (problem === null) return undefined
  return problem === 'auth.mobile_required' ? words.mobileRequired : words.mobileWrong
}

const Context = createContext<Self | null>(null)

/** Says who is logged in to everything inside. */
export const Me = Context.Provider

/** Who is logged in. Only inside of the shell. */
export function useMe(): Self {
  const me = useContext(Context)
  if (!me) throw new Error('nobody is logged in out here')
  return me
}
