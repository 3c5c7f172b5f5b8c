import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '../app/app.ts'
import { faultsOfMoney } from '../app/payments.ts'
import { readConfig } from '../config.ts'
import { readWorld, type World } from '../demo/world.ts'
import { openDatabase } from '../kit/database/db.ts'
import { readMigrations } from '../kit/database/migrate.ts'
import { openLog } from '../kit/log.ts'
import { openDisk } from '../outside/storage/disk.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { KEYS_SECRET } from '../testing/keys.ts'
import { restore } from './restore.ts'

const FIXTURES = path.join(import.meta.dirname, 'fixtures')
const migrations = await readMigrations(path.join(import.meta.dirname, '../../migrations'))
const RELEASES = (await readdir(FIXTURES)).filter((name) => name.endsWith('.backup'))

/**
 * Each released version left a backup of its demo world: this version must be able to go on from it. `lived`
 * is one of a world through which `liveThrough` went, so that a migration meets rows in every table: orders,
 * a ledger, contracts, reports.
 */
describe.each(RELEASES)('the data of %s', (release) => {
  let database: TestDatabase
  let dataDir: string
  let app: App
  let world: World
  let migrated: readonly string[]
  beforeAll(async () => {
    database = await openTestDatabase()
    dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-upgrade-'))
    const uploads = path.join(dataDir, 'uploads')
    const target = {
      connection: database.connection,
      storage: openDisk(uploads),
      incoming: path.join(uploads, 'incoming'),
      migrations,
      replaces: false,
    }
    migrated = (await restore(target, path.join(FIXTURES, release), null)).migrated
    const config = readConfig({ KEYS_SECRET, PORT: '0', DEMO: '0', DATA_DIR: dataDir }, '/')
    app = await startApp({ config, database, log: openLog('quiet'), safeFetch: null })
    world = await readWorld(database.db)
  })
  afterAll(async () => {
    await app?.close()
    await database?.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const call = async (method: 'GET' | 'POST', url: string, authorization: string | null, body?: unknown) => {
    const answer = await app.inject({
      method,
      url,
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    expect(answer.status, answer.text).toBe(200)
    return JSON.parse(answer.text)
  }

  it('gets the migrations that came later', async () => {
    const { rows } = await database.pool.query('select name from migration order by name')
    expect(rows.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name))
    expect(migrations.slice(migrations.length - migrated.length).map(({ name }) => name)).toEqual(migrated)
  })

  it('lets its people log in, read what they wrote and write more', async () => {
    const { mobile, password } = world.people.member!
    const { token } = await call('POST', '/api/v2/auth/login', null, { mobile, password })
    const channel = world.channels.find(({ type }) => type === 1)!
    const before = await call('GET', `/api/v3/message/list?target_id=${channel.id}`, token)
    expect(before.data.items.length).toBeGreaterThan(0)
    await call('POST', '/api/v3/message/create', token, {
      target_id: channel.id,
      type: 1,
      content: '我回来了',
    })
    const after = await call('GET', `/api/v3/message/list?target_id=${channel.id}`, token)
    expect(after.data.items.at(-1).content).toBe('我回来了')
  })

  it('has books that agree', async () => {
    const { db, close } = openDatabase({ connection: database.connection, name: 'test' })
    expect(await faultsOfMoney(db)).toEqual([])
    await close()
  })

  it('still has its files', async () => {
    const { rows } = await database.pool.query('select key from asset')
    expect(rows.length).toBeGreaterThan(0)
    for (const { key } of rows) expect((await app.inject({ method: 'GET', url: `/${key}` })).status).toBe(200)
  })
})
