import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readKeyFile } from './keyFile.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'guildhall-keys-'))
})
afterAll(() => rm(dir, { recursive: true }))

test('a file that is no key is refused, and stays as it is', async () => {
  const file = path.join(dir, 'broken.key')
  await writeFile(file, 'short')
  await expect(readKeyFile(file)).rejects.toThrow('is no key')
  expect((await stat(file)).size).toBe(5)
})

test('a key is made once, however many ask for it at the same time, and only its account reads it', async () => {
  const file = path.join(dir, 'new/a.key')
  const keys = await Promise.all(Array.from({ length: 10 }, () => readKeyFile(file)))
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
  expect(await readKeyFile(file)).toEqual(keys[0])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(path.dirname(file))).toEqual(['a.key'])
})
