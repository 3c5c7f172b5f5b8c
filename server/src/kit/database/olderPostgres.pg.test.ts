/**
 * The PostgreSQL of the system's packages (Debian 12 has 15), or the one of TEST_POSTGRES: the embedded
 * one, on which all other tests run, is newer.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../../cli/cli.ts'
import type { Diagnosis } from '../../cli/doctor.ts'
import { readConfig } from '../../config.ts'
import { start } from '../../main.ts'
import { findPostgres, openTestPostgres, type TestPostgres } from '../../testing/database/postgres.ts'
import { KEYS_SECRET } from '../../testing/keys.ts'
import { MIGRATIONS } from './store.ts'

const isThere = findPostgres() !== null
let postgres: TestPostgres
let directory: string
beforeAll(async () => {
  if (!isThere) return
  postgres = await openTestPostgres()
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-older-'))
})
afterAll(async () => {
  await postgres?.close()
  if (directory) await rm(directory, { recursive: true, force: true })
  process.exitCode = 0
})

it.skipIf(!isThere)(
  'takes all tables and the demo world, serves it, and is backed up and restored',
  async () => {
    const env = {
      PORT: '0',
      KEYS_SECRET,
      DATABASE_URL: postgres.url,
      DATA_DIR: directory,
      FETCH_OUTSIDE: '0',
      PAY_SANDBOX: '0',
    }
    const config = readConfig(env, '/')
    const server = await start(config)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    await server.close()
    const run = (line: string) => runCommand(line.split(' '), config)
    const world = JSON.stringify(await run('world'))
    expect(world).toContain('"owner"')
    const { findings } = (await run('doctor')) as Diagnosis
    expect(findings).toContainEqual(expect.objectContaining({ check: 'database version', health: 'ok' }))
    expect(findings.filter(({ says }) => says.includes('could not be looked at'))).toEqual([])
    const file = path.join(directory, 'of.backup')
    await run(`backup ${file} --plain`)
    await run(`restore ${file} --yes`)
    expect(JSON.stringify(await run('world'))).toBe(world)
  },
)

/** What PostgreSQL 14 does not know, by the version that brought it. */
const NEWER: Readonly<Record<number, RegExp>> = {
  15: /\bnulls not distinct\b|\bmerge into\b|\bsecurity_invoker\b|\bregexp_(?:count|instr|like|substr)\b|on delete set null \(/i,
  16: /\bany_value\b|\bis json\b|\bjson_(?:arrayagg|objectagg)\(|\brandom_normal\b|\bpg_input_is_valid\b/i,
  17: /\bjson_(?:table|query|exists|value|scalar|serialize)\(|\bto_bin\(|\breturning with\b/i,
  18: /\buuidv7\(|\breturning (?:old|new)\b|\bwithout overlaps\b|\bvirtual\b(?=.*generated)/i,
}

it('no migration has what PostgreSQL 14 does not know', async () => {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql'))
  const found: string[] = []
  for (const name of files) {
    const text = (await readFile(path.join(MIGRATIONS, name), 'utf8')).replace(/--.*$/gm, '')
    for (const [version, known] of Object.entries(NEWER))
      if (known.test(text)) found.push(`${name}: ${version}`)
  }
  expect(found).toEqual([])
})
