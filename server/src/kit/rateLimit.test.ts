import { HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { afterEach, expect, it } from 'vitest'
import { replaceClock } from './clock.ts'
import { memoryRateLimiter } from './rateLimit.ts'

let now = 1_000 * HOUR_MS
const restore = replaceClock(() => now)
afterEach(restore)

it('a window that began while the clock was wrong does not outlive the clock’s repair', () => {
  const windows = memoryRateLimiter()
  now += 2 * HOUR_MS
  for (let n = 0; n < 5; n += 1) windows.count('somebody', MINUTE_MS)
  now -= 2 * HOUR_MS
  expect(windows.read('somebody')).toBe(0)
  expect(windows.count('somebody', MINUTE_MS)).toEqual({ spent: 1, resetMs: MINUTE_MS })
})
