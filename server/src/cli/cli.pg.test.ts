import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Config, readConfig } from '../config.ts'
import { recordAddress } from '../kit/servedAddress.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { environmentOf, runCommand } from './cli.ts'
import { describeDatabase } from './command.ts'

describe('on an empty database', () => {
  let database: TestDatabase
  let config: Config
  beforeAll(async () => {
    database = await openTestDatabase()
    // Development, where the server's start would make a demo world.
    config = readConfig({ DATABASE_URL: database.url }, '/')
  })
  afterAll(() => database.close())
  const people = async () =>
    (await sql<{ username: string }>`select username from "user"`.execute(database.db)).rows

  it('the world is empty, and stays so', async () => {
    expect(config.demo).toBe(true)
    expect(await runCommand(['world'], config)).toEqual({ cast: {}, guilds: [], channels: [], invites: [] })
    expect(await people()).toEqual([])
  })

  it('a command makes what it says and no demo world', async () => {
    await runCommand('user create --mobile 13300000001 --username 第一人'.split(' '), config)
    expect(await people()).toEqual([{ username: '第一人' }])
  })

  it('a command says which database it means, without the password, and not in its answer', async () => {
    const said: string[] = []
    await runCommand(['world'], config, (line) => said.push(line))
    expect(said).toEqual([describeDatabase(config)])
    expect(
      describeDatabase({ databaseUrl: 'postgres://me:secret@db.example:5433/guild%20hall', dataDir: '/x' }),
    ).toBe('Database: db.example:5433/guild hall')
    expect(describeDatabase({ databaseUrl: null, dataDir: '/var/lib/guildhall' })).toBe(
      'Database: embedded in /var/lib/guildhall',
    )
    expect(said.join()).not.toContain(new URL(database.url).password || 'no password')
  })
})

it('a process prints one JSON value on stdout, all else on stderr, and ends with 1 when it is refused', async () => {
  const database = await openTestDatabase()
  const entry = path.join(import.meta.dirname, 'cli.ts')
  const env = { ...process.env, DATABASE_URL: database.url }
  const run = (...args: string[]) =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(process.execPath, [entry, ...args], { env }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      )
    })
  const world = await run('world')
  expect([world.code, JSON.parse(world.stdout)]).toMatchObject([0, { guilds: [] }])
  expect(world.stderr).toMatch(/^Database: [^\n]+\n$/)
  const refused = await run('guild', 'restore', '--guild', '9')
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr.trim().split('\n').at(-1)).toMatch(/^guild\.not_closed: /)
  await database.close()
})

it('--env-file reads variables from a file; those of the environment go before them', async () => {
  const database = await openTestDatabase()
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-env-'))
  const file = path.join(directory, 'guildhall.env')
  await writeFile(
    file,
    `# of the unit\nDATABASE_URL="${database.url}"\nDATA_DIR=/nowhere\nNODE_ENV=production\n`,
  )
  const env = environmentOf(['--env-file', file, 'user', 'find'], { DATA_DIR: directory })
  expect(env).toEqual({
    args: ['user', 'find'],
    env: { DATABASE_URL: database.url, DATA_DIR: directory, NODE_ENV: 'production' },
  })
  expect(environmentOf(['world', `--env-file=${file}`], {}).env.DATA_DIR).toBe('/nowhere')
  expect(() => environmentOf(['--env-file', path.join(directory, 'none'), 'world'], {})).toThrow(
    /none cannot be read: ENOENT/,
  )
  expect(() => environmentOf(['world', '--env-file'], {})).toThrow(/--env-file needs a file/)
  await rm(directory, { recursive: true })
  await database.close()
})

describe('on a database with people', () => {
  let world: TestWorld
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  it('what destroys is refused without --yes, with a sentence that says what would be gone', async () => {
    const guild = String(world.guilds[0]?.id)
    const { role_id } = (await world.command('role', 'create', '--guild', guild, '--name', '短命')) as {
      role_id: number
    }
    const ofRole = ['--guild', guild, '--role', String(role_id)]
    await expect(world.command('role', 'delete', ...ofRole)).rejects.toThrow(
      `Role ${role_id} of guild ${guild} is deleted; its members lose it. Add --yes to do it.`,
    )
    expect(await world.command('role', 'update', ...ofRole, '--name', '还在')).toMatchObject({ role_id })
    expect(await world.command('role', 'delete', ...ofRole, '--yes')).toMatchObject({ role_id })
  })

  it('a lost second factor is turned off: sessions end, it is recorded, and twice is refused', async () => {
    const { db } = world.database
    const token = await world.tokenOf('muted')
    const user = String(world.people.muted.id)
    await sql`insert into second_factor (user_id, secret, created_at, used_steps, recovery)
      values (${user}, 'sealed', 1, '{}', '{}')`.execute(db)
    expect(await world.command('user', 'find', '--user', user)).toMatchObject([{ second_factor: true }])
    const command = ['user', 'second-factor-off', '--user', user]
    expect(await world.command(...command)).toMatchObject({ second_factor: false, sessions: [] })
    await expect(world.command(...command)).rejects.toMatchObject({ failure: 'auth.second_factor_off' })
    await expect(world.as({ token }).call(userState)).rejects.toMatchObject({ failure: 'not_logged_in' })
    const found = await sql`select actor from security_event
      where kind = 'second factor off' and user_id = ${user}`.execute(db)
    expect(found.rows).toEqual([{ actor: 'operator' }])
  })

  it('links have the address of the server that started last on the data directory, unless PUBLIC_URL is given', async () => {
    const guild = String(world.guilds[0]?.id)
    const dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-cli-'))
    const env = { DATABASE_URL: world.database.url, DATA_DIR: dataDir }
    const create = (more: object = {}) =>
      runCommand(['invite', 'create', '--guild', guild], readConfig({ ...env, ...more }, '/'))
    expect(await create()).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/invite\//),
    })
    await recordAddress(dataDir, 'http://127.0.0.1:24817')
    expect(await create()).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:24817\/invite\//),
    })
    const PUBLIC_URL = 'https://guildhall.example.com'
    expect(await create({ PUBLIC_URL })).toMatchObject({
      url: expect.stringContaining(`${PUBLIC_URL}/invite/`),
    })
    await rm(dataDir, { recursive: true })
  })
})
