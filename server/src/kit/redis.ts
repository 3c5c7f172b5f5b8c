/**
 * Redis (or Valkey) as the nodes use it: the only file that knows its client. It may be away at any time: nothing here
 * waits for it longer than `ANSWER_WITHIN_MS`, nothing queues up for it, and it comes back by itself.
 */
import { randomUUID } from 'node:crypto'
import { Redis as Client } from 'ioredis'
import type { Log } from './log.ts'

export interface Redis {
  /** True while a word said on one connection is heard on the other. */
  isConnected(): boolean
  /** Called when `isConnected` has changed. */
  onChange(listener: (connected: boolean) => void): void
  /** Says something on a channel. `lost` is called when it may not have been heard; never throws. */
  publish(channel: string, text: string, lost?: () => void): void
  /** Hears a channel from the moment this resolves, while Redis is there. One listener a channel. Never rejects. */
  subscribe(channel: string, listener: (text: string) => void): Promise<void>
  unsubscribe(channel: string): void
  /** Runs a Lua script. @throws when Redis is away or slow */
  runScript(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>
  close(): void
}

/** A Lua script; Redis keeps it after the first time. */
export interface Script {
  readonly name: string
  readonly lua: string
}

/** How long a command may take. A window of a rate limit waits for one. */
const ANSWER_WITHIN_MS = 250
const CONNECT_WITHIN_MS = 2_000
/** The echo that shows that both connections work. */
const ECHO_EVERY_MS = 1_000
const ECHO_WITHIN_MS = 3_000
/** Between two tries to connect. */
const RETRY_FIRST_MS = 100
const RETRY_MAX_MS = 2_000
/** Words on their way at once; more are lost, for Redis does not keep up. */
const PENDING_MAX = 20_000

/** Begins to connect and answers at once; whoever wants to know whether Redis is there asks `isConnected`. */
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
    // After a failover the old master is a replica, to which nothing can be written.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  }
  const speaker = new Client(url, { ...options, commandTimeout: ANSWER_WITHIN_MS })
  const hearer = new Client(url, options)
  const listeners = new Map<string, (text: string) => void>()
  const watchers = new Set<(connected: boolean) => void>()
  const echo = `guildhall:echo:${randomUUID()}`
  const known = new Set<string>()
  let connected = false
  let closed = false
  let pending = 0
  let heardAt = 0
  let askedAt = 0
  let trouble: Error | null = null

  function become(now: boolean): void {
    if (connected === now || closed) return
    connected = now
    if (now) log.info('redis is there')
    else log.warn({ err: trouble }, 'redis is away')
    trouble = null
    for (const watcher of watchers) watcher(now)
  }

  for (const client of [speaker, hearer]) {
    // Said once, when it is lost; not again for every try.
    client.on('error', (error: Error) => {
      trouble = error
    })
    client.on('close', () => become(false))
    client.on('ready', () => beat())
    client.connect().catch((error: Error) => {
      trouble = error
    })
  }
  hearer.on('message', (channel: string, text: string) => {
    if (channel !== echo) return listeners.get(channel)?.(text)
    heardAt = performance.now()
    // Only now: what was heard before may have been from before the break.
    become(true)
  })
  hearer.on('ready', () => {
    hearer.subscribe(echo, ...listeners.keys()).then(beat, () => hearer.disconnect(true))
  })

  /** Says a word to itself, and gives both connections up when the last one was not heard in time. */
  function beat(): void {
    const now = performance.now()
    if (closed || speaker.status !== 'ready' || hearer.status !== 'ready') return
    if (askedAt > heardAt && now - askedAt > ECHO_WITHIN_MS) {
      askedAt = 0
      trouble = new Error('no answer')
      become(false)
      speaker.disconnect(true)
      hearer.disconnect(true)
      return
    }
    if (askedAt <= heardAt) askedAt = now
    publish(echo, '')
  }
  const beats = setInterval(beat, ECHO_EVERY_MS)
  beats.unref()

  function publish(channel: string, text: string, lost?: () => void): void {
    if (speaker.status !== 'ready' || pending >= PENDING_MAX) return lost?.()
    pending += 1
    speaker.publish(channel, text).then(
      () => {
        pending -= 1
      },
      () => {
        pending -= 1
        lost?.()
      },
    )
  }

  return {
    isConnected: () => connected,
    onChange: (listener) => void watchers.add(listener),
    publish,
    async subscribe(channel, listener) {
      listeners.set(channel, listener)
      if (hearer.status !== 'ready') return
      await hearer.subscribe(channel).catch(() => {
        // A connection that breaks subscribes to all again; one that stands and refuses is not to be trusted.
        if (!closed && hearer.status === 'ready') hearer.disconnect(true)
      })
    },
    unsubscribe(channel) {
      if (!listeners.delete(channel) || hearer.status !== 'ready') return
      hearer.unsubscribe(channel).catch(() => undefined)
    },
    runScript({ name, lua }, keys, values) {
      if (!connected) return Promise.reject(new Error('redis is away'))
      if (!known.has(name)) {
        speaker.defineCommand(name, { lua })
        known.add(name)
      }
      const commands = speaker as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
      return commands[name]!(keys.length, ...keys, ...values)
    },
    close() {
      closed = true
      connected = false
      clearInterval(beats)
      hearer.disconnect()
      // What was said before this still leaves.
      const late = setTimeout(() => speaker.disconnect(), ANSWER_WITHIN_MS)
      late.unref()
      speaker.quit().then(
        () => clearTimeout(late),
        () => speaker.disconnect(),
      )
    },
  }
}
