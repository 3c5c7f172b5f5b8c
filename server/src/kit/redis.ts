/**
 * The Redis (or Valkey) connection: the only file that knows its client. Redis may be unavailable at any time: nothing
 * here waits for it longer than `ANSWER_WITHIN_MS`, nothing is queued for it, and it reconnects by itself.
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
  /** Subscribes to a channel; effective when it resolves and while Redis is connected. One listener per channel. Never rejects. */
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

/** Starts to connect and returns at once. */
export function openRedis(url: string, log: Log): Redis {
  const options = {
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
  const publisher = new Client(url, { ...options, commandTimeout: ANSWER_WITHIN_MS })
  const subscriber = new Client(url, options)
  const listeners = new Map<string, (text: string) => void>()
  const changeListeners = new Set<(connected: boolean) => void>()
  const heartbeatChannel = `guildhall:echo:${randomUUID()}`
  const known = new Set<string>()
  let connected = false
  let closed = false
  let pending = 0
  let receivedAt = 0
  let sentAt = 0
  let lastError: Error | null = null

  function setConnected(now: boolean): void {
    if (connected === now || closed) return
    connected = now
    if (now) log.info('redis is there')
    else log.warn({ err: lastError }, 'redis is away')
    lastError = null
    for (const listener of changeListeners) listener(now)
  }

  for (const client of [publisher, subscriber]) {
    // Logged once when the connection is lost, not for every attempt.
    client.on('error', (error: Error) => {
      lastError = error
    })
    client.on('close', () => setConnected(false))
    client.on('ready', () => sendHeartbeat())
    client.connect().catch((error: Error) => {
      lastError = error
    })
  }
  subscriber.on('message', (channel: string, text: string) => {
    if (channel !== heartbeatChannel) return listeners.get(channel)?.(text)
    receivedAt = performance.now()
    // Not earlier: other messages may have been sent before the disconnection.
    setConnected(true)
  })
  subscriber.on('ready', () => {
    subscriber
      .subscribe(heartbeatChannel, ...listeners.keys())
      .then(sendHeartbeat, () => subscriber.disconnect(true))
  })

  /** Publishes a heartbeat to itself, and reconnects both connections when the previous one did not arrive in time. */
  function sendHeartbeat(): void {
    const now = performance.now()
    if (closed || publisher.status !== 'ready' || subscriber.status !== 'ready') return
    if (sentAt > receivedAt && now - sentAt > HEARTBEAT_WITHIN_MS) {
      sentAt = 0
      lastError = new Error('no answer')
      setConnected(false)
      publisher.disconnect(true)
      subscriber.disconnect(true)
      return
    }
    if (sentAt <= receivedAt) sentAt = now
    publish(heartbeatChannel, '')
  }
  const heartbeats = setInterval(sendHeartbeat, HEARTBEAT_EVERY_MS)
  heartbeats.unref()

  function publish(channel: string, text: string, onLost?: () => void): void {
    if (publisher.status !== 'ready' || pending >= PENDING_MAX) return onLost?.()
    pending += 1
    publisher.publish(channel, text).then(
      () => {
        pending -= 1
      },
      () => {
        pending -= 1
        onLost?.()
      },
    )
  }

  return {
    isConnected: () => connected,
    onChange: (listener) => void changeListeners.add(listener),
    publish,
    async subscribe(channel, listener) {
      listeners.set(channel, listener)
      if (subscriber.status !== 'ready') return
      await subscriber.subscribe(channel).catch(() => {
        // A new connection subscribes to everything again; one that is open and refuses to subscribe is broken.
        if (!closed && subscriber.status === 'ready') subscriber.disconnect(true)
      })
    },
    unsubscribe(channel) {
      if (!listeners.delete(channel) || subscriber.status !== 'ready') return
      subscriber.unsubscribe(channel).catch(() => undefined)
    },
    runScript({ name, lua }, keys, values) {
      if (!connected) return Promise.reject(new Error('redis is away'))
      if (!known.has(name)) {
        publisher.defineCommand(name, { lua })
        known.add(name)
      }
      const commands = publisher as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
      return commands[name]!(keys.length, ...keys, ...values)
    },
    close() {
      closed = true
      connected = false
      clearInterval(heartbeats)
      subscriber.disconnect()
      // Messages that were published before are still sent.
      const late = setTimeout(() => publisher.disconnect(), ANSWER_WITHIN_MS)
      late.unref()
      publisher.quit().then(
        () => clearTimeout(late),
        () => publisher.disconnect(),
      )
    },
  }
}
