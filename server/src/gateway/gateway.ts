/**
 * The gateway: sockets in, events out. The only code that knows sockets; features write events and never
 * import it. protocol.md §2.
 */
import type { Server } from 'node:http'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { GuildEvent, PersonEvent } from '../kit/events/bus.ts'
import { closeCode } from './closeCode.ts'
import { ConnectionAcceptor } from './connectionAcceptor.ts'
import { limitConnections, nearOr } from './connectionLimit.ts'
import { EventRouter } from './eventRouter.ts'
import { GuildFeeds } from './guildFeeds.ts'
import { Journal } from './handoff/journal.ts'
import { SessionTakeover } from './handoff/takeover.ts'
import { HANDSHAKES_MAX, NETWORK_CONNECTIONS_MAX } from './limit.ts'
import type { GatewayLimits, GatewayPorts } from './ports.ts'
import { SessionRegistry } from './sessionRegistry.ts'
import { Sweeper } from './sweeper.ts'
import { BatchedTransport } from './transport/batchedTransport.ts'

export interface Gateway {
  /** Takes events of the bus: each once, and each topic in order. */
  guildEvent(event: GuildEvent): void
  personEvent(event: PersonEvent): void
  /** A login ended: closes its connections and ends its sessions. */
  revoke(loginId: string): void
  /** Stores a session and releases it, because another node takes it over. False when it is not here. */
  releaseSession(sessionId: string): Promise<boolean>
  isOnline(userId: string): boolean
  /** The system of somebody's connection here; empty when there is none, or it is not known. */
  osOf(userId: string): string
  /** Calls with everybody whose connections here may have changed. */
  onPresence(listener: (userId: UserId) => void): void
  /** Members with a connection here, those only that `counts`. */
  onlineCount(guildId: string, counts?: (userId: UserId) => boolean): number
  /** Everybody with a connection here. */
  onlinePeople(): Set<UserId>
  /** `onlineCount` for each guild with sessions here. */
  onlineCounts(counts: (userId: UserId) => boolean): Map<GuildId, number>
  /** The logins that sessions here belong to. */
  logins(): Set<string>
  /**
   * Refuses new connections, and closes the open ones spread over `ms`, so that their clients reconnect to
   * other nodes.
   */
  drain(ms: number): Promise<void>
  close(): Promise<void>
}

const SWEEP_MS = 5_000

/** Handles the `upgrade` requests of an HTTP server for `GATEWAY_PATH`. */
export function openGateway(
  server: Server,
  ports: GatewayPorts,
  limits: Partial<GatewayLimits> = {},
): Gateway {
  const { topics, now, log, sessionStore: store = null, metrics = null } = ports
  const onError = (error: unknown) => log.error({ err: error }, 'an event could not be handed on')
  const openTransport = ports.openTransport ?? ((options) => new BatchedTransport(options))
  const transport = openTransport({ metrics, onError })
  const journal: Journal | null =
    store &&
    new Journal({
      store,
      nodeId: store.nodeId,
      now,
      guildsOf: (userId) => registry.person(userId)?.guilds ?? [],
      sessions: () => registry.sessions(),
      flushPending: () => transport.flushPending(),
      onClaimed(sessionId) {
        const session = registry.get(sessionId)
        if (session) registry.release(session, closeCode.replaced)
      },
      onError: (error) => log.warn({ err: error }, 'sessions could not be written down; trying again'),
    })
  const feeds = new GuildFeeds({
    topics,
    transport,
    journal,
    now,
    onError,
    factsOf: ports.factsOf,
    ...(ports.channelForms && { channelForms: ports.channelForms }),
    rolesOf: ports.rolesOf,
    sessionsOf: (userId) => registry.person(userId)?.sessions ?? [],
  })
  const presenceListeners: ((userId: UserId) => void)[] = []
  const onPresence = (userId: UserId) => {
    for (const listener of presenceListeners) listener(userId)
  }
  const registry: SessionRegistry = new SessionRegistry({
    feeds,
    topics,
    journal,
    transport,
    onPresence,
    membershipsOf: ports.membershipsOf,
    rolesOf: ports.rolesOf,
    personSeq: async (userId) => store?.personSeq(userId) ?? 0,
  })
  const router = new EventRouter({ registry, feeds, journal, metrics, now, onError })
  const takeover = new SessionTakeover({ registry, transport, store, journal, topics, metrics, now })
  const { readToken, isLoginAlive, uuid } = ports
  const acceptor = new ConnectionAcceptor({
    server,
    registry,
    takeover,
    transport,
    journal,
    metrics,
    readToken,
    isLoginAlive,
    uuid,
    now,
    log,
    onPresence,
    ...(ports.osOfLogin && { osOfLogin: ports.osOfLogin }),
    handshakesMax: limits.handshakes ?? HANDSHAKES_MAX,
  })
  const sweeper = new Sweeper({ registry, feeds, acceptor, journal, now }, limits.sweepMs ?? SWEEP_MS)
  const unlimit = limitConnections(server, {
    max: limits.connectionsPerNetwork ?? NETWORK_CONNECTIONS_MAX,
    isExempt: limits.isExempt ?? nearOr([]),
  })
  metrics?.watch(() => {
    const { connected, sessions } = registry.counts()
    return { connections: connected, sessions, storedEvents: transport.storedEvents }
  })

  return {
    guildEvent: (event) => router.guildEvent(event),
    personEvent: (event) => router.personEvent(event),
    revoke: (loginId) => registry.revoke(loginId),
    async releaseSession(sessionId) {
      const session = registry.get(sessionId)
      if (!session || session.isTakingOver) return false
      const { connection } = session
      if (connection) {
        session.detach(connection, now())
        onPresence(session.userId)
        connection.close(closeCode.replaced)
      }
      await journal?.flushSessions([session])
      registry.remove(session)
      return true
    },
    isOnline: (userId) => registry.isOnline(userId as UserId),
    osOf: (userId) => registry.osOf(userId as UserId),
    onPresence: (listener) => void presenceListeners.push(listener),
    onlineCount: (guildId, counts) => feeds.onlineCount(guildId as GuildId, counts),
    onlinePeople: () => registry.onlinePeople(),
    onlineCounts: (counts) => feeds.onlineCounts(counts),
    logins: () => registry.logins(),
    drain: (ms) => acceptor.drain(ms),
    async close() {
      sweeper.close()
      unlimit()
      await acceptor.close()
      await journal?.close()
    },
  }
}
