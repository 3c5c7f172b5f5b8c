import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../testing/database/database.ts'
import { replaceClock } from '../clock.ts'
import { consumeAttempt, type RateLimit, useAttempt, windowLeftMs } from './rateLimitDatabase.ts'

let database: TestDatabase
let now = Date.now()
const restore = replaceClock(() => now)
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(async () => {
  restore()
  await database?.close()
})

const ONCE: RateLimit = { name: 'test', most: 1, windowMs: MINUTE_MS }

it('an attempt that was counted while the clock was wrong locks nobody out once it is right', async () => {
  now += 2 * HOUR_MS
  expect(await consumeAttempt(database.db, ONCE, 'a number')).toBe(true)
  expect(await consumeAttempt(database.db, ONCE, 'a number')).toBe(false)
  now -= 2 * HOUR_MS
  expect(await windowLeftMs(database.db, ONCE, 'a number')).toBe(0)
  expect(await consumeAttempt(database.db, ONCE, 'a number')).toBe(true)
})

it('a node whose clock is a little late does not start a window again', async () => {
  expect(await consumeAttempt(database.db, ONCE, 'another')).toBe(true)
  now -= SECOND_MS
  expect(await consumeAttempt(database.db, ONCE, 'another')).toBe(false)
  now += SECOND_MS
})

it('a refusal names the window that refused, and when it ends', async () => {
  await useAttempt(database.db, ONCE, 'a third')
  now += 20 * SECOND_MS
  await expect(useAttempt(database.db, ONCE, 'a third')).rejects.toMatchObject({
    failure: 'too_many',
    most: 1,
    resetMs: 40 * SECOND_MS,
  })
})
