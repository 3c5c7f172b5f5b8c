/**
 * What connects this process to one Redis server: a connection that publishes, one that subscribes, and the
 * heartbeat between them. Nothing here waits longer than `answerWithinMs`, nothing is queued, and both
 * connect again by themselves.
 */
import { ANSWER_WITHIN_MS, type Client, newPublisher, newSubscriber } from './client.ts'
import { readSlotMap, type SlotMap, slotOf } from './slots.ts'

/** The heartbeat that shows that both connections work, ms. */
const HEARTBEAT_EVERY_MS = 1_000
const HEARTBEAT_WITHIN_MS = 3_000
/** Messages that Redis has not confirmed; further ones are lost. */
const PENDING_MAX = 20_000

/** A Lua script; Redis caches it after the first run. */
export interface Script {
  readonly name: string
  readonly lua: string
}

export interface LinkOptions {
  readonly url: string
  /** How long a command may take, ms. */
  readonly answerWithinMs: number
  /**
   * The server is one of a cluster and has the channels of its slots alone: what others publish elsewhere
   * does not come here.
   */
  readonly isShard: boolean
  readonly heartbeatChannel: string
  /** What is to be subscribed to at this server. */
  channels(): readonly string[]
  receive(channel: string, text: string): void
  /** `isConnected` has changed; `why` it is away, where that is known. */
  onChange(why: Error | null): void
  /** The server does not have a slot, or not any more: subscriptions may be lost until `resubscribe`. */
  onMoved(): void
}

export class Link {
  readonly url: string
  readonly #options: LinkOptions
  readonly #publisher: Client
  readonly #subscriber: Client
  readonly #heartbeats: NodeJS.Timeout
  /** Names of the scripts that the client knows. */
  readonly #scripts = new Set<string>()
  #heartbeatChannel: string
  #connected = false
  #closed = false
  #pending = 0
  /** Counts the times when everything was subscribed to; the last of them, once it is confirmed. */
  #subscription = 0
  #confirmed = 0
  /** When the last heartbeat arrived, and when the one that is under way was sent; ms. */
  #receivedAt = 0
  #sentAt = 0
  #lastError: Error | null = null

  constructor(options: LinkOptions) {
    this.url = options.url
    this.#options = options
    this.#heartbeatChannel = options.heartbeatChannel
    this.#publisher = newPublisher(options.url, options.answerWithinMs)
    this.#subscriber = newSubscriber(options.url)
    for (const client of [this.#publisher, this.#subscriber]) this.#connect(client)
    const receive = (channel: string, text: string) => this.#receive(channel, text)
    this.#subscriber.on(options.isShard ? 'smessage' : 'message', receive)
    this.#subscriber.on('ready', () => this.#subscribeToAll())
    // The server ends the subscriptions of a slot that it gives away.
    this.#subscriber.on('moved', () => this.#onMoved())
    this.#heartbeats = setInterval(() => this.#sendHeartbeat(), HEARTBEAT_EVERY_MS)
    this.#heartbeats.unref()
  }

  /** True while what is published here arrives here, and all `channels` are subscribed to. */
  isConnected(): boolean {
    return this.#connected
  }

  /** Publishes to a channel. `onLost` is called when the message may be lost. Never throws. */
  publish(channel: string, text: string, onLost?: () => void): void {
    if (this.#publisher.status !== 'ready' || this.#pending >= PENDING_MAX) return onLost?.()
    this.#pending += 1
    const published = this.#options.isShard
      ? this.#publisher.spublish(channel, text)
      : this.#publisher.publish(channel, text)
    published.then(
      () => {
        this.#pending -= 1
      },
      (error: Error) => {
        this.#pending -= 1
        if (isMoved(error)) this.#onMoved()
        onLost?.()
      },
    )
  }

  /** Effective when it resolves, and while it is connected. Never rejects. */
  async subscribe(channel: string): Promise<void> {
    if (this.#subscriber.status !== 'ready') return
    await this.#subscribe([channel]).catch((error: Error) => this.#onRefused(error))
  }

  unsubscribe(channel: string): void {
    if (this.#subscriber.status !== 'ready') return
    const unsubscribed = this.#options.isShard
      ? this.#subscriber.sunsubscribe(channel)
      : this.#subscriber.unsubscribe(channel)
    unsubscribed.catch(() => undefined)
  }

  /** Subscribes to what it lacks of `channels`, and is not connected until that is confirmed. */
  resubscribe(heartbeatChannel: string): void {
    this.#heartbeatChannel = heartbeatChannel
    if (this.#subscriber.status === 'ready') this.#subscribeToAll()
  }

  /** @throws when Redis is disconnected or slow */
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
    return commands[name]!(keys.length, ...keys, ...values).catch((error: Error) => {
      if (isMoved(error)) this.#onMoved()
      throw error
    })
  }

  /** Null while the server is away. */
  async slotMap(): Promise<SlotMap | null> {
    if (this.#publisher.status !== 'ready') return null
    return readSlotMap(this.#publisher, this.url).catch(() => null)
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
    this.#options.onChange(connected ? null : this.#lastError)
    this.#lastError = null
  }

  #subscribeToAll(): void {
    this.#subscription += 1
    const subscription = this.#subscription
    this.#sentAt = 0
    this.#setConnected(false)
    const subscribed = this.#subscribed()
    const channels = [this.#heartbeatChannel, ...this.#options.channels()]
    this.#subscribe(channels.filter((channel) => !subscribed.has(channel))).then(
      () => {
        this.#confirmed = subscription
        this.#sendHeartbeat()
      },
      (error: Error) => this.#onRefused(error),
    )
  }

  /** What the open connection is subscribed to, without what the server has ended by itself. */
  #subscribed(): ReadonlySet<string> {
    const known = this.#subscriber.condition?.subscriber
    return new Set(known ? known.channels(this.#options.isShard ? 'ssubscribe' : 'subscribe') : [])
  }

  async #subscribe(channels: readonly string[]): Promise<void> {
    if (!this.#options.isShard) return void (await this.#subscriber.subscribe(...channels))
    // The channels of one command must have one slot.
    const groups = [...Map.groupBy(channels, slotOf).values()]
    await Promise.all(groups.map((group) => this.#subscriber.ssubscribe(...group)))
  }

  #onRefused(error: Error): void {
    if (isMoved(error)) this.#onMoved()
    // A new connection subscribes to everything again; one that is open and refuses to subscribe is broken.
    else if (!this.#closed && this.#subscriber.status === 'ready') this.#subscriber.disconnect(true)
  }

  #onMoved(): void {
    if (!this.#closed && this.#options.isShard) this.#options.onMoved()
  }

  #receive(channel: string, text: string): void {
    if (channel !== this.#heartbeatChannel) return this.#options.receive(channel, text)
    this.#receivedAt = performance.now()
    // Not earlier: other messages may have been sent before the disconnection.
    if (this.#confirmed === this.#subscription) this.#setConnected(true)
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

/** Another server has the slot. */
const isMoved = ({ message }: Error): boolean => message.startsWith('MOVED ')
