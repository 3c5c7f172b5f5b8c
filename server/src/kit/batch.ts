/** Batches: concurrent items share round trips to the database. */
import { fail } from '@guildhall/wire/failure.ts'
import { ChurnMap } from './churnCollections.ts'
import { isUnavailable } from './database/db.ts'

/** A batcher: combines concurrent items into few round trips. */
export interface Batcher<I, O> {
  /**
   * Resolves with the item's result, or rejects for this item alone: with `unavailable` when too many wait
   * already.
   */
  submit(item: I): Promise<O>
  /** Items that are not in a batch yet. */
  waiting(): number
}

/** An item and its caller. */
interface QueuedItem<I, O> {
  readonly item: I
  readonly resolve: (value: O) => void
  readonly reject: (error: unknown) => void
}

/** The items of one key in order; `isBusy` while some of them are in a batch. */
interface Queue<I, O> {
  readonly key: string
  readonly items: QueuedItem<I, O>[]
  isBusy: boolean
}

/**
 * Items submitted in one turn of the event loop run at once; while `lanes` batches are running, items are
 * collected and run when one returns. `run` returns one value per item, in order. Items with the same `keyOf`
 * are never in two batches at the same time and keep their order. A batch takes up to `most` items and, after
 * the first, up to
 * `mostBytes` of their `bytesOf`. When the database rejects a batch, each of its items runs alone, so that a
 * bad one fails by itself; when the database is unavailable, all of them fail.
 */
export const openBatcher = <I, O>(options: BatcherOptions<I, O>): Batcher<I, O> => new QueuedBatcher(options)

export interface BatcherOptions<I, O> {
  readonly run: (items: readonly I[]) => Promise<readonly O[]>
  readonly keyOf: (item: I) => string
  readonly most: number
  readonly lanes: number
  readonly bytesOf?: (item: I) => number
  readonly mostBytes?: number
  /** Items that may wait; a further one is rejected at once. */
  readonly mostWaiting?: number
  /** Called with the size of each batch when it starts. */
  readonly onBatch?: (size: number) => void
}

class QueuedBatcher<I, O> implements Batcher<I, O> {
  readonly #options: BatcherOptions<I, O>
  readonly #queues = new ChurnMap<string, Queue<I, O>>()
  /** Queues that may run, longest waiting first. */
  readonly #ready: Queue<I, O>[] = []
  #waiting = 0
  #running = 0
  #isScheduled = false

  constructor(options: BatcherOptions<I, O>) {
    this.#options = options
  }

  waiting(): number {
    return this.#waiting
  }

  submit(item: I): Promise<O> {
    const { keyOf, mostWaiting = Number.POSITIVE_INFINITY } = this.#options
    return new Promise((resolve, reject) => {
      if (this.#waiting >= mostWaiting) return reject(fail('unavailable'))
      const key = keyOf(item)
      let queue = this.#queues.get(key)
      if (!queue) {
        queue = { key, items: [], isBusy: false }
        this.#queues.set(key, queue)
      }
      queue.items.push({ item, resolve, reject })
      this.#waiting += 1
      if (!queue.isBusy && queue.items.length === 1) this.#ready.push(queue)
      this.#schedule()
    })
  }

  #schedule(): void {
    const { lanes } = this.#options
    if (this.#isScheduled || this.#ready.length === 0 || this.#running >= lanes) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      while (this.#ready.length > 0 && this.#running < lanes) void this.#runBatch(...this.#nextBatch())
    })
  }

  #nextBatch(): [batch: QueuedItem<I, O>[], from: Queue<I, O>[]] {
    const { most, bytesOf = () => 0, mostBytes = Number.POSITIVE_INFINITY } = this.#options
    const batch: QueuedItem<I, O>[] = []
    let bytes = 0
    let taken = 0
    for (const queue of this.#ready) {
      let count = 0
      for (const { item } of queue.items) {
        if (batch.length + count >= most) break
        bytes += bytesOf(item)
        if (bytes > mostBytes && batch.length + count > 0) break
        count += 1
      }
      if (count === 0) break
      batch.push(...queue.items.splice(0, count))
      queue.isBusy = true
      taken += 1
      if (batch.length >= most || bytes > mostBytes) break
    }
    this.#waiting -= batch.length
    return [batch, this.#ready.splice(0, taken)]
  }

  async #runBatch(batch: readonly QueuedItem<I, O>[], from: readonly Queue<I, O>[]): Promise<void> {
    this.#running += 1
    this.#options.onBatch?.(batch.length)
    try {
      await this.#runItems(batch)
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error)
      else for (const item of batch) await this.#runItems([item]).catch(item.reject)
    }
    this.#running -= 1
    for (const queue of from) {
      queue.isBusy = false
      if (queue.items.length > 0) this.#ready.push(queue)
      else this.#queues.delete(queue.key)
    }
    this.#schedule()
  }

  async #runItems(batch: readonly QueuedItem<I, O>[]): Promise<void> {
    const results = await this.#options.run(batch.map(({ item }) => item))
    if (results.length !== batch.length) throw new Error('a batch answers one value per item')
    for (const [index, { resolve }] of batch.entries()) resolve(results[index]!)
  }
}
