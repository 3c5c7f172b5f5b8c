/**
 * The gateway: sockets in, events out. The only code that knows sockets; features write events and never
 * import it. protocol.md §2.
 */
import type { Server } from 'node:http'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { GuildEvent, PersonEvent } from '../kit/events/bus.ts'
import { clientAddresses } from '../kit/http/clientAddress.ts'
import { closeCode } from './closeCode.ts'
import { ConnectionAcceptor } from './connectionAcceptor.ts'
import { limitConnections, limitHandshakes, nearOr } from './connectionLimit.ts'
import { EventRouter } from './eventRouter.ts'
import { GuildFeeds } from './guildFeeds.ts'
import { Journal } from './handoff/journal.ts'
import type { SessionStore } from './handoff/sessionStore.ts'
import { SessionTakeover } from './handoff/takeover.ts'
import { HANDSHAKES_MAX, NETWORK_CONNECTIONS_MAX, NETWORK_HANDSHAKES_MAX } from './limit.ts'
import type { GatewayLimits, GatewayPorts } from './ports.ts'
import { SessionRegistry } from './sessionRegistry.ts'
import { Timeouts } from './timeouts.ts'
import { BatchedTransport } from './transport/batchedTransport.ts'
import type { Transport } from './transport/transport.ts'

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
export const openGateway = (
  server: Server,
  ports: GatewayPorts,
  limits: Partial<GatewayLimits> = {},
): Gateway => new NodeGateway(server, ports, limits)

class NodeGateway implements Gateway {
  readonly #ports: GatewayPorts
  readonly #presenceListeners: ((userId: UserId) => void)[] = []
  readonly #transport: Transport
  /** Null: sessions end with this node. */
  readonly #journal: Journal | null
  readonly #feeds: GuildFeeds
  readonly #registry: SessionRegistry
  readonly #router: EventRouter
  readonly #acceptor: ConnectionAcceptor
  readonly #timeouts: Timeouts
  readonly #unlimit: () => void

  constructor(server: Server, ports: GatewayPorts, limits: Partial<GatewayLimits>) {
    this.#ports = ports
    const { topics, now, log, sessionStore: store = null, metrics = null } = ports
    const onError = (error: unknown) => log.error({ err: error }, 'an event could not be handed on')
    const openTransport = ports.openTransport ?? ((options) => new BatchedTransport(options))
    const transport = openTransport({ metrics, onError })
    const journal = store && this.#openJournal(store)
    this.#transport = transport
    this.#journal = journal
    const feeds = this.#openFeeds(onError)
    this.#feeds = feeds
    const registry = new SessionRegistry({
      feeds,
      topics,
      journal,
      transport,
      onPresence: this.#notifyPresence,
      membershipsOf: ports.membershipsOf,
      rolesOf: ports.rolesOf,
      personSeq: async (userId) => store?.personSeq(userId) ?? 0,
    })
    this.#registry = registry
    this.#router = new EventRouter({ registry, feeds, journal, metrics, now, onError })
    const acceptor = this.#openAcceptor(server, limits)
    this.#acceptor = acceptor
    this.#timeouts = new Timeouts({ registry, feeds, acceptor, journal, now }, limits.sweepMs ?? SWEEP_MS)
    this.#unlimit = limitConnections(server, {
      max: limits.connectionsPerNetwork ?? NETWORK_CONNECTIONS_MAX,
      isExempt: limits.isExempt ?? nearOr([]),
    })
    metrics?.watch(() => {
      const { connected, sessions } = registry.counts()
      return { connections: connected, sessions, storedEvents: transport.storedEvents }
    })
  }

  guildEvent(event: GuildEvent): void {
    this.#router.guildEvent(event)
  }

  personEvent(event: PersonEvent): void {
    this.#router.personEvent(event)
  }

  revoke(loginId: string): void {
    this.#registry.revoke(loginId)
  }

  async releaseSession(sessionId: string): Promise<boolean> {
    const session = this.#registry.get(sessionId)
    if (!session || session.isTakingOver) return false
    const { connection } = session
    if (connection) {
      session.detach(connection, this.#ports.now())
      this.#notifyPresence(session.userId)
      connection.close(closeCode.replaced)
    }
    await this.#journal?.flushSessions([session])
    this.#registry.remove(session)
    return true
  }

  isOnline(userId: string): boolean {
    return this.#registry.isOnline(userId as UserId)
  }

  osOf(userId: string): string {
    return this.#registry.osOf(userId as UserId)
  }

  onPresence(listener: (userId: UserId) => void): void {
    this.#presenceListeners.push(listener)
  }

  onlineCount(guildId: string, counts?: (userId: UserId) => boolean): number {
    return this.#feeds.onlineCount(guildId as GuildId, counts)
  }

  onlinePeople(): Set<UserId> {
    return this.#registry.onlinePeople()
  }

  onlineCounts(counts: (userId: UserId) => boolean): Map<GuildId, number> {
    return this.#feeds.onlineCounts(counts)
  }

  logins(): Set<string> {
    return this.#registry.logins()
  }

  drain(ms: number): Promise<void> {
    return this.#acceptor.drain(ms)
  }

  async close(): Promise<void> {
    this.#timeouts.close()
    this.#unlimit()
    await this.#acceptor.close()
    await this.#journal?.close()
  }

  readonly #notifyPresence = (userId: UserId): void => {
    for (const listener of this.#presenceListeners) listener(userId)
  }

  #openJournal(store: SessionStore): Journal {
    const { now, log } = this.#ports
    return new Journal({
      store,
      nodeId: store.nodeId,
      now,
      guildsOf: (userId) => this.#registry.person(userId)?.guilds ?? [],
      sessions: () => this.#registry.sessions(),
      flushPending: () => this.#transport.flushPending(),
      onClaimed: (sessionId) => {
        const session = this.#registry.get(sessionId)
        if (session) this.#registry.release(session, closeCode.replaced)
      },
      onError: (error) => log.warn({ err: error }, 'sessions could not be written down; trying again'),
    })
  }

  #openFeeds(onError: (error: unknown) => void): GuildFeeds {
    const { topics, now, factsOf, channelForms, readableEvent, rolesOf } = this.#ports
    return new GuildFeeds({
      topics,
      transport: this.#transport,
      journal: this.#journal,
      now,
      onError,
      factsOf,
      ...(channelForms && { channelForms }),
      ...(readableEvent && { readableEvent }),
      rolesOf,
      sessionsOf: (userId) => this.#registry.person(userId)?.sessions ?? [],
    })
  }

  #openAcceptor(server: Server, limits: Partial<GatewayLimits>): ConnectionAcceptor {
    const { readToken, isLoginAlive, osOfLogin, uuid, topics, readableEvent, now, log } = this.#ports
    const { sessionStore: store = null, metrics = null } = this.#ports
    const [registry, transport, journal] = [this.#registry, this.#transport, this.#journal]
    return new ConnectionAcceptor({
      server,
      registry,
      takeover: new SessionTakeover({
        registry,
        transport,
        store,
        journal,
        topics,
        ...(readableEvent && { readableEvent }),
        metrics,
        now,
      }),
      transport,
      journal,
      metrics,
      readToken,
      isLoginAlive,
      uuid,
      now,
      log,
      onPresence: this.#notifyPresence,
      ...(osOfLogin && { osOfLogin }),
      handshakesMax: limits.handshakes ?? HANDSHAKES_MAX,
      mayStart: limitHandshakes({
        most: limits.handshakesPerNetwork ?? NETWORK_HANDSHAKES_MAX,
        addressOf: limits.addressOf ?? clientAddresses([]),
      }),
    })
  }
}
