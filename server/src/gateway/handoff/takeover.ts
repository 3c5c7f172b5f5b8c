/**
 * Session takeover: moves a session from another node to this one and brings it up to date. protocol.md §2.6.
 */
import { gatewayCode } from '@guildhall/wire/gateway/frame.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import type { GuildEvent, LiveEvent, Topic } from '../../kit/events/bus.ts'
import type { GatewayMetrics } from '../../kit/metrics/gateway.ts'
import type { GuildAudience } from '../audience.ts'
import { encodeEvent } from '../encodeEvent.ts'
import { readableBy, type Topics } from '../guildFeed.ts'
import type { Bearer } from '../ports.ts'
import { GatewaySession } from '../session.ts'
import type { SessionRegistry } from '../sessionRegistry.ts'
import type { Transport } from '../transport/transport.ts'
import type { Journal } from './journal.ts'
import { claimSession, loadMissedEvents } from './rebuild.ts'
import type { SessionStore } from './sessionStore.ts'

export interface TakeoverPorts {
  readonly registry: SessionRegistry
  readonly transport: Transport
  /** Null when sessions end with the process. */
  readonly store: SessionStore | null
  readonly journal: Journal | null
  readonly topics: Topics | undefined
  readonly metrics: GatewayMetrics | null
  /** See `FeedPorts`. */
  readableEvent?(event: GuildEvent): GuildEvent
  now(): number
}

/** What a resuming client sends. */
export interface ResumeRequest {
  readonly sessionId: string
  readonly sn: number
  readonly compress: boolean
  readonly bearer: Bearer
}

export class SessionTakeover {
  readonly #ports: TakeoverPorts
  /** Takeovers in progress, by session. */
  readonly #inProgress = new Map<string, Promise<GatewaySession | number>>()

  constructor(ports: TakeoverPorts) {
    this.#ports = ports
  }

  isInProgress(sessionId: string): boolean {
    return this.#inProgress.has(sessionId)
  }

  /**
   * Takes a session over, or joins the takeover in progress. Returns the session, or the code to refuse with.
   */
  run(request: ResumeRequest): Promise<GatewaySession | number> {
    const { sessionId } = request
    const running = this.#inProgress.get(sessionId) ?? this.#takeOver(request)
    this.#inProgress.set(sessionId, running)
    return running.finally(() => this.#inProgress.delete(sessionId))
  }

  async #takeOver({ sessionId: id, sn, compress, bearer }: ResumeRequest): Promise<GatewaySession | number> {
    const { registry, transport, store, journal, metrics, now } = this.#ports
    const { userId, loginId, dialect } = bearer
    if (!store) return gatewayCode.sessionExpired
    const { requestRelease, nodeId: by } = store
    const claimed = await claimSession(store, { id, userId, loginId, compress, now, by, requestRelease })
    if (!claimed) return gatewayCode.sessionExpired
    const session = new GatewaySession({
      id,
      userId,
      loginId,
      compress,
      transport,
      now: now(),
      ...(dialect && { dialect }),
    })
    session.startTakeover()
    registry.add(session)
    try {
      const subscriptions = await this.#subscribe(session, claimed.row.guilds)
      // Revoked while the database was read.
      if (!subscriptions) return gatewayCode.sessionExpired
      const missed = await loadMissedEvents(store, claimed, sn, subscriptions)
      if (!registry.has(id)) return gatewayCode.sessionExpired
      if ('code' in missed) {
        registry.drop(session)
        return missed.code
      }
      const shown = (event: LiveEvent): LiveEvent => {
        const guild = event.to === 'guild' && subscriptions.guilds.get(event.guildId as GuildId)
        return guild ? readableBy(guild.audience, event as GuildEvent, this.#ports) : event
      }
      session.finishTakeover(
        sn,
        missed.events.map((event) => encodeEvent(shown(event))),
        now(),
      )
      metrics?.takenOver()
      journal?.recordSession(session)
      return session
    } catch (error) {
      registry.drop(session)
      throw error
    }
  }

  /** Null when the session ended meanwhile. */
  async #subscribe(session: GatewaySession, guildIds: readonly GuildId[]) {
    const { registry, topics } = this.#ports
    const guilds = new Map<GuildId, { audience: GuildAudience; seq: number }>()
    // If this node lagged behind the former one, it would send events again that the former one sent.
    const followed = guildIds.map((guildId): Topic => `guild:${guildId}`)
    await topics?.catchUp([`person:${session.userId}`, ...followed])
    const ownSeq = await registry.subscribe(session, (guildId, audience) => {
      const seq = session.subscribedAfter(guildId) ?? audience.seq
      if (!guilds.has(guildId)) guilds.set(guildId, { audience, seq })
    })
    return ownSeq === null
      ? null
      : { userId: session.userId, dialect: session.stream.dialect, guilds, ownSeq }
  }
}
