import { HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { afterAll, expect, it } from 'vitest'
import { replaceClock } from '../clock.ts'
import { Limits, memoryRateLimiter, TooMany } from './rateLimit.ts'

let now = 1_000 * HOUR_MS
const restore = replaceClock(() => now)
afterAll(restore)

it('a window that began while the clock was wrong does not outlive the clock’s repair', () => {
  const windows = memoryRateLimiter()
  now += 2 * HOUR_MS
  for (let n = 0; n < 5; n += 1) windows.count('somebody', MINUTE_MS)
  now -= 2 * HOUR_MS
  expect(windows.read('somebody')).toEqual({ spent: 0, resetMs: 0 })
  expect(windows.count('somebody', MINUTE_MS)).toEqual({ spent: 1, resetMs: MINUTE_MS })
})

it('a guess that is refused says when its window ends, also where the count was kept over a restart', async () => {
  const limits = new Limits(memoryRateLimiter())
  const few = { name: 'few', most: 2, windowMs: MINUTE_MS }
  const wrong = new Error('wrong')
  const guess = (keep?: Parameters<Limits['guess']>[4]) =>
    limits
      .guess(
        few,
        'somebody',
        () => Promise.reject(wrong),
        () => true,
        keep,
      )
      .catch((error: unknown) => error)
  expect(await guess()).toBe(wrong)
  now += MINUTE_MS / 3
  const kept = new TooMany(2, 7)
  expect(await guess(() => Promise.reject(kept))).toBe(kept)
  expect(await guess()).toMatchObject({ failure: 'too_many', most: 2, resetMs: (2 * MINUTE_MS) / 3 })
})
