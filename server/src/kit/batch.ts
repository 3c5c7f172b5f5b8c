import { fail } from '@guildhall/wire/failure.ts'
import { ChurnMap } from './churnCollections.ts'
import { isUnavailable } from './db.ts'

/** A batcher: combines concurrent items into few round trips. */
export interface Batcher<I, O> {
  /** Resolves with the item's result, or rejects for this item alone: with `unavailable` when too many wait already. */
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
 * Items submitted in one turn of the event loop run at once; while `lanes` batches are running, items are collected and
 * run when one returns. `run` returns one value per item, in order. Items with the same `keyOf` are never in two
 * batches at the same time and keep their order. A batch takes up to `most` items and, after the first, up to
 * `mostBytes` of their `bytesOf`. When the database rejects a batch, each of its items runs alone, so that a bad one
 * fails by itself; when the database is unavailable, all of them fail.
 */
export function openBatcher<I, O>(options: {
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
}): Batcher<I, O> {
  const { run, keyOf, most, lanes, bytesOf = () => 0, mostBytes = Number.POSITIVE_INFINITY } = options
  const { mostWaiting = Number.POSITIVE_INFINITY } = options
  const queues = new ChurnMap<string, Queue<I, O>>()
  /** Queues that may run, longest waiting first. */
  const ready: Queue<I, O>[] = []
  let waiting = 0
  let running = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || ready.length === 0 || running >= lanes) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (ready.length > 0 && running < lanes) void runBatch(...nextBatch())
    })
  }

  function nextBatch(): [batch: QueuedItem<I, O>[], from: Queue<I, O>[]] {
    const batch: QueuedItem<I, O>[] = []
    let bytes = 0
    let taken = 0
    for (const queue of ready) {
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
    waiting -= batch.length
    return [batch, ready.splice(0, taken)]
  }

  async function runBatch(batch: readonly QueuedItem<I, O>[], from: readonly Queue<I, O>[]): Promise<void> {
    running += 1
    options.onBatch?.(batch.length)
    try {
      await runItems(batch)
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error)
      else for (const item of batch) await runItems([item]).catch(item.reject)
    }
    running -= 1
    for (const queue of from) {
      queue.isBusy = false
      if (queue.items.length > 0) ready.push(queue)
      else queues.delete(queue.key)
    }
    schedule()
  }

  async function runItems(batch: readonly QueuedItem<I, O>[]): Promise<void> {
    const answers = await run(batch.map(({ item }) => item))
    if (answers.length !== batch.length) throw new Error('a batch answers one value per item')
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index]!)
  }

  return {
    submit: (item) =>
      new Promise((resolve, reject) => {
        if (waiting >= mostWaiting) return reject(fail('unavailable'))
        const key = keyOf(item)
        let queue = queues.get(key)
        if (!queue) {
          queue = { key, items: [], isBusy: false }
          queues.set(key, queue)
        }
        queue.items.push({ item, resolve, reject })
        waiting += 1
        if (!queue.isBusy && queue.items.length === 1) ready.push(queue)
        schedule()
      }),
    waiting: () => waiting,
  }
}
