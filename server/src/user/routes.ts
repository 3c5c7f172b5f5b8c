/** The calls about oneself. */
import { fail } from '@guildhall/wire/failure.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { goOffline, goOnline, onlineStatus } from '@guildhall/wire/user/user.ts'
import { BOT_SYSTEM } from '../kit/clientSystem.ts'
import type { Live } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { botSelfOf, findUser, selfOf } from './user.ts'

export const userRoutes = ({
  live,
  closeSessions,
}: {
  live: Live
  /** Closes the connections of a login; the login stays. */
  closeSessions: (sessionId: string) => void
}): Binding[] => [
  bindUser(me, async ({ caller }) => {
    const row = await findUser(live.db, caller.userId)
    if (!row) throw fail('not_logged_in')
    if (caller.isBot) return botSelfOf(row, live)
    const self = selfOf(row, live)
    return { ...self, user: self }
  }),
  bindUser(goOffline, async ({ caller }) => {
    closeSessions(caller.sessionId)
    return {}
  }),
  bindUser(goOnline, async () => ({})),
  bindUser(onlineStatus, async ({ caller }) => {
    const online = live.presence.isOnline(caller.userId)
    const os = live.presence.osOf(caller.userId)
    return { online, online_os: online ? [os || BOT_SYSTEM] : [] }
  }),
]
