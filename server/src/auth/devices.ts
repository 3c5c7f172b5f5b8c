/** Devices: the sessions of an account as its owner sees them, and signing them out. */

import { type Device, listDevices, signOutDevice, signOutOthers } from '@guildhall/wire/auth/devices.ts'
import { loginEnded } from '@guildhall/wire/auth/userState.ts'
import bowser from 'bowser'
import { clock } from '../kit/clock.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { type Binding, bindUser, type Caller } from '../kit/http/binding.ts'
import { wideNetworkOf } from '../kit/limits/network.ts'
import { recordSecurity } from '../kit/securityLog.ts'
import { endSessions } from './accountControl.ts'
import type { RequestOrigin } from './login.ts'
import { usedAfter } from './sessions.ts'
import * as rows from './sql.ts'

const DEVICES_MAX = 100
const NAME_MAX = 40

/** What the owner of a session will recognise it by; empty where the client says nothing. */
export function deviceNames({ agent = '', network }: RequestOrigin): rows.DeviceNames {
  const shown = wideNetworkOf(network) ?? network.replace(/\.\d+$/, '.*')
  if (agent.trim() === '') return { os: '', app: '', network: shown }
  const { os, browser } = bowser.parse(agent)
  const named = (name: string | undefined) => (name ?? '').slice(0, NAME_MAX)
  return { os: named(os.name), app: named(browser.name), network: shown }
}

export const deviceRoutes = (appContext: AppContext): Binding[] => [
  bindUser(listDevices, async ({ caller }) => {
    const found = await rows.devicesOf(appContext.db, caller.userId, usedAfter(clock.now()), DEVICES_MAX)
    const items = found.map((row) => deviceOf(row, caller))
    return { items: [...items.filter(({ current }) => current), ...items.filter(({ current }) => !current)] }
  }),
  bindUser(signOutDevice, async ({ caller, network }, { id }) => {
    await endOne(appContext, caller, id, network)
    return {}
  }),
  bindUser(signOutOthers, async ({ caller, network }) => {
    return { count: await endOthers(appContext, caller, network) }
  }),
]

/** Ends one session of the caller: its connections close on every node. */
const endOne = (
  appContext: AppContext,
  { userId, sessionId }: Caller,
  login_id: string,
  network: string,
): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    if (!(await rows.revokeOwnSession(tx, userId, login_id, clock.now()))) return
    emit.person(userId, loginEnded, { login_id })
    await recordSecurity(tx, { kind: 'user signout', userId, sessionId, network })
  })

/** Ends all sessions of the caller but its own. Returns how many. */
const endOthers = (appContext: AppContext, { userId, sessionId }: Caller, network: string): Promise<number> =>
  commit(appContext, async (tx, emit) => {
    const count = await endSessions(tx, emit, userId, sessionId)
    if (count > 0) await recordSecurity(tx, { kind: 'user signout', userId, sessionId, network })
    return count
  })

const deviceOf = (row: Awaited<ReturnType<typeof rows.devicesOf>>[number], caller: Caller): Device => ({
  id: row.id,
  os: row.device_os ?? '',
  app: row.device_app ?? '',
  network: row.network ?? '',
  created_at: row.created_at,
  seen_at: row.seen_at,
  current: row.id === caller.sessionId,
})
