/** Work that takes a processor for long: little of it at once, and one key after the other. */

export class Turns {
  readonly #most: number
  /** What waits, by key; the first key is the next. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #running = 0

  /** `most`: how much runs at once. */
  constructor(most: number) {
    this.#most = most
  }

  /** Runs `work` when it is the turn of its key. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) this.#running += 1
    else await new Promise<void>((start) => this.#wait(key, start))
    try {
      return await work()
    } finally {
      this.#startNext()
    }
  }

  #wait(key: string, start: () => void): void {
    const mine = this.#waiting.get(key)
    if (mine) mine.push(start)
    else this.#waiting.set(key, [start])
  }

  /** The position of what ended goes to the next key, which then stands behind all others. */
  #startNext(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#running -= 1
      return
    }
    const [key, mine] = next
    this.#waiting.delete(key)
    const start = mine.shift()
    if (mine.length > 0) this.#waiting.set(key, mine)
    start?.()
  }
}
