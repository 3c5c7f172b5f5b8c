import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Config, readConfig } from '../config.ts'
import { type Connection, connectionUrl, inDatabase, quoteName, withConnection } from '../kit/database/db.ts'
import { migrate, readMigrations } from '../kit/database/migrate.ts'
import { MIGRATIONS } from '../kit/database/store.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { runCommand } from './cli.ts'
import type { Diagnosis } from './doctor.ts'

let home: TestDatabase
let blank: Connection
let name: string
let directory: string
beforeEach(async () => {
  home = await openTestDatabase()
  name = `blank_${randomBytes(6).toString('hex')}`
  blank = inDatabase(home.connection, name)
  await withConnection(home.connection, (query) => query(`create database ${quoteName(name)}`))
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-tables-'))
})
afterEach(async () => {
  await withConnection(home.connection, (query) => query(`drop database ${quoteName(name)} with (force)`))
  await home.close()
  await rm(directory, { recursive: true, force: true })
  process.exitCode = 0
})

const configOf = (connection: Connection): Config =>
  readConfig({ DATABASE_URL: connectionUrl(connection), DATA_DIR: directory, FETCH_OUTSIDE: '0' }, '/')
const run = (line: string, config: Config, say?: (line: string) => void) =>
  runCommand(line.split(' '), config, say)
const refusal = (input: Promise<unknown>) =>
  input.then(
    () => 'not refused',
    (error: unknown) => (error instanceof OperatorError ? error.message : String(error)),
  )
const tablesOf = (connection: Connection) =>
  withConnection(connection, async (query) => {
    const rows = await query(`select schemaname || '.' || tablename as name from pg_tables
      where schemaname in ('public', 'jobs') order by 1`)
    return rows.map(({ name }) => name)
  })
const appliedIn = (connection: Connection) =>
  withConnection(connection, async (query) => (await query('select name from migration')).length)

const WRITING = 'user create --mobile 13300000009 --username 第一人'

describe('on a database without tables', () => {
  it('no command makes them but migrate, which all others name', async () => {
    const config = configOf(blank)
    const file = path.join(directory, 'of.backup')
    for (const line of ['world', WRITING, 'jobs list', `backup ${file} --plain`, 'guild close --guild 9'])
      expect(await refusal(run(line, config))).toMatch(/no tables.+cli migrate/)
    const { ok, findings } = (await run('doctor', config)) as Diagnosis
    expect(ok).toBe(false)
    expect(findings[0]).toMatchObject({
      check: 'database',
      health: 'bad',
      do: expect.stringMatching(/cli migrate/),
    })
    expect(await tablesOf(blank)).toEqual([])
    expect(existsSync(file)).toBe(false)
  })

  it('migrate makes them with a line for each file, is on record, and does nothing the second time', async () => {
    const config = configOf(blank)
    const lines: string[] = []
    const all = await readMigrations(MIGRATIONS)
    expect(await run('migrate', config, (line) => lines.push(line))).toEqual({
      migrated: all.map(({ name }) => name),
    })
    expect(lines).toContain(`Preparing tables: ${all[0]?.file}`)
    expect(await run('jobs list', config)).toEqual({ queues: [], failed: [] })
    expect(JSON.stringify(await run('security list', config))).toContain('"migrate"')
    expect(await run('migrate', config)).toEqual({ migrated: [] })
    expect(await run(WRITING, config)).toMatchObject({ username: '第一人' })
  })
})

describe('on tables of an older version', () => {
  let config: Config
  let older: number
  beforeEach(async () => {
    config = configOf(blank)
    const all = await readMigrations(MIGRATIONS)
    older = all.length - 1
    await migrate(blank, all.slice(0, older))
  })

  it('what writes is refused and names migrate; what reads says so and reads; nothing is migrated', async () => {
    expect(await refusal(run(WRITING, config))).toMatch(/older.+cli migrate/)
    const lines: string[] = []
    expect(await run('world', config, (line) => lines.push(line))).toMatchObject({ guilds: [] })
    expect(lines.join('\n')).toMatch(/older.+cli migrate/)
    const { findings } = (await run('doctor', config)) as Diagnosis
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'tables', health: 'warn', do: expect.stringMatching(/cli migrate/) }),
    )
    expect(await appliedIn(blank)).toBe(older)
    expect(await tablesOf(blank)).not.toContain('jobs.job')
  })

  it('a backup is taken of them as they are, so that it can be taken before they are migrated', async () => {
    const file = path.join(directory, 'before.backup')
    expect(await run(`backup ${file} --plain`, config)).toMatchObject({ file, missing_files: [] })
    expect(await appliedIn(blank)).toBe(older)
  })

  it('a reading command that needs what they lack is refused in one line', async () => {
    await withConnection(blank, (query) => query('drop table security_event'))
    expect(await refusal(run('security list', config))).toMatch(/older.+cli migrate/)
  })
})

it('where no server has started, no command makes a data directory', async () => {
  const nowhere = path.join(directory, 'nowhere')
  const config = readConfig({ DATA_DIR: nowhere, FETCH_OUTSIDE: '0' }, '/')
  for (const line of ['world', WRITING]) expect(await refusal(run(line, config))).toMatch(/cli migrate/)
  expect(((await run('doctor', config)) as Diagnosis).findings[0]).toMatchObject({ check: 'database' })
  expect(existsSync(nowhere)).toBe(false)
})
