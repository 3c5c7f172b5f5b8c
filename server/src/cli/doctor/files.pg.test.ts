import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { openTestServer, type TestServer } from '../../testing/server.ts'
import { checkShared, checkUploads } from './files.ts'

let server: TestServer
let elsewhere: string
beforeAll(async () => {
  server = await openTestServer()
  elsewhere = await mkdtemp(path.join(tmpdir(), 'guildhall-files-'))
})
afterAll(async () => {
  await server?.close()
  await rm(elsewhere, { recursive: true, force: true })
})

const nodes = { DATABASE_URL: 'postgres://127.0.0.1/x', REDIS_URL: 'redis://127.0.0.1' }
const S3 = {
  S3_ENDPOINT: 'https://s3.example.com',
  S3_BUCKET: 'guildhall',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
}

it('several nodes whose uploads are their own are bad, before one is missed', () => {
  const found = (env: Record<string, string>) => checkShared(readConfig(env, '/'))
  expect(found(nodes)).toMatchObject([
    { check: 'files', health: 'bad', do: expect.stringMatching(/UPLOADS_SHARED_DIR/) },
  ])
  for (const fine of [{}, { ...nodes, UPLOADS_SHARED_DIR: '/mnt/uploads' }, { ...nodes, ...S3 }])
    expect(found(fine)).toMatchObject([{ health: 'ok' }])
})

it('a node that has not the newest files of the database is bad, and one of them is named', async () => {
  const { db } = server.database
  expect(await checkUploads(db, readConfig({ DATA_DIR: server.dataDir }, '/'))).toMatchObject([
    { health: 'ok' },
  ])
  expect(await checkUploads(db, readConfig({ DATA_DIR: elsewhere }, '/'))).toMatchObject([
    { check: 'files', health: 'bad', says: expect.stringMatching(/missing here, such as \w+\//) },
  ])
})
