/** The rate limit of v3 calls: fixed windows of a minute for each route and caller. protocol.md §1.6. */
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { FastifyReply } from 'fastify'
import { countUse, type RateLimiter, TooMany } from '../limits/rateLimit.ts'

/** v3 calls that one session, or one network without a session, may make to one route in a window. */
export const RATE_LIMIT = 120
export const RATE_WINDOW_MS = 60 * SECOND_MS

/** The name of a route's window: its path without the prefix of the API. */
export const bucketOf = (path: string): string => path.replace(/^\/api(?:\/v\d)?\//, '')

export class CallRateLimit {
  readonly #windows: RateLimiter

  constructor(windows: RateLimiter) {
    this.#windows = windows
  }

  /** Counts a call and writes the headers; false when the limit is exceeded. */
  async spend(reply: FastifyReply, bucket: string, who: string): Promise<boolean> {
    const limit = { name: bucket, most: RATE_LIMIT, windowMs: RATE_WINDOW_MS }
    const { spent, most, resetMs } = await countUse(this.#windows, limit, who)
    writeHeaders(reply, bucket, { most, remaining: Math.max(0, most - spent), resetMs })
    return spent <= most
  }

  /**
   * Writes the headers of a refusal: of the window that refused, else of one from which no call was counted.
   */
  describe(reply: FastifyReply, bucket: string, error: unknown): void {
    if (error instanceof TooMany)
      writeHeaders(reply, bucket, { most: error.most, remaining: 0, resetMs: error.resetMs })
    else if (!reply.hasHeader('x-rate-limit-limit'))
      writeHeaders(reply, bucket, { most: RATE_LIMIT, remaining: RATE_LIMIT, resetMs: 0 })
  }
}

function writeHeaders(
  reply: FastifyReply,
  bucket: string,
  input: { readonly most: number; readonly remaining: number; readonly resetMs: number },
): void {
  void reply.headers({
    'x-rate-limit-limit': String(input.most),
    'x-rate-limit-remaining': String(input.remaining),
    'x-rate-limit-reset': String(Math.ceil(input.resetMs / SECOND_MS)),
    'x-rate-limit-bucket': bucket,
  })
}
