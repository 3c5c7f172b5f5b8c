/**
 * This server process among the other nodes: heartbeats, broadcasts and requests over Redis pub/sub. Any
 * message may be lost; the database is the source of truth.
 */
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { ids } from '../ids.ts'
import type { Log } from '../log.ts'
import type { Redis } from '../redis/redis.ts'

export interface Nodes {
  /** New for each process. */
  readonly id: string
  /**
   * Sends a message to every other node. Lost while Redis is disconnected: the caller must not depend on it.
   */
  broadcast(kind: string, body: unknown): void
  /** Subscribes to the broadcasts of a kind. Returns the unsubscribe function. */
  onMessage(kind: string, listener: (body: unknown, from: string) => void): () => void
  /**
   * Asks another node. Resolves with its answer; with null when it has none, is gone, or does not answer
   * within `withinMs`.
   */
  request(node: string, kind: string, body: unknown, withinMs: number): Promise<unknown>
  /** Answers the requests of a kind; a rejection is answered by null. Returns the unsubscribe function. */
  onRequest(kind: string, handler: (body: unknown) => Promise<unknown>): () => void
  /** False while messages of others are not received. Always true for a single node. */
  isConnected(): boolean
  /** The other nodes that sent something in the last seconds. */
  others(): readonly string[]
  /** Called when a node joins or is gone. Returns the unsubscribe function. */
  onChange(listener: (id: string, isHere: boolean) => void): () => void
  /** Notifies the others that this node leaves. */
  close(): void
}

/** What is sent over Redis; `ask` is the id of a request, in the request and in its answers. */
interface NodeMessage {
  readonly from: string
  readonly kind: string
  readonly body: unknown
  readonly ask?: string
}

interface PendingRequest {
  readonly node: string
  readonly done: (body: unknown) => void
}

const HEARTBEAT_EVERY_MS = SECOND_MS
/** A node that sent nothing for this long is gone. */
export const LOST_AFTER_MS = 4 * SECOND_MS

const HEARTBEAT = '.beat'
const GONE = '.gone'
const ANSWER = '.answer'

/** A single node, without `REDIS_URL`. */
export const alone = (): Nodes => ({
  id: ids.uuid(),
  broadcast() {},
  onMessage: () => () => undefined,
  request: async () => null,
  onRequest: () => () => undefined,
  isConnected: () => true,
  others: () => [],
  onChange: () => () => undefined,
  close() {},
})

export interface NodesOptions {
  readonly redis: Redis
  /** Starts the name of every channel, so that several systems can share one Redis. */
  readonly prefix: string
  readonly log: Log
}

/**
 * Joins the nodes that share `redis` and `prefix`. Never throws and never waits, even while Redis is
 * disconnected.
 */
export const openNodes = (options: NodesOptions): Nodes => new RedisNodes(options)

class RedisNodes implements Nodes {
  readonly id = ids.uuid()
  readonly #redis: Redis
  readonly #prefix: string
  readonly #log: Log
  readonly #listeners = new Map<string, Set<(body: unknown, from: string) => void>>()
  readonly #handlers = new Map<string, (body: unknown) => Promise<unknown>>()
  /** When each other node sent something last, `performance.now()`. */
  readonly #seenAt = new Map<string, number>()
  readonly #changeListeners = new Set<(id: string, isHere: boolean) => void>()
  readonly #pending = new Map<string, PendingRequest>()
  readonly #heartbeats: NodeJS.Timeout
  #isClosed = false
  /** From then on every live node has had the time to send a heartbeat, `performance.now()`. */
  #knowsAllAt = Number.POSITIVE_INFINITY

  constructor({ redis, prefix, log }: NodesOptions) {
    this.#redis = redis
    this.#prefix = prefix
    this.#log = log
    this.#heartbeats = setInterval(() => this.#onHeartbeat(), HEARTBEAT_EVERY_MS)
    this.#heartbeats.unref()
    redis.onChange((connected) => {
      this.#knowsAllAt = connected ? performance.now() + 2 * HEARTBEAT_EVERY_MS : Number.POSITIVE_INFINITY
      if (connected) this.#sendHeartbeat()
    })
    const onText = (text: string) => this.#guarded(() => this.#receive(text))
    void redis.subscribe(this.#channelOf(this.id), onText)
    redis.subscribe(this.#allChannel, onText).then(() => this.#sendHeartbeat())
  }

  broadcast(kind: string, body: unknown): void {
    this.#send(this.#allChannel, kind, body)
  }

  onMessage(kind: string, listener: (body: unknown, from: string) => void): () => void {
    const listeners = this.#listeners.get(kind) ?? new Set()
    this.#listeners.set(kind, listeners)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  async request(node: string, kind: string, body: unknown, withinMs: number): Promise<unknown> {
    if (!this.#redis.isConnected()) return null
    if (!this.#seenAt.has(node) && performance.now() > this.#knowsAllAt) return null
    const key = ids.uuid()
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(null), withinMs)
      const done = (answer: unknown) => {
        clearTimeout(timer)
        this.#pending.delete(key)
        resolve(answer)
      }
      this.#pending.set(key, { node, done })
      this.#send(this.#channelOf(node), kind, body, key)
    })
  }

  onRequest(kind: string, handler: (body: unknown) => Promise<unknown>): () => void {
    this.#handlers.set(kind, handler)
    return () => void this.#handlers.delete(kind)
  }

  isConnected(): boolean {
    return this.#redis.isConnected()
  }

  others(): readonly string[] {
    return [...this.#seenAt.keys()]
  }

  onChange(listener: (id: string, isHere: boolean) => void): () => void {
    this.#changeListeners.add(listener)
    return () => void this.#changeListeners.delete(listener)
  }

  close(): void {
    this.#send(this.#allChannel, GONE, null)
    this.#isClosed = true
    clearInterval(this.#heartbeats)
  }

  get #allChannel(): string {
    return `${this.#prefix}nodes`
  }

  #channelOf(node: string): string {
    return `${this.#prefix}node:${node}`
  }

  #sendHeartbeat(): void {
    this.#send(this.#allChannel, HEARTBEAT, null)
  }

  #onHeartbeat(): void {
    const now = performance.now()
    for (const [node, at] of this.#seenAt) if (now - at > LOST_AFTER_MS) this.#remove(node)
    this.#sendHeartbeat()
  }

  #send(channel: string, kind: string, body: unknown, ask?: string): void {
    if (this.#isClosed) return
    const message = { from: this.id, kind, body, ...(ask && { ask }) } satisfies NodeMessage
    this.#redis.publish(channel, JSON.stringify(message))
  }

  #receive(text: string): void {
    const { from, kind, body, ask } = JSON.parse(text) as NodeMessage
    if (from === this.id || this.#isClosed) return
    if (kind === GONE) return this.#remove(from)
    this.#markSeen(from)
    if (kind === ANSWER) this.#pending.get(ask ?? '')?.done(body)
    else if (ask) this.#answer(kind, body, from, ask)
    else for (const listener of this.#listeners.get(kind) ?? []) this.#guarded(() => listener(body, from))
  }

  #answer(kind: string, body: unknown, to: string, ask: string): void {
    const handler = this.#handlers.get(kind)
    const handled = handler ? handler(body) : Promise.resolve(null)
    handled.then(
      (answer) => this.#send(this.#channelOf(to), ANSWER, answer ?? null, ask),
      (error: unknown) => {
        this.#log.warn({ err: error, kind }, 'another node could not be answered')
        this.#send(this.#channelOf(to), ANSWER, null, ask)
      },
    )
  }

  #markSeen(node: string): void {
    const isNew = !this.#seenAt.has(node)
    this.#seenAt.set(node, performance.now())
    if (!isNew) return
    // So that the new node learns of this one before the next heartbeat.
    this.#sendHeartbeat()
    this.#notifyChange(node, true)
  }

  #remove(node: string): void {
    if (!this.#seenAt.delete(node)) return
    for (const pending of this.#pending.values()) if (pending.node === node) pending.done(null)
    this.#notifyChange(node, false)
  }

  #notifyChange(node: string, isHere: boolean): void {
    for (const listener of this.#changeListeners) this.#guarded(() => listener(node, isHere))
  }

  #guarded(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#log.error({ err: error }, 'a word of another node could not be received')
    }
  }
}
