/**
 * What a line may have to hear again: references to events, with the time each was first sent. A ring, so that a
 * delivery costs a slot and no object. Every delivery to every line comes by here: it touches one place of the ring.
 */
import type { SharedEvent } from './frames.ts'

const FIRST_ROOM = 8
/** Times are kept as what a small integer can hold, ms from here. */
const EPOCH_MS = Date.now()

export class Replay {
  /** Together the sizes of the events held, bytes. */
  bytes = 0
  length = 0
  /** An event and its time, side by side. */
  #slots: (SharedEvent | number | null)[] = []
  /** Where the oldest is. */
  #head = 0

  /** The n-th oldest; `index` is below `length`. */
  event(index: number): SharedEvent {
    return this.#slots[this.#at(index)] as SharedEvent
  }

  /** When the n-th oldest was first sent, ms. */
  sentAt(index: number): number {
    return (this.#slots[this.#at(index) + 1] as number) + EPOCH_MS
  }

  push(event: SharedEvent, now: number): void {
    if (this.length * 2 === this.#slots.length) this.#grow()
    const slot = this.#at(this.length)
    this.#slots[slot] = event
    this.#slots[slot + 1] = now - EPOCH_MS
    this.length += 1
    this.bytes += event.size
  }

  #at(index: number): number {
    return ((this.#head + index) * 2) & (this.#slots.length - 1)
  }

  /** Lets the oldest go, as many as there are at most. */
  drop(count: number): void {
    const most = Math.min(count, this.length)
    for (let n = 0; n < most; n += 1) {
      this.bytes -= this.event(0).size
      this.#slots[this.#at(0)] = null
      this.#head = (this.#head + 1) & (this.#slots.length / 2 - 1)
      this.length -= 1
    }
  }

  #grow(): void {
    const slots = new Array<SharedEvent | number | null>(Math.max(FIRST_ROOM, this.length * 2) * 2).fill(null)
    for (let index = 0; index < this.length; index += 1) {
      slots[index * 2] = this.event(index)
      slots[index * 2 + 1] = this.sentAt(index) - EPOCH_MS
    }
    this.#slots = slots
    this.#head = 0
  }
}
