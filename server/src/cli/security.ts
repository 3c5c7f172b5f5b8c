/** `security …`: the security log. */
import type { UserId } from '@guildhall/wire/id.ts'
import { listSecurityEvents } from '../kit/securityLog.ts'
import { type Commands, count, id, readSince } from './command.ts'

const LIMIT_MOST = 10_000
const LIMIT = '100'

export const securityCommands: Commands = {
  'security list': {
    usage: '[--user USER_ID] [--since TIME] [--limit N]',
    isReading: true,
    async run({ user, since, limit = LIMIT }, { appContext }) {
      const events = await listSecurityEvents(appContext.db, {
        userId: user === undefined ? undefined : id<UserId>('user', user),
        since: since === undefined ? 0 : readSince(since),
        limit: count('limit', limit, LIMIT_MOST),
      })
      return events.map(({ at, ...event }) => ({ at: new Date(at).toISOString(), ...event }))
    },
  },
}
