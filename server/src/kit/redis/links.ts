/** A Redis of one server or of several: what both have in common. */
import type { Link, Script } from './link.ts'

export interface Redis {
  /**
   * True while what is published arrives: on all servers of a cluster, and for all channels that are
   * subscribed to.
   */
  isConnected(): boolean
  /**
   * Called when `isConnected` has changed, with `why` it is away where that is known. Whatever was published
   * before it is connected again may be lost.
   */
  onChange(listener: (connected: boolean, why: Error | null) => void): void
  /** Publishes to a channel. `onLost` is called when the message may be lost. Never throws. */
  publish(channel: string, text: string, onLost?: () => void): void
  /**
   * Subscribes to a channel; effective when it resolves and while Redis is connected. One listener per
   * channel. Never rejects.
   */
  subscribe(channel: string, listener: (text: string) => void): Promise<void>
  unsubscribe(channel: string): void
  /**
   * Runs a Lua script. Its keys have one slot, which keys have that share what is in their first braces.
   * @throws when the server that has the keys is disconnected or slow
   */
  runScript(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>
  close(): void
}

/** Each channel and each key lies on one server, to which there is a link. */
export abstract class RedisLinks implements Redis {
  readonly #listeners = new Map<string, (text: string) => void>()
  readonly #changeListeners = new Set<(connected: boolean, why: Error | null) => void>()
  #connected = false
  #closed = false

  /** All servers. */
  protected abstract links(): Iterable<Link>
  /** The server of a channel or key; undefined while none is known. */
  protected abstract linkOf(key: string): Link | undefined
  /** Whether it is known which server has which channel. */
  protected abstract isMapped(): boolean

  isConnected(): boolean {
    return this.#connected
  }

  onChange(listener: (connected: boolean, why: Error | null) => void): void {
    this.#changeListeners.add(listener)
  }

  publish(channel: string, text: string, onLost?: () => void): void {
    const link = this.linkOf(channel)
    if (link) link.publish(channel, text, onLost)
    else onLost?.()
  }

  async subscribe(channel: string, listener: (text: string) => void): Promise<void> {
    this.#listeners.set(channel, listener)
    await this.linkOf(channel)?.subscribe(channel)
  }

  unsubscribe(channel: string): void {
    if (this.#listeners.delete(channel)) this.linkOf(channel)?.unsubscribe(channel)
  }

  async runScript(
    script: Script,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> {
    const link = this.linkOf(keys[0] ?? '')
    if (!link) throw new Error('redis is away')
    return link.runScript(script, keys, values)
  }

  close(): void {
    this.#closed = true
    this.#connected = false
    for (const link of this.links()) link.close()
  }

  protected get isClosed(): boolean {
    return this.#closed
  }

  /** All that is subscribed to. */
  protected channels(): readonly string[] {
    return [...this.#listeners.keys()]
  }

  protected receive(channel: string, text: string): void {
    this.#listeners.get(channel)?.(text)
  }

  /** To be called when a link, or what is known of the servers, has changed. */
  protected update(why: Error | null): void {
    const connected = this.isMapped() && [...this.links()].every((link) => link.isConnected())
    if (this.#closed || connected === this.#connected) return
    this.#connected = connected
    for (const listener of this.#changeListeners) listener(connected, why)
  }
}
