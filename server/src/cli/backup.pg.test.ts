import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { openTestServer, type TestServer } from '../testing/server.ts'
import { runCommand } from './cli.ts'

let server: TestServer
let empty: TestDatabase
let directory: string
beforeAll(async () => {
  server = await openTestServer()
  empty = await openTestDatabase()
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-cli-backup-'))
})
afterAll(async () => {
  await server?.close()
  await empty?.close()
  await rm(directory, { recursive: true, force: true })
})

const at = (name: string) => path.join(directory, name)
const run = (line: string, input: { DATABASE_URL?: string; DATA_DIR: string }) =>
  runCommand(line.split(' '), readConfig(input, '/')) as Promise<Record<string, unknown>>
const here = () => ({ DATABASE_URL: server.database.url, DATA_DIR: server.dataDir })
const there = () => ({ DATABASE_URL: empty.url, DATA_DIR: at('elsewhere') })
const refusal = (input: Promise<unknown>) =>
  input.then(
    () => 'not refused',
    (error: unknown) => (error instanceof OperatorError ? error.message : String(error)),
  )

it('a backup needs one file, and a passphrase that is long enough', async () => {
  expect(await refusal(run('backup', here()))).toMatch(/^Name one file/)
  await writeFile(at('short'), 'short\n')
  expect(await refusal(run(`backup ${at('no')} --passphrase-file ${at('short')}`, here()))).toMatch(
    /8 characters/,
  )
  expect(await refusal(run(`backup ${at('no/where')} --plain`, here()))).toMatch(/cannot be used: ENOENT/)
})

it('a backup in clear is refused unless --plain says so, and a passphrase is not plain', async () => {
  expect(await refusal(run(`backup ${at('clear')}`, here()))).toMatch(/--passphrase-file.+--plain/)
  await writeFile(at('passphrase'), 'a long enough passphrase\n')
  const both = `backup ${at('clear')} --plain --passphrase-file ${at('passphrase')}`
  expect(await refusal(run(both, here()))).toMatch(/--plain/)
  expect(existsSync(at('clear'))).toBe(false)
  expect(await refusal(run(`restore ${at('clear')} --plain`, there()))).toMatch(/--plain/)
})

it('moves from an external database to the embedded one and back by the same two commands', async () => {
  await writeFile(at('passphrase'), 'a long enough passphrase\n')
  const secret = `--passphrase-file ${at('passphrase')}`
  const taken = await run(`backup ${at('one')} ${secret}`, here())
  expect(taken).toMatchObject({ file: at('one'), missing_files: [], encrypted: true })
  expect((await stat(at('one'))).size).toBeGreaterThan(1_000)

  const embedded = { DATA_DIR: at('embedded') }
  const restored = await run(`restore ${at('one')} ${secret}`, embedded)
  expect(restored).toMatchObject({ files: taken.files, migrated: [] })
  const world = (input: { DATABASE_URL?: string; DATA_DIR: string }) => run('world', input)
  expect(JSON.stringify((await world(embedded)).cast)).toBe(JSON.stringify((await world(here())).cast))

  await run(`backup ${at('two')} --plain`, embedded)
  await run(`restore ${at('two')}`, there())
  expect(JSON.stringify((await world(there())).cast)).toBe(JSON.stringify((await world(here())).cast))
})

it('a backup that misses a file says so and ends with 1', async () => {
  const { db } = server.database
  const gone = { key: 'assets/2026-11/0123456789abcdef.png', at: 1 }
  await sql`insert into asset (key, user_id, kind, mime, name, size, sha256, created_at)
    select ${gone.key}, id, 'image', 'image/png', 'gone.png', 1, ${Buffer.alloc(32)}, ${gone.at} from "user" limit 1`.execute(
    db,
  )
  const lines: string[] = []
  const taken = await runCommand(['backup', at('less'), '--plain'], readConfig(here(), '/'), (line) =>
    lines.push(line),
  )
  expect(taken).toMatchObject({ missing_files: [gone.key] })
  expect(process.exitCode).toBe(1)
  process.exitCode = 0
  expect(lines.join('\n')).toMatch(/1 file.+missing/)
  await sql`delete from asset where key = ${gone.key}`.execute(db)
})

it('a restore over people asks for --yes, and both commands are in the security log', async () => {
  expect(await refusal(run(`restore ${at('two')}`, there()))).toMatch(/not empty; --yes replaces/)
  await run(`restore ${at('two')} --yes`, there())
  const kinds = JSON.stringify(await run('security list', there()))
  expect(kinds).toContain('"restore"')
  expect(JSON.stringify(await run('security list', here()))).toContain('"backup"')
})

describe('backup verify', () => {
  it('restores a backup on trial, beside the database, and says what is in it', async () => {
    const secret = `--passphrase-file ${at('passphrase')}`
    const taken = await run(`backup ${at('whole')} ${secret}`, here())
    expect(await run(`backup verify ${at('whole')} ${secret}`, here())).toMatchObject({
      file: at('whole'),
      files: taken.files,
      missing_files: [],
      migrated: [],
      people: (await sql`select from "user"`.execute(server.database.db)).rows.length,
    })
    expect(JSON.stringify(await run('security list', here()))).toContain('"backup verify"')
  })

  it('is refused for a file that is cut off, has other content than it says, or needs a passphrase', async () => {
    expect(await refusal(run(`backup verify ${at('whole')}`, here()))).toMatch(/passphrase/)
    const whole = await readFile(at('two'))
    await writeFile(at('cut'), whole.subarray(0, whole.length / 2))
    expect(await refusal(run(`backup verify ${at('cut')}`, here()))).toMatch(/damaged|not whole|cut/)
    expect(await refusal(run('backup verify', here()))).toMatch(/^Name one file/)
  })

  it('needs no database of its own, and makes none', async () => {
    const nowhere = { DATA_DIR: at('nowhere') }
    expect(await run(`backup verify ${at('two')}`, nowhere)).toMatchObject({ missing_files: [] })
    expect(existsSync(at('nowhere'))).toBe(false)
  })
})
