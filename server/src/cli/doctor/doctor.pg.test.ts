import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { replaceClock } from '../../kit/clock.ts'
import { connectionUrl } from '../../kit/database/db.ts'
import { recordSecurity } from '../../kit/securityLog.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/database/database.ts'
import { runCommand } from '../cli.ts'
import { type Diagnosis, diagnose } from '../doctor.ts'
import { checkBackups } from './backups.ts'
import { checkIndexes } from './database.ts'
import { checkReplica } from './replica.ts'
import { checkQueues, lateReviews } from './work.ts'

let database: TestDatabase
let dataDir: string
beforeAll(async () => {
  database = await openTestDatabase()
  dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-doctor-'))
})
afterAll(async () => {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
  process.exitCode = 0
})

const configOf = (url: string) =>
  readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, FETCH_OUTSIDE: '0' }, '/')

it('a database that is away is bad, and everything else is still looked at', async () => {
  const lines: string[] = []
  const { ok, findings } = await diagnose(configOf('postgres://127.0.0.1:1/nothing'), (line) =>
    lines.push(line),
  )
  expect(ok).toBe(false)
  expect(findings[0]).toMatchObject({ check: 'database', health: 'bad' })
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['configuration', 'keys', 'providers']),
  )
  expect(lines[0]).toMatch(/^BAD {2}database: .+ → /)
})

it('an index that is not valid is named', async () => {
  const { db } = database
  await sql`update pg_index set indisvalid = false where indexrelid = 'staff_log_actor_kind'::regclass`.execute(
    db,
  )
  expect(await checkIndexes(db)).toMatchObject([
    { health: 'bad', do: expect.stringContaining('staff_log_actor_kind') },
  ])
  await sql`update pg_index set indisvalid = true where indexrelid = 'staff_log_actor_kind'::regclass`.execute(
    db,
  )
  expect(await checkIndexes(db)).toMatchObject([{ health: 'ok' }])
})

it('a replica that is none is named, and why the primary is read instead of it', async () => {
  const { connection, db } = database
  const url = connectionUrl(connection)
  const config = readConfig({ DATABASE_URL: url, DATABASE_READ_URL: url }, '/')
  expect(await checkReplica(db, config)).toMatchObject([
    { health: 'warn', says: expect.stringContaining('DATABASE_READ_URL leads to a primary') },
  ])
  expect(await checkReplica(db, configOf(url))).toMatchObject([{ health: 'ok' }])
})

it('jobs that failed, and those that nobody does, are named', () => {
  const queue = { name: 'grant', queued: 0, active: 0, failed: 0, oldest: null }
  expect(checkQueues([queue])).toMatchObject([{ health: 'ok' }])
  expect(checkQueues([{ ...queue, failed: 2 }])).toMatchObject([{ health: 'warn' }])
  expect(checkQueues([{ ...queue, queued: 1, oldest: Date.now() - 3_600_000 }])).toMatchObject([
    { health: 'bad' },
  ])
  expect(checkQueues([{ ...queue, queued: 1, oldest: Date.now() }])).toMatchObject([{ health: 'ok' }])
})

it('what waits for staff for longer than a working day is named, by its kind', () => {
  const friday = Date.parse('2026-11-27T10:00:00+08:00')
  const waiting = { changes: [], messages: [{ created_at: friday }] }
  expect(lateReviews(waiting, Date.parse('2026-11-29T10:00:00+08:00'))).toMatchObject([{ health: 'ok' }])
  expect(lateReviews(waiting, Date.parse('2026-11-30T11:00:00+08:00'))).toMatchObject([
    {
      health: 'warn',
      says: expect.stringContaining('1 held messages wait for longer than promised, the oldest for 73'),
    },
  ])
})

it('backups that were never taken, are old, or were never restored on trial are named', async () => {
  const { db } = database
  expect(await checkBackups(db)).toMatchObject([
    { check: 'backups', health: 'warn', do: expect.stringMatching(/cli backup/) },
  ])
  await recordSecurity(db, { kind: 'backup', actor: 'operator', target: '' })
  expect(await checkBackups(db)).toMatchObject([
    { health: 'warn', do: expect.stringContaining('backup verify') },
  ])
  await recordSecurity(db, { kind: 'backup verify', actor: 'operator', target: '' })
  expect(await checkBackups(db)).toMatchObject([{ health: 'ok' }])
  const moveBack = replaceClock(() => Date.now() + 40 * DAY_MS)
  const late = await checkBackups(db)
  moveBack()
  expect(late.map(({ says }) => says)).toEqual([
    'The last backup is 40 days old.',
    'The last backup that was restored on trial is 40 days old.',
  ])
})

it('a healthy database has no bad line; the command answers with all of them', async () => {
  const { findings } = (await runCommand(['doctor'], configOf(database.url))) as Diagnosis
  const ofDatabase = [
    'database version',
    'indexes',
    'bloat',
    'connections',
    'ledger',
    'background work',
    'reviews',
  ]
  for (const check of ofDatabase)
    expect(findings).toContainEqual(expect.objectContaining({ check, health: 'ok' }))
})
