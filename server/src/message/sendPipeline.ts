/** The send pipeline: batches the access look-ups and the stores of concurrent sends. Decision 10. */
import type { ChannelId, UserId } from '@guildhall/wire/id.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { type ChannelAccess, channelAccess, openAccessCache } from '../channel/channel.ts'
import { openBatcher } from '../kit/batch.ts'
import { ChurnMap } from '../kit/churnCollections.ts'
import { type Db, sqlState } from '../kit/database/db.ts'
import type { Bus } from '../kit/events/bus.ts'
import type { SendMetrics } from '../kit/metrics/messages.ts'
import type { FetchPicture } from './card/card.ts'
import * as rows from './sql/send.ts'

/** How a send looks up its author's access and how it is stored. Keeps the order of one author's sends. */
export interface SendPipeline {
  /** See `channelAccess`. */
  access(userId: UserId, channelId: ChannelId): Promise<ChannelAccess | null>
  /**
   * Stores one draft and answers after the commit, as `rows.add` does; null for a nonce that was used
   * meanwhile.
   */
  store(draft: rows.Draft): Promise<rows.Added | null>
  /** Resolves like `ready`, after what was passed earlier under the same key. */
  inOrder<T>(key: string, ready: Promise<T>): Promise<T>
  /** Fetches pictures of the web for cards; without it none are fetched. */
  readonly fetchPicture?: FetchPicture
  /**
   * Called with each message after it is stored and published. `origin`: the public address of the server.
   */
  readonly onSent?: (message: Message, origin: string) => void
}

/** Messages in one statement. */
const BATCH_MOST = 128
/** Bytes of text after which no further message joins a statement. */
const BATCH_BYTES = 256 * 1024

/** Messages that may wait for a statement: some seconds at the highest load. Further ones are refused. */
const WAITING_MOST = 10_000

/**
 * Statements in flight. Messages of one guild are never in two, since both would wait for its counter's lock.
 */
const BATCH_LANES = 2

/**
 * The pipeline of the server: concurrent sends share look-ups, round trips and commits; a single one does not
 * wait. Decision 10.
 */
export function openSendPipeline(
  db: Db,
  metrics?: SendMetrics,
  bus?: Bus,
  hooks: Pick<SendPipeline, 'fetchPicture' | 'onSent'> = {},
): SendPipeline {
  const batches = openBatcher<rows.Draft, rows.Added | null>({
    run: (drafts) => rows.add(db, drafts),
    keyOf: ({ event }) => event.message.guild_id,
    bytesOf: ({ event }) => event.message.content.length,
    most: BATCH_MOST,
    mostBytes: BATCH_BYTES,
    mostWaiting: WAITING_MOST,
    lanes: BATCH_LANES,
    ...(metrics && { onBatch: (size: number) => metrics.batch(size) }),
  })
  metrics?.watchQueue(() => batches.waiting())
  const queues = new ChurnMap<string, Promise<unknown>>()
  return {
    ...hooks,
    access: openAccessCache(db, bus),
    async store(draft) {
      const startedAt = performance.now()
      const added = await batches.submit(draft).catch(nullWhenRepeated)
      metrics?.committed((performance.now() - startedAt) / SECOND_MS)
      return added
    },
    async inOrder(key, ready) {
      const previous = queues.get(key)
      const last = Promise.allSettled([previous, ready])
      queues.set(key, last)
      await last
      if (queues.get(key) === last) queues.delete(key)
      return ready
    },
  }
}

/** The pipeline of a send inside the caller's transaction. */
export const pipelineIn = (db: Db): SendPipeline => ({
  access: (userId, channelId) => channelAccess(db, userId, channelId),
  store: async (draft) => (await rows.add(db, [draft]))[0] ?? null,
  inOrder: (_key, ready) => ready,
})

const UNIQUE_VIOLATION = '23505'

/** Another process stored this nonce first: its message is the answer. */
function nullWhenRepeated(error: unknown): null {
  if (sqlState(error) === UNIQUE_VIOLATION) return null
  throw error
}
