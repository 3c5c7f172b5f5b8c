import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { S3 } from '../../config.ts'
import { openDisk } from './disk.ts'
import { openS3 } from './s3.ts'
import { type Finished, isKey, type Storage } from './storage.ts'

let home: string
let store: InstanceType<typeof S3rver>
let bucket: S3

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'guildhall-storage-'))
  store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: path.join(home, 'store'),
    configureBuckets: ['hall', 'assets'].map((name) => ({ name, configs: [] })),
  })
  const { port } = await store.run()
  bucket = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'hall',
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  }
})

afterAll(async () => {
  await store.close()
  await rm(home, { recursive: true, force: true })
})

let count = 0
async function finished(content: Buffer): Promise<Finished> {
  const filePath = path.join(home, 'incoming', String(count++))
  await mkdir(path.dirname(filePath), { recursive: true })
  await writeFile(filePath, content)
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { path: filePath, bytes: content.length, sha256, mime: 'application/zip' }
}

describe.each<[string, () => Storage]>([
  ['a directory', () => openDisk(path.join(home, 'disk'))],
  ['a bucket', () => openS3(bucket)],
])('%s', (_name, open) => {
  const key = 'attachments/2026-11/21/Abc_12345678.zip'
  const content = Buffer.from(Array.from({ length: 300_000 }, (_each, at) => at % 251))

  it('has no file under an unused key, and removing it has no effect', async () => {
    const storage = open()
    expect(await storage.open('assets/2026-11/nobody1.png')).toBeNull()
    await storage.remove('assets/2026-11/nobody1.png')
  })

  it.each([
    '../outside.txt',
    'assets/../../etc/passwd',
    '/etc/passwd',
    'assets/2026-11/..',
    'a/%2e%2e/b',
    'assets',
  ])('has nothing under %s, and takes nothing there', async (wrong) => {
    const storage = open()
    expect(isKey(wrong)).toBe(false)
    expect(await storage.open(wrong)).toBeNull()
    await expect(storage.put(wrong, await finished(Buffer.from('x')))).rejects.toThrow()
    await expect(storage.remove(wrong)).rejects.toThrow()
  })

  it('returns a stored file, whole and in ranges, until it is removed', async () => {
    const storage = open()
    const file = await finished(content)
    await storage.put(key, file)
    expect(await readdir(path.dirname(file.path))).not.toContain(path.basename(file.path))
    expect((await buffer((await storage.open(key))!)).equals(content)).toBe(true)
    const part = await buffer((await storage.open(key, { first: 1_000, last: 1_999 }))!)
    expect(part.equals(content.subarray(1_000, 2_000))).toBe(true)
    await storage.remove(key)
    expect(await storage.open(key)).toBeNull()
  })

  it('stores an empty file', async () => {
    const storage = open()
    await storage.put('attachments/2026-11/21/empty123.txt', await finished(Buffer.alloc(0)))
    expect((await buffer((await storage.open('attachments/2026-11/21/empty123.txt'))!)).length).toBe(0)
  })
})

describe('a bucket', () => {
  it('refuses a wrong secret, and the message contains neither secret nor key', async () => {
    const storage = openS3({ ...bucket, secretAccessKey: 'wrong-secret' })
    const put = storage.put('assets/2026-11/refused1.png', await finished(Buffer.from('x')))
    await expect(put).rejects.toThrow('the S3 store answers PUT with 403 SignatureDoesNotMatch')
    expect(await openS3(bucket).open('assets/2026-11/refused1.png')).toBeNull()
  })

  it('is part of the host name when the address has a placeholder for it', async () => {
    const { port } = new URL(bucket.endpoint)
    // A host whose subdomains resolve to this machine. There, `assets` is a bucket.
    const storage = openS3({ ...bucket, bucket: '127', endpoint: `http://{bucket}.0.0.1:${port}` })
    await storage.put('assets/2026-11/inhost12.png', await finished(Buffer.from('in the host')))
    expect(await readdir(path.join(home, 'store/assets/2026-11'))).not.toEqual([])
    expect((await buffer((await storage.open('assets/2026-11/inhost12.png'))!)).toString()).toBe(
      'in the host',
    )
  })
})
