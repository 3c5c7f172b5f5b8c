/**
 * Events that lines may have to hear again: each is kept once, under a number, until the last line lets go of it. A
 * thousand lines note numbers and not objects: four bytes for each, and nothing there for the garbage collector to
 * visit, which otherwise took tens of milliseconds from whoever wanted to speak.
 */
import type { SharedEvent } from './frames.ts'

const FIRST_ROOM = 64

export class HeldEvents {
  readonly #events: (SharedEvent | null)[] = []
  /** By the number of an event: who holds it, its size in bytes, and when it was first sent, ms. */
  #holders = new Uint32Array(FIRST_ROOM)
  #sizes = new Uint32Array(FIRST_ROOM)
  #times = new Float64Array(FIRST_ROOM)
  /** Numbers that nobody holds. */
  readonly #free: number[] = []

  /** Keeps an event that is sent `at`, ms. Whoever calls holds it, and has to `release` it. */
  keep(event: SharedEvent, at: number): number {
    const number = this.#free.pop() ?? this.#events.length
    if (number === this.#holders.length) this.#grow()
    this.#events[number] = event
    this.#holders[number] = 1
    this.#sizes[number] = event.size
    this.#times[number] = at
    return number
  }

  hold(number: number): void {
    this.#holders[number]! += 1
  }

  release(number: number): void {
    this.#holders[number]! -= 1
    if (this.#holders[number] !== 0) return
    this.#events[number] = null
    this.#free.push(number)
  }

  /** An event that is held. */
  event(number: number): SharedEvent {
    return this.#events[number]!
  }

  size(number: number): number {
    return this.#sizes[number]!
  }

  sentAt(number: number): number {
    return this.#times[number]!
  }

  /** How many are held. */
  get count(): number {
    return this.#events.length - this.#free.length
  }

  #grow(): void {
    const room = this.#holders.length * 2
    this.#holders = enlarged(this.#holders, new Uint32Array(room))
    this.#sizes = enlarged(this.#sizes, new Uint32Array(room))
    this.#times = enlarged(this.#times, new Float64Array(room))
  }
}

function enlarged<T extends Uint32Array | Float64Array>(from: T, into: T): T {
  into.set(from)
  return into
}
