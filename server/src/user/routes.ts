/** The calls about oneself. */
import { fail } from '@guildhall/wire/failure.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { goOffline, goOnline, onlineStatus } from '@guildhall/wire/user/user.ts'
import { BOT_SYSTEM } from '../kit/clientSystem.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { botSelfOf, findUser, selfOf } from './user.ts'

export const userRoutes = ({
  appContext,
  closeSessions,
}: {
  appContext: AppContext
  /** Closes the connections of a login; the login stays. */
  closeSessions: (sessionId: string) => void
}): Binding[] => [
  bindUser(me, async ({ caller }) => {
    const row = await findUser(appContext.db, caller.userId)
    if (!row) throw fail('not_logged_in')
    if (caller.isBot) return botSelfOf(row, appContext)
    const self = selfOf(row, appContext)
    return { ...self, user: self }
  }),
  bindUser(goOffline, async ({ caller }) => {
    closeSessions(caller.sessionId)
    return {}
  }),
  bindUser(goOnline, async () => ({})),
  bindUser(onlineStatus, async ({ caller }) => {
    const online = appContext.presence.isOnline(caller.userId)
    const os = appContext.presence.osOf(caller.userId)
    return { online, online_os: online ? [os || BOT_SYSTEM] : [] }
  }),
]
