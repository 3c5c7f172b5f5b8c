/** What the gateway needs from the rest of the server; `app.ts` provides it. */
import type { IncomingMessage } from 'node:http'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import type { GuildEvent } from '../kit/events/bus.ts'
import type { GatewayMetrics } from '../kit/metrics/gateway.ts'
import type { Topics } from './guildFeed.ts'
import type { SessionStore } from './handoff/sessionStore.ts'
import type { Transport, TransportOptions } from './transport/transport.ts'
import type { GuildFacts } from './visibility.ts'

/** The owner of a gateway token. */
export interface Bearer {
  readonly userId: UserId
  readonly loginId: string
  /** The specification's by default; the public protocol's for bots. */
  readonly dialect?: NumberDialect
}

export interface GatewayPorts {
  readToken(token: string): Bearer | 'bad' | 'expired'
  /** False when the login was revoked or its user banned. */
  isLoginAlive(loginId: string): Promise<boolean>
  /** The system that a login was made on, for a connection that does not say its own; empty: not known. */
  osOfLogin?(loginId: string): Promise<string>
  membershipsOf(userId: UserId): Promise<readonly { guild_id: GuildId; roles: readonly number[] }[]>
  /** Null for somebody who is not a member. */
  rolesOf(guildId: GuildId, userId: UserId): Promise<readonly number[] | null>
  /** Null when the guild is gone. */
  factsOf(guildId: GuildId): Promise<GuildFacts | null>
  /**
   * Channels in the form of their events; those that exist. Absent: nobody is told that they may view a
   * channel from now on.
   */
  channelForms?(guildId: GuildId, channelIds: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, object>>
  /** See `FeedPorts`. */
  readableEvent?(event: GuildEvent): GuildEvent
  /** The bus's subscriptions. Absent: the caller hands in every event. */
  readonly topics?: Topics
  uuid(): string
  /** ms. */
  now(): number
  /** Stores sessions so that any node can take them over. Absent: they end with the process. */
  readonly sessionStore?: SessionStore
  readonly metrics?: GatewayMetrics
  readonly log: { warn(detail: object, message: string): void; error(detail: object, message: string): void }
  /** The batched transport by default. */
  openTransport?(options: TransportOptions): Transport
}

/** All have a default; tests make them smaller. */
export interface GatewayLimits {
  /** Handshakes in progress, from the request to the hello. */
  readonly handshakes: number
  readonly connectionsPerNetwork: number
  /** Handshakes in ten seconds. */
  readonly handshakesPerNetwork: number
  /** The address of a client; that of the socket by default. */
  readonly addressOf: (request: IncomingMessage) => string
  /** Addresses whose connections are not counted. */
  readonly isExempt: (ip: string) => boolean
  readonly sweepMs: number
}
