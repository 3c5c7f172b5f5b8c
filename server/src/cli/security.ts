/** `security …`: the security log. */
import type { UserId } from '@guildhall/wire/id.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { listSecurityEvents } from '../kit/securityLog.ts'
import { type Commands, count, id } from './command.ts'

const LIMIT_MOST = 10_000
const LIMIT = '100'
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

/** A time, ms: `2026-11-22`, `2026-11-22T08:00Z`, or how long ago: `30m`, `12h`, `7d`. */
function readSince(value: string): number {
  const [, amount, unit] = /^(\d{1,4})([mhd])$/.exec(value) ?? []
  if (amount && unit) return clock.now() - Number(amount) * (UNITS[unit] ?? 0)
  const time = Date.parse(value)
  if (!Number.isNaN(time)) return time
  throw new OperatorError(`--since must be a time like 2026-11-22T08:00Z, or 30m, 12h, 7d, not "${value}".`)
}

export const securityCommands: Commands = {
  'security list': {
    usage: '[--user USER_ID] [--since TIME] [--limit N]',
    isReading: true,
    async run({ user, since, limit = LIMIT }, { live }) {
      const events = await listSecurityEvents(live.db, {
        userId: user === undefined ? undefined : id<UserId>('user', user),
        since: since === undefined ? 0 : readSince(since),
        limit: count('limit', limit, LIMIT_MOST),
      })
      return events.map(({ at, ...event }) => ({ at: new Date(at).toISOString(), ...event }))
    },
  },
}
