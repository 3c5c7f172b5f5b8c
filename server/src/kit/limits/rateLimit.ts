/**
 * Rate limits of what happens often: counted in fixed time windows, in this process or on Redis for all nodes
 * together.
 */
import { Failure } from '@guildhall/wire/failure.ts'
import { clock } from '../clock.ts'
import type { Redis } from '../redis.ts'

/** A time window of one caller. */
export interface RateWindow {
  /** Calls so far, this one included. */
  readonly spent: number
  /** Until the window ends, ms. */
  readonly resetMs: number
}

export interface RateLimiter {
  /** Counts one call under `key`; the first one starts a window. Never throws. */
  count(key: string, windowMs: number): RateWindow | Promise<RateWindow>
  /** The window of `key` as it is, without counting; without one nothing is spent. Never throws. */
  read(key: string): RateWindow | Promise<RateWindow>
}

/** At most `most` uses per key in the `windowMs` that start with the first use. */
export interface RateLimit {
  readonly name: string
  readonly most: number
  readonly windowMs: number
}

/** A limit is reached: the refusal `too_many`, with the window that refused. */
export class TooMany extends Failure {
  readonly most: number
  /** Until the window ends, ms. */
  readonly resetMs: number
  constructor(most: number, resetMs: number) {
    super('too_many')
    this.most = Math.floor(most)
    this.resetMs = resetMs
  }
}

/**
 * Enforces rate limits that are too frequent for the database. `scale` multiplies all of them
 * (RATE_LIMIT_SCALE).
 */
export class Limits {
  readonly #windows: RateLimiter
  readonly #scale: number

  constructor(windows: RateLimiter, scale = 1) {
    this.#windows = windows
    this.#scale = scale
  }

  /** Counts one use. @throws Failure too_many */
  async use(limit: RateLimit, key: string): Promise<void> {
    const counted = this.#windows.count(`${limit.name} ${key}`, limit.windowMs)
    const { spent, resetMs } = counted instanceof Promise ? await counted : counted
    const most = limit.most * this.#scale
    if (spent > most) throw new TooMany(most, resetMs)
  }

  /**
   * Runs `act`, and counts it when it fails as `isCounted` says: for guesses, of which only the wrong ones
   * count. Once the limit is reached, `act` is not run. `keep` counts it as well where a restart keeps the
   * count, and throws when nothing was left there.
   * @throws Failure too_many, and what `act` throws
   */
  async guess<T>(
    limit: RateLimit,
    key: string,
    act: () => Promise<T>,
    isCounted: (error: unknown) => boolean,
    keep?: (limit: RateLimit, key: string) => Promise<void>,
  ): Promise<T> {
    const most = limit.most * this.#scale
    const { spent, resetMs } = await this.#windows.read(`${limit.name} ${key}`)
    if (spent >= most) throw new TooMany(most, resetMs)
    try {
      return await act()
    } catch (error) {
      if (!isCounted(error)) throw error
      await this.#windows.count(`${limit.name} ${key}`, limit.windowMs)
      await keep?.({ ...limit, most }, key)
      throw error
    }
  }
}

const WINDOWS_MAX = 50_000
const NOTHING_SPENT: RateWindow = { spent: 0, resetMs: 0 }

/** Counts in this process. */
export function memoryRateLimiter(): RateLimiter {
  const windows = new Map<string, { spent: number; until: number; windowMs: number }>()
  /** A window that ends later than a new one would is from before the clock was set back. */
  const isOpen = ({ until, windowMs }: { until: number; windowMs: number }, now: number) =>
    until > now && until <= now + windowMs
  return {
    count(key, windowMs) {
      const now = clock.now()
      let window = windows.get(key)
      if (!window || !isOpen(window, now)) {
        if (windows.size >= WINDOWS_MAX) {
          for (const [old, { until }] of windows) if (until <= now) windows.delete(old)
          if (windows.size >= WINDOWS_MAX) windows.clear()
        }
        window = { spent: 0, until: now + windowMs, windowMs }
        windows.set(key, window)
      }
      window.spent += 1
      return { spent: window.spent, resetMs: window.until - now }
    },
    read(key) {
      const now = clock.now()
      const window = windows.get(key)
      return window && isOpen(window, now)
        ? { spent: window.spent, resetMs: window.until - now }
        : NOTHING_SPENT
    },
  }
}

const SPEND = {
  name: 'guildhallSpend',
  lua: `
local spent = redis.call('incr', KEYS[1])
local left = redis.call('pttl', KEYS[1])
if left < 0 then
  redis.call('pexpire', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {spent, left}`,
}

const SPENT = {
  name: 'guildhallSpent',
  lua: `return {tonumber(redis.call('get', KEYS[1]) or '0'), math.max(0, redis.call('pttl', KEYS[1]))}`,
}

/** Counts for all nodes on one Redis; while it is disconnected or slow, each node counts for itself. */
export function redisRateLimiter(redis: Redis, prefix: string): RateLimiter {
  const own = memoryRateLimiter()
  return {
    async count(key, windowMs) {
      try {
        const [spent, resetMs] = (await redis.runScript(
          SPEND,
          [`${prefix}window:${key}`],
          [windowMs],
        )) as number[]
        return { spent: spent!, resetMs: resetMs! }
      } catch {
        return own.count(key, windowMs)
      }
    },
    async read(key) {
      try {
        const [spent, resetMs] = (await redis.runScript(SPENT, [`${prefix}window:${key}`], [])) as number[]
        return { spent: spent!, resetMs: resetMs! }
      } catch {
        return own.read(key)
      }
    },
  }
}
