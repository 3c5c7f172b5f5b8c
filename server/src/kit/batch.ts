import { fail } from '@guildhall/wire/failure.ts'
import { ChurnMap } from './churnCollections.ts'
import { isUnavailable } from './db.ts'

/** Concurrent questions that travel together. */
export interface Batcher<I, O> {
  /** Answers one item, or rejects for it alone: with unavailable when too many wait already. */
  submit(item: I): Promise<O>
  /** How many items have not been taken into a batch yet. */
  waiting(): number
}

interface Asked<I, O> {
  readonly item: I
  readonly answer: (value: O) => void
  readonly refuse: (error: unknown) => void
}

/** Items of one key, and whether the next of them may leave, or waits for those before it. */
interface Queue<I, O> {
  readonly key: string
  readonly asked: Asked<I, O>[]
  isBusy: boolean
}

/**
 * Turns concurrent items into few round trips without making a lonely one wait: what was asked in one turn of the
 * event loop goes at once, what comes while `lanes` batches are under way gathers and goes when one returns.
 * `run` answers one value per item, in order. Items of one `keyOf` are never in two batches at the same time and
 * keep their order. A batch takes up to `most` items and, after the first, up to `mostBytes` of their `bytesOf`.
 * When the database refuses a batch, each of its items is run alone, so that a bad one fails by itself; when the
 * database is away, all of them fail.
 */
export function openBatcher<I, O>(options: {
  readonly run: (items: readonly I[]) => Promise<readonly O[]>
  readonly keyOf: (item: I) => string
  readonly most: number
  readonly lanes: number
  readonly bytesOf?: (item: I) => number
  readonly mostBytes?: number
  /** Items that may wait; a further one is refused at once, while there is still room to say so. */
  readonly mostWaiting?: number
  /** Told of each batch as it leaves. */
  readonly onBatch?: (size: number) => void
}): Batcher<I, O> {
  const { run, keyOf, most, lanes, bytesOf = () => 0, mostBytes = Number.POSITIVE_INFINITY } = options
  const { mostWaiting = Number.POSITIVE_INFINITY } = options
  const queues = new ChurnMap<string, Queue<I, O>>()
  /** Those with items that may leave, longest waiting first. */
  const ready: Queue<I, O>[] = []
  let waiting = 0
  let underWay = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || ready.length === 0 || underWay >= lanes) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (ready.length > 0 && underWay < lanes) void travel(...take())
    })
  }

  function take(): [batch: Asked<I, O>[], from: Queue<I, O>[]] {
    const batch: Asked<I, O>[] = []
    let bytes = 0
    let taken = 0
    for (const queue of ready) {
      let count = 0
      for (const { item } of queue.asked) {
        if (batch.length + count >= most) break
        bytes += bytesOf(item)
        if (bytes > mostBytes && batch.length + count > 0) break
        count += 1
      }
      if (count === 0) break
      batch.push(...queue.asked.splice(0, count))
      queue.isBusy = true
      taken += 1
      if (batch.length >= most || bytes > mostBytes) break
    }
    waiting -= batch.length
    return [batch, ready.splice(0, taken)]
  }

  async function travel(batch: readonly Asked<I, O>[], from: readonly Queue<I, O>[]): Promise<void> {
    underWay += 1
    options.onBatch?.(batch.length)
    try {
      await settle(batch)
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) for (const { refuse } of batch) refuse(error)
      else for (const asked of batch) await settle([asked]).catch(asked.refuse)
    }
    underWay -= 1
    for (const queue of from) {
      queue.isBusy = false
      if (queue.asked.length > 0) ready.push(queue)
      else queues.delete(queue.key)
    }
    schedule()
  }

  async function settle(batch: readonly Asked<I, O>[]): Promise<void> {
    const answers = await run(batch.map(({ item }) => item))
    if (answers.length !== batch.length) throw new Error('a batch answers one value per item')
    for (const [index, { answer }] of batch.entries()) answer(answers[index]!)
  }

  return {
    submit: (item) =>
      new Promise((answer, refuse) => {
        if (waiting >= mostWaiting) return refuse(fail('unavailable'))
        const key = keyOf(item)
        let queue = queues.get(key)
        if (!queue) {
          queue = { key, asked: [], isBusy: false }
          queues.set(key, queue)
        }
        queue.asked.push({ item, answer, refuse })
        waiting += 1
        if (!queue.isBusy && queue.asked.length === 1) ready.push(queue)
        schedule()
      }),
    waiting: () => waiting,
  }
}
