import { HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { replaceClock } from '../clock.ts'
import { type GuessStore, Limits, memoryRateLimiter, TooMany, WINDOWS_MAX } from './rateLimit.ts'

let now = 1_000 * HOUR_MS
const restore = replaceClock(() => now)
afterAll(restore)

describe('windows in memory', () => {
  it('that began while the clock was wrong do not outlive the clock’s repair', () => {
    const windows = memoryRateLimiter()
    now += 2 * HOUR_MS
    for (let n = 0; n < 5; n += 1) windows.count('test', 'somebody', MINUTE_MS)
    now -= 2 * HOUR_MS
    expect(windows.count('test', 'somebody', MINUTE_MS)).toEqual({ spent: 1, resetMs: MINUTE_MS })
  })

  it('are forgotten one by one, the oldest first, and those of another limit not at all', () => {
    const windows = memoryRateLimiter()
    const again = (name: string, key: string) => windows.count(name, key, HOUR_MS)
    again('people', 'somebody')
    for (let n = 0; n < WINDOWS_MAX; n += 1) again('guests', `2001:db8:${n}:0::/64`)
    again('guests', '203.0.113.7')
    expect(again('people', 'somebody')).toMatchObject({ spent: 2 })
    expect(again('guests', '2001:db8:1:0::/64')).toMatchObject({ spent: 2 })
    expect(again('guests', '203.0.113.7')).toMatchObject({ spent: 2 })
    expect(again('guests', '2001:db8:0:0::/64')).toMatchObject({ spent: 1 })
  })

  it('that are over make room before one that is open', () => {
    const windows = memoryRateLimiter()
    windows.count('test', 'open', HOUR_MS)
    for (let n = 1; n < WINDOWS_MAX; n += 1) windows.count('test', `short ${n}`, MINUTE_MS)
    now += 2 * MINUTE_MS
    // One that begins again is the last of them.
    now += HOUR_MS
    windows.count('test', 'open', HOUR_MS)
    windows.count('test', 'another', HOUR_MS)
    windows.count('test', 'a third', HOUR_MS)
    expect(windows.count('test', 'open', HOUR_MS)).toMatchObject({ spent: 2 })
  })
})

describe('a limit by network', () => {
  const few = { name: 'few', most: 2, windowMs: MINUTE_MS }
  const using = (limits: Limits, key: string) =>
    limits.use(few, key).then(
      () => 'used',
      (error: { failure?: string }) => error.failure,
    )

  it('counts the IPv6 /48 around it too, so that all of its /64 are no new callers', async () => {
    const limits = new Limits(memoryRateLimiter())
    const answers = []
    for (let n = 0; n < 17; n += 1) answers.push(await using(limits, `2001:db8:1:${n}::/64`))
    expect(answers).toEqual([...Array.from({ length: 16 }, () => 'used'), 'too_many'])
    expect(await using(limits, '2001:db8:2:0::/64')).toBe('used')
    for (let n = 0; n < 17; n += 1) expect(await using(limits, `203.0.113.${n}`)).toBe('used')
  })
})

describe('a guess', () => {
  const few = { name: 'few', most: 2, windowMs: MINUTE_MS }
  const wrong = new Error('wrong')
  const guesser = (store?: GuessStore) => {
    const limits = new Limits(memoryRateLimiter())
    return (act: () => Promise<unknown>) =>
      limits
        .guess(few, 'somebody', act, { isWrong: (error) => error === wrong, ...(store && { store }) })
        .catch((error: unknown) => error)
  }
  const failing = (error: Error) => () => Promise.reject(error)

  it('that is one too many is not made, however many are made at once', async () => {
    const guess = guesser()
    let acts = 0
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        guess(async () => {
          acts += 1
          throw wrong
        }),
      ),
    )
    expect(acts).toBe(2)
    expect(answers.filter((answer) => answer instanceof TooMany)).toHaveLength(58)
  })

  it('that is refused says when its window ends, also where the count is kept', async () => {
    const kept = new TooMany(2, 7)
    const guess = guesser({ refuseUsedUp: async () => {}, count: () => Promise.reject(kept) })
    expect(await guess(failing(wrong))).toBe(kept)
    now += MINUTE_MS / 3
    expect(await guess(failing(wrong))).toBe(kept)
    expect(await guess(failing(wrong))).toMatchObject({
      failure: 'too_many',
      most: 2,
      resetMs: (2 * MINUTE_MS) / 3,
    })
  })

  it('of a process that has just started is not made when the kept count has nothing left', async () => {
    const kept = new TooMany(2, 7)
    const guess = guesser({ refuseUsedUp: () => Promise.reject(kept), count: async () => {} })
    let acts = 0
    const act = async () => {
      acts += 1
    }
    expect([await guess(act), await guess(act)]).toEqual([kept, kept])
    expect(acts).toBe(0)
  })

  it('that is right, or fails otherwise, does not count, nor does one that was refused', async () => {
    const guess = guesser()
    for (let n = 0; n < 5; n += 1) expect(await guess(async () => 'right')).toBe('right')
    const other = new Error('the database is away')
    for (let n = 0; n < 5; n += 1) expect(await guess(failing(other))).toBe(other)
    expect(await guess(failing(wrong))).toBe(wrong)
    expect(await guess(async () => 'right')).toBe('right')
  })
})
