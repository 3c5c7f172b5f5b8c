import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStorage } from './app/adapters/stores.ts'
import { type Config, readConfig } from './config.ts'
import { connectionUrl, withConnection } from './kit/database/db.ts'
import { openSharedStore, openStore } from './kit/database/store.ts'
import { OperatorError } from './kit/operatorError.ts'
import { parseRedisUrl } from './kit/redis/address.ts'
import { start } from './main.ts'
import { openTestDatabase, type TestDatabase } from './testing/database/database.ts'
import { KEYS_SECRET } from './testing/keys.ts'

let database: TestDatabase
let directory: string
let config: Config
beforeAll(async () => {
  database = await openTestDatabase()
  directory = await mkdtemp(path.join(tmpdir(), 'main-'))
  await chmod(directory, 0o711)
  const env = {
    PORT: '0',
    DEMO: '0',
    KEYS_SECRET,
    DATA_DIR: directory,
    DATABASE_URL: connectionUrl(database.connection),
  }
  config = readConfig(env, directory)
})
afterAll(async () => {
  await database.close()
  await rm(directory, { recursive: true, force: true })
})

it('a start on a used port names the port, and nothing keeps running', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const refused = start({ ...config, port })
  await expect(refused).rejects.toThrow(OperatorError)
  await expect(refused).rejects.toThrow(`Port ${port} is taken`)
  other.close()
})

it.runIf(process.platform === 'linux')(
  'a DATA_DIR that cannot be made is named, and nothing keeps running',
  async () => {
    const refused = start({ ...config, dataDir: '/proc/guildhall' })
    await expect(refused).rejects.toThrow(OperatorError)
    await expect(refused).rejects.toThrow(/^\/proc\/guildhall\S* cannot be made there; set DATA_DIR/)
  },
)

it('a PostgreSQL that does not answer is reported without its password', async () => {
  const refused = start({ ...config, databaseUrl: 'postgres://u:hunter2@127.0.0.1:1/d' })
  await expect(refused).rejects.toThrow(/DATABASE_URL does not answer/)
  await expect(refused).rejects.not.toThrow(/hunter2/)
})

it('one of several nodes is refused while its uploads are its own, before anything is opened', async () => {
  const redis = parseRedisUrl('redis://127.0.0.1:1')
  const ofSeveral = { ...config, redis, dataDir: path.join(directory, 'never') }
  await expect(start(ofSeveral)).rejects.toThrow(/REDIS_URL.+S3_ENDPOINT.+UPLOADS_SHARED_DIR/)
  expect(existsSync(ofSeveral.dataDir)).toBe(false)
})

it('a folder of the operator that is wrong is refused, before anything is opened', async () => {
  const siteDir = path.join(directory, 'site')
  await mkdir(siteDir)
  await writeFile(path.join(siteDir, 'site.json'), '{"nmae":"x"}')
  const wrong = { ...config, siteDir, databaseUrl: null, dataDir: path.join(directory, 'never') }
  await expect(start(wrong)).rejects.toThrow('SITE_DIR: site.json has the unknown field "nmae".')
  expect(existsSync(wrong.dataDir)).toBe(false)
})

it('in production a start without keys is refused, before anything is opened', async () => {
  const keys = { secret: null, former: null, file: path.join(directory, 'no.keys') }
  const without = {
    ...config,
    keys,
    production: true,
    databaseUrl: null,
    dataDir: path.join(directory, 'never'),
  }
  await expect(start(without)).rejects.toThrow(/no\.keys is missing\. Make it once by cli keys create/)
  expect(existsSync(without.dataDir)).toBe(false)
})

it('files are found at every node whose UPLOADS_SHARED_DIR is the same', async () => {
  const shared = path.join(directory, 'shared')
  const storageOf = (node: string) => {
    const DATA_DIR = path.join(directory, node)
    return openStorage(readConfig({ DATA_DIR, UPLOADS_SHARED_DIR: shared }, '/'))
  }
  const filePath = path.join(directory, 'picture')
  await writeFile(filePath, 'a picture')
  const key = 'assets/2026-11/0123456789abcdef.png'
  const sha256 = createHash('sha256').update('a picture').digest('hex')
  await storageOf('a').put(key, { path: filePath, bytes: 9, sha256, mime: 'image/png' })
  expect(await text((await storageOf('b').open(key))!)).toBe('a picture')
})

it('it is alive and ready, and does not answer after it was closed', async () => {
  const server = await start(config)
  for (const page of ['/healthz', '/readyz']) expect((await fetch(server.url + page)).status).toBe(200)
  await Promise.all([server.close(), server.close()])
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
})

it('a command beside a live server shares its embedded database, and has its own when there is none', async () => {
  const dataDir = path.join(directory, 'embedded')
  const options = { dataDir, databaseUrl: null }
  const home = await openStore(options)
  const visitor = await openSharedStore(options)
  await withConnection(visitor.connection, (query) => query('create table seen ()'))
  await visitor.close()
  expect(
    await withConnection(home.connection, (query) => query('select count(*)::int as n from seen')),
  ).toEqual([{ n: 0 }])
  await home.close()
  const alone = await openSharedStore(options)
  expect(
    await withConnection(alone.connection, (query) => query('select count(*)::int as n from seen')),
  ).toEqual([{ n: 0 }])
  await alone.close()
})
