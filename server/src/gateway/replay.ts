/**
 * What a line may have to hear again: references to events, with the time each was first sent. A ring, so that a
 * delivery costs a slot and no object, and letting the oldest go costs nothing more.
 */
import type { SharedEvent } from './frames.ts'

const FIRST_ROOM = 8

export class Replay {
  /** Together the sizes of the events held, bytes. */
  bytes = 0
  length = 0
  #events: (SharedEvent | null)[] = []
  #times: number[] = []
  /** Where the oldest is. */
  #head = 0

  /** The n-th oldest; `index` is below `length`. */
  event(index: number): SharedEvent {
    return this.#events[(this.#head + index) & (this.#events.length - 1)]!
  }

  /** When the n-th oldest was first sent, ms. */
  sentAt(index: number): number {
    return this.#times[(this.#head + index) & (this.#times.length - 1)]!
  }

  push(event: SharedEvent, now: number): void {
    if (this.length === this.#events.length) this.#grow()
    const slot = (this.#head + this.length) & (this.#events.length - 1)
    this.#events[slot] = event
    this.#times[slot] = now
    this.length += 1
    this.bytes += event.size
  }

  /** Lets the oldest go, as many as there are at most. */
  drop(count: number): void {
    const most = Math.min(count, this.length)
    for (let n = 0; n < most; n += 1) {
      this.bytes -= this.event(0).size
      this.#events[this.#head] = null
      this.#head = (this.#head + 1) & (this.#events.length - 1)
      this.length -= 1
    }
  }

  #grow(): void {
    const room = Math.max(FIRST_ROOM, this.#events.length * 2)
    const events = new Array<SharedEvent | null>(room).fill(null)
    const times = new Array<number>(room).fill(0)
    for (let index = 0; index < this.length; index += 1) {
      events[index] = this.event(index)
      times[index] = this.sentAt(index)
    }
    this.#events = events
    this.#times = times
    this.#head = 0
  }
}
