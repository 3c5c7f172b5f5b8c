/** Finds many words in one pass: the automaton of Aho and Corasick over code points. */

interface Node {
  readonly next: Map<number, number>
  fail: number
  /** The word that ends here; -1: none. */
  word: number
  /** The nearest node on the way of `fail` at which a word ends; -1: none. */
  shorter: number
}

const ROOT = 0

export class Automaton {
  readonly #nodes: Node[] = [newNode()]
  readonly #lengths: number[] = []

  /** Words by their number; no two are equal. */
  constructor(words: readonly (readonly number[])[]) {
    words.forEach((word, number) => {
      this.#lengths.push(word.length)
      if (word.length > 0) this.#add(word, number)
    })
    this.#link()
  }

  get isEmpty(): boolean {
    return this.#nodes.length === 1
  }

  /**
   * Calls `found` with each word and the indexes of its first and last code, in the order of the last.
   * `found` ends the search by false.
   */
  run(codes: readonly number[], found: (word: number, first: number, last: number) => boolean): void {
    let state = ROOT
    for (let at = 0; at < codes.length; at += 1) {
      state = this.#step(state, codes[at]!)
      for (let end = this.#endOf(state); end !== -1; end = this.#nodes[end]!.shorter) {
        const { word } = this.#nodes[end]!
        if (!found(word, at - this.#lengths[word]! + 1, at)) return
      }
    }
  }

  #step(from: number, code: number): number {
    for (let state = from; ; state = this.#nodes[state]!.fail) {
      const next = this.#nodes[state]!.next.get(code)
      if (next !== undefined) return next
      if (state === ROOT) return ROOT
    }
  }

  #endOf(state: number): number {
    const { word, shorter } = this.#nodes[state]!
    return word === -1 ? shorter : state
  }

  #add(word: readonly number[], number: number): void {
    let at = ROOT
    for (const code of word) {
      let next = this.#nodes[at]!.next.get(code)
      if (next === undefined) {
        next = this.#nodes.push(newNode()) - 1
        this.#nodes[at]!.next.set(code, next)
      }
      at = next
    }
    this.#nodes[at]!.word = number
  }

  /** Breadth first, so that a node's shorter ways are linked before it. */
  #link(): void {
    const queue = [...this.#nodes[ROOT]!.next.values()]
    for (let head = 0; head < queue.length; head += 1) {
      const at = queue[head]!
      for (const [code, next] of this.#nodes[at]!.next) {
        const fail = this.#step(this.#nodes[at]!.fail, code)
        this.#nodes[next]!.fail = fail
        this.#nodes[next]!.shorter = this.#endOf(fail)
        queue.push(next)
      }
    }
  }
}

const newNode = (): Node => ({ next: new Map(), fail: ROOT, word: -1, shorter: -1 })
