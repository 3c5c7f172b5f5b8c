import { fail } from '@guildhall/wire/failure.ts'
import { goOffline, goOnline, me, onlineStatus } from '@guildhall/wire/user/user.ts'
import type { Db } from '../kit/db.ts'
import { type Binding, bindUser } from '../kit/http.ts'
import type { Presence } from '../kit/presence.ts'
import { botSelfOf, findUser, selfOf } from './user.ts'

export const userRoutes = ({
  db,
  presence,
  hangUp,
}: {
  db: Db
  presence: Presence
  /** Closes the lines of a login, which stays. */
  hangUp: (sessionId: string) => void
}): Binding[] => [
  bindUser(me, async ({ caller }) => {
    const row = await findUser(db, caller.userId)
    if (!row) throw fail('not_logged_in')
    if (caller.isBot) return botSelfOf(row, presence)
    const self = selfOf(row, presence)
    return { ...self, user: self }
  }),
  bindUser(goOffline, async ({ caller }) => {
    hangUp(caller.sessionId)
    return {}
  }),
  bindUser(goOnline, async () => ({})),
  bindUser(onlineStatus, async ({ caller }) => {
    const online = presence.isOnline(caller.userId)
    return { online, online_os: online ? ['Websocket'] : [] }
  }),
]
