/**
 * Collections for entries that are added and removed many times a second. When a `Map` or `Set` rehashes, V8
 * links the old table to the new one. Once an old table is in the old generation, everything in it and in all
 * later tables stays in memory until a full garbage collection. These collections avoid rehashing.
 */

/** An item of a `ChurnSet` and its position there; -1 while it is in none. */
export interface ChurnItem {
  slot: number
}

/** Unordered. Deleting an item during an iteration may skip another one. */
export class ChurnSet<T extends ChurnItem> {
  readonly #items: T[] = []

  get size(): number {
    return this.#items.length
  }

  add(item: T): void {
    if (item.slot !== -1) return
    item.slot = this.#items.length
    this.#items.push(item)
  }

  delete(item: T): void {
    if (this.#items[item.slot] !== item) return
    const last = this.#items.pop()!
    if (last !== item) {
      this.#items[item.slot] = last
      last.slot = item.slot
    }
    item.slot = -1
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items[Symbol.iterator]()
  }
}

/** Deleted keys that are kept before the map is rebuilt. */
const DELETED_MAX = 256

/** A deleted key keeps its slot for a later value; when there are many, the map is rebuilt without them. */
export class ChurnMap<K extends string | number, V> {
  #values = new Map<K, V | undefined>()
  #deleted = 0

  get size(): number {
    return this.#values.size - this.#deleted
  }

  get(key: K): V | undefined {
    return this.#values.get(key)
  }

  set(key: K, value: V): void {
    if (this.#values.get(key) === undefined && this.#values.has(key)) this.#deleted -= 1
    this.#values.set(key, value)
  }

  delete(key: K): void {
    if (this.#values.get(key) === undefined) return
    this.#values.set(key, undefined)
    this.#deleted += 1
    if (this.#deleted <= DELETED_MAX || this.#deleted <= this.size) return
    this.#values = new Map([...this.#values].filter(([, value]) => value !== undefined))
    this.#deleted = 0
  }
}
