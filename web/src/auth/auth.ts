import { logout, type Session } from '@guildhall/wire/auth/auth.ts'
import { mobileProblem } from '@guildhall/wire/auth/mobile.ts'
import type { Self } from '@guildhall/wire/user/user.ts'
import { createContext, useContext } from 'react'
import { call } from '../kit/call.ts'
import { paths, safeRedir } from '../kit/paths.ts'
import { clearUserStorage, readStored, writeStored } from '../kit/storage.ts'

/** Stores a login: the token for later calls, and the user, whom the shell shows before the network answers. */
export function saveSession(session: Session): void {
  const { id, username, identify_num, avatar, mobile_verified } = session.user
  writeStored('authorization', session.authorization)
  writeStored('auth', { id, username, identify_num, avatar, mobile_verified })
}

/** Whether this browser has a session; the server may have ended it. */
export const isLoggedIn = (): boolean => readStored('authorization') !== null

/** Ends the session. The user's data is deleted at once, whether or not the server answers. chat.md §4. */
export async function logOut(): Promise<void> {
  const ended = call(logout, {}).catch(() => null)
  clearUserStorage()
  await ended
}

/**
 * Where to go after a login: to the `redir` of the address when it stays on this site, else to the invite that was
 * accepted before logging in, else to the guilds. chat.md §4 "Login flow".
 */
export function afterLogin(search: string): { path: string } | { join: { id: string; code: string } } {
  const redir = safeRedir(new URLSearchParams(search).get('redir'))
  // The login page would lead to itself.
  if (redir && !redir.startsWith('/login')) return { path: redir }
  const join = readStored('pending_join')
  return join ? { join } : { path: paths.channels() }
}

/** The error text for a phone number, from the form's own texts; undefined when it is valid. chat.md §5. */
export function mobileErrorText(
  prefix: string,
  mobile: string,
  texts: { mobileRequired: string; mobileWrong: string },
): string | undefined {
  const problem = mobileProblem({ prefix, mobile })
  if (problem === null) return undefined
  return problem === 'auth.mobile_required' ? texts.mobileRequired : texts.mobileWrong
}

const Context = createContext<Self | null>(null)

/** Provides the logged-in user to `useMe`. */
export const MeProvider = Context.Provider

/** The logged-in user. Only inside of the shell. */
export function useMe(): Self {
  const me = useContext(Context)
  if (!me) throw new Error('useMe outside of MeProvider')
  return me
}
