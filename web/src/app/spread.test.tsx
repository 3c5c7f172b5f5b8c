import { viewActivity } from '@guildhall/wire/message/activity.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cache, queryKeyOf } from '../kit/routeQuery.ts'
import { spread } from './spread.ts'

beforeEach(() => {
  vi.useFakeTimers()
  cache.clear()
})
afterEach(() => vi.useRealTimers())

const online = (guild_id: string, online_count: number) =>
  cache.setQueryData(queryKeyOf(viewActivity, { guild_id: guild_id as never }), {
    online_count,
    channels: [],
  })

/** When it is done, ms, for each of many pages. */
async function times(guildId: string, pages: number, count: number): Promise<number[]> {
  const done: number[] = []
  for (let page = 0; page < pages; page += 1) {
    online(guildId, count)
    const from = Date.now()
    spread('test', guildId, () => done.push(Date.now() - from))
    await vi.advanceTimersByTimeAsync(30_000)
  }
  return done.toSorted((a, b) => a - b)
}

test('pages of a large guild ask one after the other, at most half a minute later', async () => {
  const large = await times('10', 200, 5_000)
  expect(large.at(-1)).toBeGreaterThan(5_000)
  expect(large.at(-1)).toBeLessThanOrEqual(10_000)
  expect(large[0]).toBeLessThan(1_000)
  expect((await times('20', 200, 1_000_000)).at(-1)).toBeLessThanOrEqual(30_000)
})

test('those of a small one ask at once', async () => {
  expect((await times('10', 50, 5)).at(-1)).toBeLessThanOrEqual(10)
})

test('many events of one guild are asked about once, and those of another by themselves', async () => {
  const asked: string[] = []
  for (const guildId of ['10', '10', '20', '10']) spread('test', guildId, () => asked.push(guildId))
  await vi.runAllTimersAsync()
  expect(asked.toSorted()).toEqual(['10', '20'])
  spread('test', '10', () => asked.push('again'))
  await vi.runAllTimersAsync()
  expect(asked).toContain('again')
})
