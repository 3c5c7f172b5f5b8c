/**
 * Collections for what comes and goes many times a second. When the table of a `Map` or a `Set` is outgrown or full of
 * holes, the engine makes another one and links the two. Once one of them is old, everything that was ever in it and
 * in all that follow is carried along, dead, until the whole heap is collected. Here no such chain grows.
 */

/** Something that stands in a `ChurnSet`, and where: -1 while it is in none. */
export interface ChurnItem {
  slot: number
}

/** In no order. What leaves while somebody goes through it may hide another one from them. */
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

/** So many keys stay behind without a value before they are swept out. */
const LEFT_MAX = 256

/** A key whose value has gone keeps its place for the next one; when many are left so, a new table is begun. */
export class ChurnMap<K extends string | number, V> {
  #values = new Map<K, V | undefined>()
  #left = 0

  get size(): number {
    return this.#values.size - this.#left
  }

  get(key: K): V | undefined {
    return this.#values.get(key)
  }

  set(key: K, value: V): void {
    if (this.#values.get(key) === undefined && this.#values.has(key)) this.#left -= 1
    this.#values.set(key, value)
  }

  delete(key: K): void {
    if (this.#values.get(key) === undefined) return
    this.#values.set(key, undefined)
    this.#left += 1
    if (this.#left <= LEFT_MAX || this.#left <= this.size) return
    this.#values = new Map([...this.#values].filter(([, value]) => value !== undefined))
    this.#left = 0
  }
}
