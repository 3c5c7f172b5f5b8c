/**
 * The event pool: events that sessions may have to replay, each stored once under a number until the last
 * session releases it. Sessions store numbers instead of references: four bytes each, which the garbage
 * collector does not visit.
 */
import type { SharedFrame } from './sharedFrame.ts'

const INITIAL_CAPACITY = 64

export class EventPool {
  readonly #events: (SharedFrame | null)[] = []
  /** By number: how many hold the event, its size in bytes, and when it was first sent, ms. */
  #references = new Uint32Array(INITIAL_CAPACITY)
  #sizes = new Uint32Array(INITIAL_CAPACITY)
  #times = new Float64Array(INITIAL_CAPACITY)
  /** Numbers that are not in use. */
  readonly #free: number[] = []

  /** Stores an event that is sent `at`, ms, with one reference, which the caller has to `release`. */
  add(event: SharedFrame, at: number): number {
    const number = this.#free.pop() ?? this.#events.length
    if (number === this.#references.length) this.#grow()
    this.#events[number] = event
    this.#references[number] = 1
    this.#sizes[number] = event.size
    this.#times[number] = at
    return number
  }

  /** Adds a reference. */
  retain(number: number): void {
    this.#references[number]! += 1
  }

  /** Removes a reference; without any, the event is dropped. */
  release(number: number): void {
    this.#references[number]! -= 1
    if (this.#references[number] !== 0) return
    this.#events[number] = null
    this.#free.push(number)
  }

  /** A stored event. */
  event(number: number): SharedFrame {
    return this.#events[number]!
  }

  size(number: number): number {
    return this.#sizes[number]!
  }

  sentAt(number: number): number {
    return this.#times[number]!
  }

  /** The number of stored events. */
  get count(): number {
    return this.#events.length - this.#free.length
  }

  #grow(): void {
    const capacity = this.#references.length * 2
    this.#references = enlarged(this.#references, new Uint32Array(capacity))
    this.#sizes = enlarged(this.#sizes, new Uint32Array(capacity))
    this.#times = enlarged(this.#times, new Float64Array(capacity))
  }
}

function enlarged<T extends Uint32Array | Float64Array>(from: T, into: T): T {
  into.set(from)
  return into
}
