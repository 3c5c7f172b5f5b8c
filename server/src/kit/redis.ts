/**
 * The Redis (or Valkey) connection: the only file that knows its client. Redis may be unavailable at any
 * time: nothing here waits for it longer than `ANSWER_WITHIN_MS`, nothing is queued for it, and it reconnects
 * by itself.
 */
import { randomUUID } from 'node:crypto'
import { Redis as Client } from 'ioredis'
import type { Log } from './log.ts'

export interface Redis {
  /** True while a message published on one connection arrives on the other. */
  isConnected(): boolean
  /** Called when `isConnected` has changed. */
  onChange(listener: (connected: boolean) => void): void
  /** Publishes to a channel. `onLost` is called when the message may be lost. Never throws. */
  publish(channel: string, text: string, onLost?: () => void): void
  /**
   * Subscribes to a channel; effective when it resolves and while Redis is connected. One listener per
   * channel. Never rejects.
   */
  subscribe(channel: string, listener: (text: string) => void): Promise<void>
  unsubscribe(channel: string): void
  /** Runs a Lua script. @throws when Redis is disconnected or slow */
  runScript(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>
  close(): void
}

/** A Lua script; Redis caches it after the first run. */
export interface Script {
  readonly name: string
  readonly lua: string
}

/** How long a command may take, ms. A rate limit waits for one. */
const ANSWER_WITHIN_MS = 250
const CONNECT_WITHIN_MS = 2_000
/** The heartbeat that shows that both connections work, ms. */
const HEARTBEAT_EVERY_MS = 1_000
const HEARTBEAT_WITHIN_MS = 3_000
/** Between two attempts to connect: the first and the longest wait, ms. */
const RETRY_FIRST_MS = 100
const RETRY_MAX_MS = 2_000
/** Messages that Redis has not confirmed; further ones are lost. */
const PENDING_MAX = 20_000

const CLIENT_OPTIONS = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_WITHIN_MS,
  enableReadyCheck: true,
  keepAlive: 10_000,
  retryStrategy: (tries: number) =>
    Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(tries, 8)) * (0.7 + 0.6 * Math.random()),
  // After a failover the old master is a read-only replica.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
}

/** Starts to connect and returns at once. */
export const openRedis = (url: string, log: Log): Redis => new RedisConnections(url, log)

/** Two connections, one that publishes and one that subscribes, and the heartbeat between them. */
class RedisConnections implements Redis {
  readonly #log: Log
  readonly #publisher: Client
  readonly #subscriber: Client
  readonly #listeners = new Map<string, (text: string) => void>()
  readonly #changeListeners = new Set<(connected: boolean) => void>()
  readonly #heartbeatChannel = `guildhall:echo:${randomUUID()}`
  readonly #heartbeats: NodeJS.Timeout
  /** Names of the scripts that the client knows. */
  readonly #scripts = new Set<string>()
  #connected = false
  #closed = false
  #pending = 0
  /** When the last heartbeat arrived, and when the one that is under way was sent; ms. */
  #receivedAt = 0
  #sentAt = 0
  #lastError: Error | null = null

  constructor(url: string, log: Log) {
    this.#log = log
    this.#publisher = new Client(url, { ...CLIENT_OPTIONS, commandTimeout: ANSWER_WITHIN_MS })
    this.#subscriber = new Client(url, CLIENT_OPTIONS)
    for (const client of [this.#publisher, this.#subscriber]) this.#connect(client)
    this.#subscriber.on('message', (channel: string, text: string) => this.#receive(channel, text))
    this.#subscriber.on('ready', () => {
      this.#subscriber.subscribe(this.#heartbeatChannel, ...this.#listeners.keys()).then(
        () => this.#sendHeartbeat(),
        () => this.#subscriber.disconnect(true),
      )
    })
    this.#heartbeats = setInterval(() => this.#sendHeartbeat(), HEARTBEAT_EVERY_MS)
    this.#heartbeats.unref()
  }

  isConnected(): boolean {
    return this.#connected
  }

  onChange(listener: (connected: boolean) => void): void {
    this.#changeListeners.add(listener)
  }

  publish(channel: string, text: string, onLost?: () => void): void {
    if (this.#publisher.status !== 'ready' || this.#pending >= PENDING_MAX) return onLost?.()
    this.#pending += 1
    this.#publisher.publish(channel, text).then(
      () => {
        this.#pending -= 1
      },
      () => {
        this.#pending -= 1
        onLost?.()
      },
    )
  }

  async subscribe(channel: string, listener: (text: string) => void): Promise<void> {
    this.#listeners.set(channel, listener)
    if (this.#subscriber.status !== 'ready') return
    await this.#subscriber.subscribe(channel).catch(() => {
      // A new connection subscribes to everything again; one that is open and refuses to subscribe is broken.
      if (!this.#closed && this.#subscriber.status === 'ready') this.#subscriber.disconnect(true)
    })
  }

  unsubscribe(channel: string): void {
    if (!this.#listeners.delete(channel) || this.#subscriber.status !== 'ready') return
    this.#subscriber.unsubscribe(channel).catch(() => undefined)
  }

  runScript(
    { name, lua }: Script,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> {
    if (!this.#connected) return Promise.reject(new Error('redis is away'))
    if (!this.#scripts.has(name)) {
      this.#publisher.defineCommand(name, { lua })
      this.#scripts.add(name)
    }
    const commands = this.#publisher as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    return commands[name]!(keys.length, ...keys, ...values)
  }

  close(): void {
    this.#closed = true
    this.#connected = false
    clearInterval(this.#heartbeats)
    this.#subscriber.disconnect()
    // Messages that were published before are still sent.
    const late = setTimeout(() => this.#publisher.disconnect(), ANSWER_WITHIN_MS)
    late.unref()
    this.#publisher.quit().then(
      () => clearTimeout(late),
      () => this.#publisher.disconnect(),
    )
  }

  #connect(client: Client): void {
    // Logged once when the connection is lost, not for every attempt.
    client.on('error', (error: Error) => {
      this.#lastError = error
    })
    client.on('close', () => this.#setConnected(false))
    client.on('ready', () => this.#sendHeartbeat())
    client.connect().catch((error: Error) => {
      this.#lastError = error
    })
  }

  #setConnected(connected: boolean): void {
    if (this.#connected === connected || this.#closed) return
    this.#connected = connected
    if (connected) this.#log.info('redis is there')
    else this.#log.warn({ err: this.#lastError }, 'redis is away')
    this.#lastError = null
    for (const listener of this.#changeListeners) listener(connected)
  }

  #receive(channel: string, text: string): void {
    if (channel !== this.#heartbeatChannel) return this.#listeners.get(channel)?.(text)
    this.#receivedAt = performance.now()
    // Not earlier: other messages may have been sent before the disconnection.
    this.#setConnected(true)
  }

  /**
   * Publishes a heartbeat to itself, and reconnects both connections when the previous one did not arrive in
   * time.
   */
  #sendHeartbeat(): void {
    const now = performance.now()
    if (this.#closed || this.#publisher.status !== 'ready' || this.#subscriber.status !== 'ready') return
    if (this.#sentAt > this.#receivedAt && now - this.#sentAt > HEARTBEAT_WITHIN_MS) {
      this.#sentAt = 0
      this.#lastError = new Error('no answer')
      this.#setConnected(false)
      this.#publisher.disconnect(true)
      this.#subscriber.disconnect(true)
      return
    }
    if (this.#sentAt <= this.#receivedAt) this.#sentAt = now
    this.publish(this.#heartbeatChannel, '')
  }
}
