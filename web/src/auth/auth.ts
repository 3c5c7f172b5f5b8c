import { logout, type Session } from '@guildhall/wire/auth/auth.ts'
import type { Self } from '@guildhall/wire/user/user.ts'
import { createContext, useContext } from 'react'
import { clearUserStorage, readStored, writeStored } from '../kit/browser/storage.ts'
import { call } from '../kit/call.ts'
import { lazy } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'

/**
 * Stores a login: the token for later calls, and the user, whom the shell shows before the network answers.
 */
export function saveSession(session: Session): void {
  const { id, username, identify_num, avatar, mobile_verified } = session.user
  writeStored('authorization', session.authorization)
  writeStored('auth', { id, username, identify_num, avatar, mobile_verified })
}

/** Whether this browser has a session; the server may have ended it. */
export const isLoggedIn = (): boolean => readStored('authorization') !== null

/** The forms that register where more than numbers are on, for the invite. */
export const WaysRegister = lazy(() => loadPart(() => import('./ways/LaterRegister.tsx')))

/** Ends the session. The user's data is deleted at once, whether or not the server answers. chat.md §4. */
export async function logOut(): Promise<void> {
  const ended = call(logout, {}).catch(() => null)
  clearUserStorage()
  await ended
}

const Context = createContext<Self | null>(null)

/** Provides the logged-in user to `useMe`. */
export const MeProvider = Context.Provider

/** The logged-in user. Only inside of the shell. */
export function useMe(): Self {
  const me = useContext(Context)
  if (!me) throw new Error('no MeProvider')
  return me
}
