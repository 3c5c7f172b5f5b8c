import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSpool } from './spool.ts'

let dir = ''
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'guildhall-spool-'))
})
afterEach(() => rm(dir, { recursive: true }))

it('an upload that breaks off while its file is opened leaves no file', async () => {
  const spool = openSpool(dir)
  const breakOff = () => {
    const stream = new Readable({
      read() {
        this.destroy(new Error('broken off'))
      },
    })
    return spool.receive(stream, 'a.txt', 10)
  }
  const all = await Promise.allSettled(Array.from({ length: 100 }, breakOff))
  expect(all.every(({ status }) => status === 'rejected')).toBe(true)
  expect(await readdir(dir)).toEqual([])
})

it('a directory that cannot be written to is an error, not a wait', async () => {
  await expect(openSpool('/dev/null/x').receive(Readable.from(['x']), 'a.txt', 10)).rejects.toThrow()
})
