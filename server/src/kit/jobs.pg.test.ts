import { z } from '@guildhall/wire/schema.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { transaction } from './database/db.ts'
import { type Jobs, jobKind, openJobs } from './jobs.ts'
import { openLog } from './log.ts'

let database: TestDatabase
const open: Jobs[] = []

beforeAll(async () => {
  database = await openTestDatabase()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((jobs) => jobs.close()))
})
afterAll(async () => {
  await database?.close()
})

async function node(): Promise<Jobs> {
  const jobs = await openJobs({ pool: database.pool, log: openLog('quiet') })
  open.push(jobs)
  return jobs
}
const kindOf = (name: string, more: object = {}) =>
  jobKind({ name, data: z.object({ n: z.number() }), pollSeconds: 0.5, ...more })

it('data that does not fit its kind is refused, and nothing is queued', async () => {
  const jobs = await node()
  const kind = kindOf('refused')
  await expect(jobs.send(database.db, kind, { n: 'one' } as never)).rejects.toThrow()
  expect((await jobs.states()).find(({ name }) => name === 'refused')?.queued).toBe(0)
})

it('a job of a transaction that fails is never run', async () => {
  const jobs = await node()
  const kind = kindOf('undone')
  const runs: number[] = []
  await jobs.work(kind, async ({ n }) => void runs.push(n))
  const failing = transaction(database.db, async (tx) => {
    await jobs.send(tx, kind, { n: 1 })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await jobs.send(database.db, kind, { n: 2 })
  await expect.poll(() => runs).toEqual([2])
})

it('a job of a transaction that commits is run once, however many nodes there are', async () => {
  const [one, two] = [await node(), await node()]
  const kind = kindOf('shared')
  const runs: number[] = []
  for (const jobs of [one, two]) await jobs.work(kind, async ({ n }) => void runs.push(n))
  for (let n = 0; n < 10; n += 1) await transaction(database.db, (tx) => one.send(tx, kind, { n }))
  one.wake(kind)
  await expect.poll(() => runs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, n) => n))
})

it('while one exclusive job waits or runs, a second one is not queued', async () => {
  const jobs = await node()
  const kind = kindOf('exclusive', { isExclusive: true })
  for (let n = 0; n < 3; n += 1) await jobs.send(database.db, kind, { n })
  const runs: number[] = []
  await jobs.work(kind, async ({ n }) => void runs.push(n))
  await expect.poll(() => runs).toEqual([0])
  await expect
    .poll(async () => (await jobs.states()).find(({ name }) => name === 'exclusive'))
    .toMatchObject({
      queued: 0,
      active: 0,
    })
})

it('a job that failed for good is shown with its error, and can be queued again', async () => {
  const jobs = await node()
  const kind = kindOf('failing', { retries: 0 })
  let isBroken = true
  const runs: number[] = []
  await jobs.work(kind, async ({ n }) => {
    if (isBroken) throw new Error('the provider does not answer')
    runs.push(n)
  })
  await jobs.send(database.db, kind, { n: 7 })
  const failure = await vi.waitUntil(
    async () => (await jobs.failures()).find(({ queue }) => queue === 'failing'),
    { timeout: 60_000 },
  )
  expect(failure).toMatchObject({ data: { n: 7 }, error: 'the provider does not answer' })
  isBroken = false
  expect(await jobs.retry('failing', failure.id)).toBe(true)
  jobs.wake(kind)
  await expect.poll(() => runs).toEqual([7])
  expect(await jobs.retry('failing', failure.id)).toBe(false)
})

it('a job that fails is tried again later', async () => {
  const jobs = await node()
  const kind = kindOf('retried')
  const runs: number[] = []
  await jobs.work(kind, async ({ n }) => {
    runs.push(n)
    if (runs.length === 1) throw new Error('not yet')
  })
  await jobs.send(database.db, kind, { n: 1 })
  await expect.poll(() => runs).toEqual([1])
  const waiting = await vi.waitUntil(
    async () => {
      const { rows } = await sql<{ start_after: Date; created_on: Date }>`
        select start_after, created_on from jobs.job where name = 'retried' and state = 'retry'`.execute(
        database.db,
      )
      return rows[0]
    },
    { timeout: 60_000 },
  )
  expect(waiting.start_after.getTime()).toBeGreaterThan(waiting.created_on.getTime())
  await sql`update jobs.job set start_after = now() where name = 'retried'`.execute(database.db)
  jobs.wake(kind)
  await expect.poll(() => runs).toEqual([1, 1])
})

it('a running handler is aborted when the server stops, and awaited', async () => {
  const jobs = await node()
  const kind = kindOf('stopping')
  const steps: string[] = []
  await jobs.work(kind, async (_data, signal) => {
    steps.push('begun')
    await new Promise((done) => signal.addEventListener('abort', done, { once: true }))
    steps.push('ended')
  })
  await jobs.send(database.db, kind, { n: 1 })
  await expect.poll(() => steps).toEqual(['begun'])
  await jobs.close()
  expect(steps).toEqual(['begun', 'ended'])
})

it('a schedule is stored once, whichever nodes set it', async () => {
  const kind = kindOf('nightly', { isExclusive: true })
  for (const jobs of [await node(), await node()]) await jobs.schedule(kind, '0 3 * * *', { n: 1 })
  const { rows } = await sql`select name, cron from jobs.schedule where name = 'nightly'`.execute(database.db)
  expect(rows).toEqual([{ name: 'nightly', cron: '0 3 * * *' }])
})

it('jobs of a kind run one at a time, or as many as the kind says', async () => {
  const jobs = await node()
  const most = new Map<string, number>()
  for (const kind of [kindOf('alone'), kindOf('together', { atOnce: 3 })]) {
    const gate = Promise.withResolvers<void>()
    let running = 0
    for (let n = 0; n < 8; n += 1) await jobs.send(database.db, kind, { n })
    const done = new Set<number>()
    await jobs.work(kind, async ({ n }) => {
      running += 1
      most.set(kind.name, Math.max(most.get(kind.name) ?? 0, running))
      if (running === (kind.atOnce ?? 1)) gate.resolve()
      await gate.promise
      running -= 1
      done.add(n)
    })
    await expect.poll(() => done.size).toBe(8)
  }
  expect(Object.fromEntries(most)).toEqual({ alone: 1, together: 3 })
})
