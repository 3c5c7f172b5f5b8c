/**
 * Rate limits of what happens often: counted in fixed time windows, in this process or on Redis for all nodes
 * together.
 */
import { Failure } from '@guildhall/wire/failure.ts'
import { clock } from '../clock.ts'
import type { Redis } from '../redis/redis.ts'
import { wideNetworkOf } from './network.ts'

/** A time window of one caller. */
export interface RateWindow {
  /** Calls so far, this one included. */
  readonly spent: number
  /** Until the window ends, ms. */
  readonly resetMs: number
}

export interface RateLimiter {
  /**
   * Counts one call of `key` under the limit of a name; the first one starts a window. Never throws. Each
   * name has a table of its own, so that one who calls under many keys makes no other limit forget.
   */
  count(name: string, key: string, windowMs: number): RateWindow | Promise<RateWindow>
  /** Gives one counted call back, while its window is open. Never throws. */
  refund(name: string, key: string): void | Promise<void>
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
 * How many times the limit of an IPv6 /64 the /48 around it has: one customer may have all of it, and a
 * mobile network many customers.
 */
export const WIDE_FACTOR = 8

/**
 * Counts one use under a limit, and under that of the wide network when the key is an IPv6 network. Returns
 * the window that has nothing left, else that of the key.
 */
export async function countUse(
  windows: RateLimiter,
  { name, most, windowMs }: RateLimit,
  key: string,
): Promise<RateWindow & { readonly most: number }> {
  const counted = windows.count(name, key, windowMs)
  const own = { ...(counted instanceof Promise ? await counted : counted), most }
  const wide = wideNetworkOf(key)
  if (wide === null) return own
  const around = await windows.count(`${name}, wide`, wide, windowMs)
  return own.spent <= most && around.spent > most * WIDE_FACTOR
    ? { ...around, most: most * WIDE_FACTOR }
    : own
}

/**
 * Where wrong guesses are kept for other nodes and over a restart. Both throw `too_many` when none is left.
 */
export interface GuessStore {
  refuseUsedUp(limit: RateLimit, key: string): Promise<void>
  count(limit: RateLimit, key: string): Promise<void>
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

  /** The limit as it is enforced, for one that is counted in the database. */
  scaled(limit: RateLimit): RateLimit {
    return { ...limit, most: limit.most * this.#scale }
  }

  /** Counts one use. @throws Failure too_many */
  async use(limit: RateLimit, key: string): Promise<void> {
    const { spent, most, resetMs } = await countUse(this.#windows, this.scaled(limit), key)
    if (spent > most) throw new TooMany(most, resetMs)
  }

  /**
   * Runs `act` for a guess, of which only the wrong ones count. It is counted before `act` runs, so that many
   * at once are no more than many one after another, and given back unless `isWrong`. Once the limit is
   * reached, `act` does not run. The store is asked when a window begins here, and keeps the wrong ones.
   * @throws Failure too_many, and what `act` throws
   */
  async guess<T>(
    limit: RateLimit,
    key: string,
    act: () => Promise<T>,
    { isWrong, store }: { isWrong(error: unknown): boolean; readonly store?: GuessStore },
  ): Promise<T> {
    const enforced = this.scaled(limit)
    const { spent, resetMs } = await this.#windows.count(limit.name, key, limit.windowMs)
    let isCounted = false
    try {
      if (spent > enforced.most) throw new TooMany(enforced.most, resetMs)
      if (spent === 1) await store?.refuseUsedUp(enforced, key)
      return await act()
    } catch (error) {
      isCounted = isWrong(error)
      if (isCounted) await store?.count(enforced, key)
      throw error
    } finally {
      if (!isCounted) await this.#windows.refund(limit.name, key)
    }
  }
}

/** Windows of one limit; past it the one that began first is forgotten. */
export const WINDOWS_MAX = 50_000

interface MemoryWindow {
  spent: number
  readonly until: number
  readonly windowMs: number
}

/** A limiter that answers at once. */
export interface MemoryRateLimiter extends RateLimiter {
  count(name: string, key: string, windowMs: number): RateWindow
  refund(name: string, key: string): void
}

/** Counts in this process. */
export function memoryRateLimiter(): MemoryRateLimiter {
  /** By the limit's name; the windows of each in the order in which they began. */
  const tables = new Map<string, Map<string, MemoryWindow>>()
  return {
    count(name, key, windowMs) {
      const now = clock.now()
      const windows = tables.get(name) ?? new Map<string, MemoryWindow>()
      tables.set(name, windows)
      let window = windows.get(key)
      if (!window || !isOpen(window, now)) {
        // Deleted first, so that it is the last one again.
        windows.delete(key)
        if (windows.size >= WINDOWS_MAX) forgetOldest(windows, now)
        window = { spent: 0, until: now + windowMs, windowMs }
        windows.set(key, window)
      }
      window.spent += 1
      return { spent: window.spent, resetMs: window.until - now }
    },
    refund(name, key) {
      const window = tables.get(name)?.get(key)
      if (window && window.spent > 0 && isOpen(window, clock.now())) window.spent -= 1
    },
  }
}

/** A window that ends later than a new one would is from before the clock was set back. */
const isOpen = ({ until, windowMs }: MemoryWindow, now: number): boolean =>
  until > now && until <= now + windowMs

/** Forgets the windows that are over, and else the one that began first. */
function forgetOldest(windows: Map<string, MemoryWindow>, now: number): void {
  for (const [key, window] of windows) {
    if (isOpen(window, now) && windows.size < WINDOWS_MAX) return
    windows.delete(key)
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

const REFUND = {
  name: 'guildhallRefund',
  lua: `
if tonumber(redis.call('get', KEYS[1]) or '0') > 0 then redis.call('decr', KEYS[1]) end
return 1`,
}

/** Counts for all nodes on one Redis; while it is disconnected or slow, each node counts for itself. */
export function redisRateLimiter(redis: Redis, prefix: string): RateLimiter {
  const own = memoryRateLimiter()
  const keyOf = (name: string, key: string) => `${prefix}window:${name} ${key}`
  return {
    async count(name, key, windowMs) {
      try {
        const [spent, resetMs] = (await redis.runScript(SPEND, [keyOf(name, key)], [windowMs])) as number[]
        return { spent: spent!, resetMs: resetMs! }
      } catch {
        return own.count(name, key, windowMs)
      }
    },
    async refund(name, key) {
      try {
        await redis.runScript(REFUND, [keyOf(name, key)], [])
      } catch {
        await own.refund(name, key)
      }
    },
  }
}
