/** One connection to one Redis server. */
import { Redis as Client } from 'ioredis'

export type { Client }

/** How long a command may take, ms. A rate limit waits for one. */
export const ANSWER_WITHIN_MS = 250
const CONNECT_WITHIN_MS = 2_000
/** Between two attempts to connect: the first and the longest wait, ms. */
const RETRY_FIRST_MS = 100
const RETRY_MAX_MS = 2_000

const OPTIONS = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_WITHIN_MS,
  enableReadyCheck: true,
  keepAlive: 10_000,
  retryStrategy: (tries: number) =>
    Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(tries, 8)) * (0.7 + 0.6 * Math.random()),
  // After a failover the old master is a read-only replica.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
}

/** For subscriptions. Not connected yet; connects again by itself. */
export const newSubscriber = (url: string): Client => new Client(url, OPTIONS)

/** For commands, which fail when they take longer. Not connected yet; connects again by itself. */
export const newPublisher = (url: string, answerWithinMs: number): Client =>
  new Client(url, { ...OPTIONS, commandTimeout: answerWithinMs })

/**
 * Connects once, asks, and ends the connection.
 * @throws when the server is away or slow, and what `ask` throws
 */
export async function askOnce<T>(url: string, ask: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url, { ...OPTIONS, commandTimeout: ANSWER_WITHIN_MS, retryStrategy: null })
  let reason: Error | null = null
  client.on('error', (error: Error) => {
    reason = error
  })
  try {
    await client.connect().catch((error: unknown) => {
      throw reason ?? error
    })
    return await ask(client)
  } finally {
    client.disconnect()
  }
}
