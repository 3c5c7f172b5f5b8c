import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDiskOf } from './disk.ts'
import { openSpool } from './spool.ts'

const MB = 1024 * 1024
const file = (megabytes: number) =>
  Readable.from(Array.from({ length: megabytes }, () => Buffer.alloc(MB, 1)))

it('a disk has room while more than its reserve is free', async () => {
  const { free, total } = await openDiskOf(tmpdir(), 0).space()
  expect(free).toBeGreaterThan(0)
  expect(total).toBeGreaterThanOrEqual(free)
  await openDiskOf(tmpdir(), 0).requireRoom()
  await expect(openDiskOf(tmpdir(), total + 1).requireRoom()).rejects.toThrow('asset.no_space')
})

/** A disk of its own needs the right to mount one. */
const mayMount = process.platform === 'linux' && process.getuid?.() === 0

describe.runIf(mayMount)('a small disk', () => {
  let home: string
  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'disk-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', home])
  })
  afterAll(async () => {
    execFileSync('umount', [home])
    await rm(home, { recursive: true, force: true })
  })

  it('refuses a file that does not fit, and keeps nothing of it', async () => {
    const spool = openSpool(path.join(home, 'incoming'))
    await expect(spool.receive(file(40), 'a', 100 * MB)).rejects.toThrow('asset.no_space')
    expect(await readdir(path.join(home, 'incoming'))).toEqual([])
    expect(await spool.receive(file(1), 'a', 100 * MB)).toMatchObject({ bytes: MB })
  })

  it('is looked at while a file arrives, and its reserve stays free', async () => {
    const disk = openDiskOf(home, 12 * MB)
    const spool = openSpool(path.join(home, 'incoming'), disk)
    await expect(spool.receive(file(40), 'a', 100 * MB)).rejects.toThrow('asset.no_space')
    expect((await disk.space()).free).toBeGreaterThan(12 * MB)
  })
})
