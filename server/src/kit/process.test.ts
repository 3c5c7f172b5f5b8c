import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { acquireLock, startTimeOf } from './process.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'lock-'))
})
afterEach(() => rm(directory, { recursive: true }))
const file = () => path.join(directory, 'lock')

async function take() {
  const lock = await acquireLock(file())
  if ('heldBy' in lock) throw new Error(`held by ${lock.heldBy}`)
  return lock
}

it('a lock of a live process cannot be taken, and names its holder', async () => {
  await take()
  expect(await acquireLock(file())).toEqual({ heldBy: process.pid })
})

it('a lock of a dead process, of a reused number, or half-written is taken over', async () => {
  const gone = spawn(process.execPath, ['-e', ''])
  await new Promise((resolve) => gone.once('exit', resolve))
  const stale = [
    { pid: gone.pid, birth: 'x' },
    { pid: process.pid, birth: 'of another program' },
  ].map((holder) => JSON.stringify(holder))
  for (const content of [...stale, '', '{"pid":']) {
    await writeFile(file(), content)
    await (await take()).release()
  }
})

it('a released lock can be taken again, and leaves no file', async () => {
  await (await take()).release()
  await (await take()).release()
  expect(await readdir(directory)).toEqual([])
})

it('releasing a lock that another process has taken since does not affect it', async () => {
  const first = await take()
  await writeFile(file(), 'of another')
  await first.release()
  expect(await readdir(directory)).toEqual(['lock'])
})

it('the start time of a process stays the same, and a dead one has none', async () => {
  expect(startTimeOf(process.pid)).toBe(startTimeOf(process.pid))
  const gone = spawn(process.execPath, ['-e', ''])
  await new Promise((resolve) => gone.once('exit', resolve))
  expect(startTimeOf(gone.pid ?? 0)).toBe(null)
})
