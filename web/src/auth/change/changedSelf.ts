import type { Session } from '@guildhall/wire/auth/auth.ts'
import type { ChangedSelf } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { vipExpired } from '@guildhall/wire/buff/buff.ts'
import { goliveInfo, goliveProducts } from '@guildhall/wire/golive/golive.ts'
import type { ChangedIdentity } from '@guildhall/wire/user/changedIdentity.ts'
import { cache, invalidateRoute, queryKeyOf } from '../../kit/routeQuery.ts'
import { saveSession } from '../auth.ts'

/** Stores the user's account after a change, so that every screen shows it at once. */
export const keepSelf = ({ user, has_password }: ChangedSelf): void => keep(() => ({ user, has_password }))

/**
 * The same for the name and picture, which another device of the user may have changed. With it what they
 * bought or were given may be new.
 */
export function keepIdentity({ user_id: _, is_vip, ...identity }: ChangedIdentity): void {
  keep(({ user }) => ({ user: { ...user, ...identity, is_vip: is_vip ?? user.is_vip } }))
  for (const route of [vipExpired, goliveInfo, goliveProducts]) invalidateRoute(route)
}

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
