/** Presence that a test decides: who is online, and on what. */
import type { UserId } from '@guildhall/wire/id.ts'
import { emptyPresence, type Presence, type PresenceListener } from '../kit/events/presence.ts'

export interface FakePresence extends Presence {
  come(userId: UserId, os?: string): void
  go(userId: UserId): void
}

export function openFakePresence(): FakePresence {
  const online = new Map<UserId, string>()
  const listeners = new Set<PresenceListener>()
  const notify = (userId: UserId) => {
    for (const listener of listeners) listener([userId], true)
  }
  return {
    ...emptyPresence,
    isOnline: (userId) => online.has(userId),
    osOf: (userId) => online.get(userId) ?? '',
    onlineCount: () => online.size,
    peopleOn: (os) => [...online].flatMap(([userId, its]) => (its === os ? userId : [])),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    come(userId, os = 'Windows') {
      online.set(userId, os)
      notify(userId)
    },
    go(userId) {
      online.delete(userId)
      notify(userId)
    },
  }
}
