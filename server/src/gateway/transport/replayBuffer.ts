/**
 * The replay buffer of one session: a ring of event-pool numbers. Every delivery to every session writes one
 * slot of a ring.
 */
import type { EventPool } from './eventPool.ts'
import type { SharedFrame } from './sharedFrame.ts'

const INITIAL_CAPACITY = 16
const EMPTY = new Uint32Array(0)

export class ReplayBuffer {
  /** The sizes of the events together, bytes. */
  bytes = 0
  length = 0
  #ring = EMPTY
  /** The slot of the oldest event. */
  #head = 0
  readonly #pool: EventPool

  constructor(pool: EventPool) {
    this.#pool = pool
  }

  /** The n-th oldest; `index` is below `length`. */
  event(index: number): SharedFrame {
    return this.#pool.event(this.#number(index))
  }

  /** When the n-th oldest was first sent, ms. */
  sentAt(index: number): number {
    return this.#pool.sentAt(this.#number(index))
  }

  /** Appends an event of the pool. */
  push(number: number): void {
    if (this.length === this.#ring.length) this.#grow()
    this.#ring[(this.#head + this.length) & (this.#ring.length - 1)] = number
    this.length += 1
    this.bytes += this.#pool.size(number)
    this.#pool.retain(number)
  }

  /** Drops the oldest `count` events, or all when there are fewer. */
  drop(count: number): void {
    const most = Math.min(count, this.length)
    for (let n = 0; n < most; n += 1) {
      const number = this.#number(0)
      this.bytes -= this.#pool.size(number)
      this.#pool.release(number)
      this.#head = (this.#head + 1) & (this.#ring.length - 1)
      this.length -= 1
    }
  }

  #number(index: number): number {
    return this.#ring[(this.#head + index) & (this.#ring.length - 1)]!
  }

  #grow(): void {
    const ring = new Uint32Array(Math.max(INITIAL_CAPACITY, this.length * 2))
    for (let index = 0; index < this.length; index += 1) ring[index] = this.#number(index)
    this.#ring = ring
    this.#head = 0
  }
}
