/**
 * What a line may have to hear again: the numbers of events that are held, in a ring. Every delivery to every line
 * comes by here: it touches one place of the ring.
 */

import type { HeldEvents } from './eventPool.ts'
import type { SharedEvent } from './frames.ts'

const FIRST_ROOM = 16
const NOTHING = new Uint32Array(0)

export class Replay {
  /** Together the sizes of the events held, bytes. */
  bytes = 0
  length = 0
  #ring = NOTHING
  /** Where the oldest is. */
  #head = 0
  readonly #held: HeldEvents

  constructor(held: HeldEvents) {
    this.#held = held
  }

  /** The n-th oldest; `index` is below `length`. */
  event(index: number): SharedEvent {
    return this.#held.event(this.#number(index))
  }

  /** When the n-th oldest was first sent, ms. */
  sentAt(index: number): number {
    return this.#held.sentAt(this.#number(index))
  }

  /** Holds one more event that is held. */
  push(number: number): void {
    if (this.length === this.#ring.length) this.#grow()
    this.#ring[(this.#head + this.length) & (this.#ring.length - 1)] = number
    this.length += 1
    this.bytes += this.#held.size(number)
    this.#held.hold(number)
  }

  /** Lets the oldest go, as many as there are at most. */
  drop(count: number): void {
    const most = Math.min(count, this.length)
    for (let n = 0; n < most; n += 1) {
      const number = this.#number(0)
      this.bytes -= this.#held.size(number)
      this.#held.release(number)
      this.#head = (this.#head + 1) & (this.#ring.length - 1)
      this.length -= 1
    }
  }

  #number(index: number): number {
    return this.#ring[(this.#head + index) & (this.#ring.length - 1)]!
  }

  #grow(): void {
    const ring = new Uint32Array(Math.max(FIRST_ROOM, this.length * 2))
    for (let index = 0; index < this.length; index += 1) ring[index] = this.#number(index)
    this.#ring = ring
    this.#head = 0
  }
}
