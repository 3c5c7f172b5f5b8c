/**
 * Timeouts: one timer that ends what timed out: handshakes, blocked or idle connections, and expired
 * sessions.
 */
import { IDLE_MS, RESUMABLE_MS } from '@guildhall/wire/gateway/timing.ts'
import { closeCode } from './closeCode.ts'
import type { ConnectionAcceptor } from './connectionAcceptor.ts'
import type { GuildFeeds } from './guildFeeds.ts'
import type { Journal } from './handoff/journal.ts'
import { BLOCKED_MAX_MS } from './limit.ts'
import type { GatewaySession } from './session.ts'
import type { SessionRegistry } from './sessionRegistry.ts'

export interface TimeoutPorts {
  readonly registry: SessionRegistry
  readonly feeds: GuildFeeds
  readonly acceptor: ConnectionAcceptor
  readonly journal: Journal | null
  now(): number
}

export class Timeouts {
  readonly #ports: TimeoutPorts
  readonly #timer: NodeJS.Timeout

  constructor(ports: TimeoutPorts, everyMs: number) {
    this.#ports = ports
    this.#timer = setInterval(() => this.#sweep(), everyMs)
    this.#timer.unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #sweep(): void {
    const { registry, feeds, acceptor, journal, now } = this.#ports
    const time = now()
    feeds.closeIdle()
    acceptor.closeLateHandshakes(time)
    for (const session of [...registry.sessions()]) this.#sweepSession(session, time)
    journal?.sweep()
  }

  #sweepSession(session: GatewaySession, now: number): void {
    const { registry, journal } = this.#ports
    const { connection } = session
    const silentMs = now - session.lastSeenAt
    if (!connection) {
      if (!session.isTakingOver && silentMs > RESUMABLE_MS) registry.drop(session)
      return
    }
    const isBlocked = connection.isBlockedFor(BLOCKED_MAX_MS)
    if (!isBlocked && silentMs <= IDLE_MS) return
    session.detach(connection, now)
    journal?.recordSession(session)
    if (isBlocked) connection.terminate()
    else connection.close(closeCode.idle)
  }
}
