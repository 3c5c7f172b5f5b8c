import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { contractText, type VersionHashes, withVersion } from './lock.ts'
import { routes } from './routes.ts'
import { WIRE_VERSION } from './version.ts'

const read = (name: string) => readFile(path.join(import.meta.dirname, name), 'utf8')
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

it('a contract that changed has a new version: raise it in version.ts, say in CHANGELOG.md what changed, run `node scripts/docs.ts`', async () => {
  const hashes = JSON.parse(await read('wire.versions.json')) as VersionHashes
  expect(hashes[WIRE_VERSION]).toBe(hashOf(contractText()))
})

it('the lock is the contract: run `node scripts/docs.ts`', async () => {
  expect(await read('wire.lock.json')).toBe(contractText())
})

it('a version keeps its hash, and a new version gets one', () => {
  expect(withVersion({ [WIRE_VERSION]: 'a' }, 'b')).toBeNull()
  expect(withVersion({ [WIRE_VERSION]: 'a' }, 'a')).toEqual({ [WIRE_VERSION]: 'a' })
  expect(withVersion({ '1': 'x' }, 'b')).toEqual({ '1': 'x', [WIRE_VERSION]: 'b' })
})

it('no two calls share a method and a path', () => {
  const calls = [...routes.values()].map((it) => `${it.method} ${it.path.replace(/:\w+/g, ':')}`)
  expect(new Set(calls).size).toBe(calls.length)
})
