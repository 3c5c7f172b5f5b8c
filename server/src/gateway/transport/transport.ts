/**
 * The transport: turns events into numbered frames, keeps them for replay and writes them to sockets. The
 * rest of the gateway uses this interface only. `BatchedTransport` is what runs; `PlainTransport` is the
 * readable reference.
 */
import type { Duplex } from 'node:stream'
import type { GuildId } from '@guildhall/wire/id.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { WebSocket } from 'ws'
import type { EncodedEvent } from './encodedEvent.ts'
import type { SharedFrame } from './sharedFrame.ts'

/**
 * Past any of these bounds a stream drops its oldest events; a client that still needs them cannot resume.
 */
export const REPLAY_EVENTS_MAX = 4_096
export const REPLAY_BYTES_MAX = 2 * 1024 * 1024
export const REPLAY_MS = 5 * MINUTE_MS

/** Frames that may wait for one socket: a whole replay and what is sent meanwhile fit. */
export const PENDING_FRAMES_MAX = 2 * REPLAY_EVENTS_MAX
export const PENDING_BYTES_MAX = 2 * REPLAY_BYTES_MAX
/**
 * A slow consumer is disconnected while what it misses is still in its replay buffer, so that it can resume.
 */
export const BLOCKED_BYTES_MAX = REPLAY_BYTES_MAX / 2

export interface Transport {
  /** The events of a new session. */
  openStream(options: StreamOptions): EventStream
  /** The sending side of an accepted socket. */
  openConnection(options: ConnectionOptions): Connection
  /**
   * Sends an event to many streams, in order with all other events. Exactly those that are in `streams` now
   * receive it; the array may grow later. It may wait until `flushPending` or the next write; `now` is when
   * it happened, ms.
   */
  broadcast(streams: readonly EventStream[], event: EncodedEvent, now: number, guildId: GuildId): void
  /** Hands every broadcast event to its streams. Call it before reading the state of a stream. */
  flushPending(): void
  /** The events kept for replay, each counted once. */
  readonly storedEvents: number
}

export interface StreamOptions {
  readonly dialect: NumberDialect
  readonly compress: boolean
}

export interface ConnectionOptions {
  readonly ws: WebSocket
  readonly socket: Duplex
  readonly compress: boolean
  /** ms. */
  now(): number
}

/**
 * The events of one session: numbered from 1, kept for replay, and sent while a connection is attached.
 * protocol.md §2.5.
 */
export interface EventStream {
  readonly dialect: NumberDialect
  /**
   * The last serial number given out; 0 before the first. Events that `flushPending` would deliver do not
   * count.
   */
  readonly sn: number
  /** From now on events are collected without a number, until `continueAfter`. */
  pause(): void
  readonly isPaused: boolean
  /** Ends the pause: numbers `missed`, then the collected events, from `sn + 1` on. */
  continueAfter(sn: number, missed: readonly EncodedEvent[], now: number): void
  attach(connection: Connection): void
  detach(): void
  /**
   * The guild that the client shows: events of others may be late. Null: it shows none. Undefined: none may
   * be late.
   */
  focus(guildId: string | null | undefined): void
  /** Sends one event to this stream alone. Without a `guildId` it is never late. */
  send(event: EncodedEvent, now: number, guildId?: string): void
  /** True when everything after `sn` is still kept. */
  canReplay(sn: number): boolean
  /**
   * Sends again what follows `sn` and was first sent at or before `sentUntil`, ms; returns about how many
   * bytes that was.
   */
  replay(sn: number, sentUntil: number): number
  /** The client has everything up to `sn`: it is dropped. */
  acknowledge(sn: number): void
  /** Drops everything and receives no more events. */
  end(): void
}

/** The sending side of a client's connection. */
export interface Connection {
  /** Sends a frame that is no event, given as JSON text. */
  send(frame: string): void
  /** Sends an event. With `canWait` it may leave up to a second later, in order with the others. */
  sendEvent(event: NumberedEvent, sn: number, canWait: boolean): void
  /** Writes what waits. */
  flush(): void
  /** Writes what waits and closes. Codes: `closeCode`. */
  close(code: number): void
  /** True when the client has accepted nothing for longer than `ms`. */
  isBlockedFor(ms: number): boolean
  /** Ends the connection without a close frame, which a blocked client would not read. */
  terminate(): void
}

/** An event of one dialect that is encoded when it is written. */
export type NumberedEvent = Pick<SharedFrame, 'plain' | 'deflated'>

/** Counts what is written; called once for many frames. */
export interface TransportMetrics {
  framesOut(events: number, bytes: number): void
  /** A socket that did not read was disconnected. */
  slowConsumer(): void
}

/** What every implementation needs. */
export interface TransportOptions {
  readonly metrics?: TransportMetrics | null
  /** An event could not be encoded in a dialect. */
  onError(error: unknown): void
}
