/** Rate limits of HTTP calls: counts calls in fixed time windows, in this process or on Redis for all nodes together. */
import { clock } from './clock.ts'
import type { Redis } from './redis.ts'

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
}

const WINDOWS_MAX = 50_000

/** Counts in this process. */
export function memoryRateLimiter(): RateLimiter {
  const windows = new Map<string, { spent: number; until: number }>()
  return {
    count(key, windowMs) {
      const now = clock.now()
      let window = windows.get(key)
      if (!window || window.until <= now || window.until > now + windowMs) {
        if (windows.size >= WINDOWS_MAX) {
          for (const [old, { until }] of windows) if (until <= now) windows.delete(old)
          if (windows.size >= WINDOWS_MAX) windows.clear()
        }
        window = { spent: 0, until: now + windowMs }
        windows.set(key, window)
      }
      window.spent += 1
      return { spent: window.spent, resetMs: window.until - now }
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
  }
}
