import { type Session, userState } from '@guildhall/wire/auth/auth.ts'
import type { ChangedSelf } from '@guildhall/wire/auth/owner.ts'
import { cache, queryKeyOf } from '../kit/routeQuery.ts'
import { saveSession } from './auth.ts'

/** Stores the user's account after a change, so that every screen shows it at once. */
export function keepSelf({ user, has_password }: ChangedSelf): void {
  const key = queryKeyOf(userState, {})
  // An answer under way is older.
  void cache.cancelQueries({ queryKey: key })
  const session = cache.getQueryData<Session>(key)
  if (!session) return
  const changed = { ...session, user, has_password }
  cache.setQueryData(key, changed)
  saveSession(changed)
}
