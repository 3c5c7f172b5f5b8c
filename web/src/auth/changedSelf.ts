import type { Session } from '@guildhall/wire/auth/auth.ts'
import { userState } from '@guildhall/wire/auth/login.ts'
import type { ChangedSelf } from '@guildhall/wire/auth/owner.ts'
import type { ChangedFace } from '@guildhall/wire/user/changedFace.ts'
import { cache, queryKeyOf } from '../kit/routeQuery.ts'
import { saveSession } from './auth.ts'

/** Stores the user's account after a change, so that every screen shows it at once. */
export const keepSelf = ({ user, has_password }: ChangedSelf): void => keep(() => ({ user, has_password }))

/** The same for the name and picture, which another device of the user may have changed. */
export const keepFace = ({ user_id: _, ...face }: ChangedFace): void =>
  keep(({ user }) => ({ user: { ...user, ...face } }))

function keep(changesOf: (session: Session) => Partial<Session>): void {
  const key = queryKeyOf(userState, {})
  // An answer under way is older.
  void cache.cancelQueries({ queryKey: key })
  const session = cache.getQueryData<Session>(key)
  if (!session) return
  const changed = { ...session, ...changesOf(session) }
  cache.setQueryData(key, changed)
  saveSession(changed)
}
