import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDirectory, makePrivateDirectory } from './directory.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'directory-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

it.runIf(process.platform === 'linux')('a directory that the system does not make is refused', async () => {
  await expect(makeDirectory('/proc/guildhall/data')).rejects.toThrow('ENOENT')
})

it('a directory below a file is refused', async () => {
  await writeFile(path.join(home, 'file'), '')
  await expect(makeDirectory(path.join(home, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

it('a directory is made with those above it, once', async () => {
  const deep = path.join(home, 'a/b/c')
  expect(await makeDirectory(deep)).toBe(path.join(home, 'a'))
  expect(await makeDirectory(deep)).toBeUndefined()
  expect((await stat(deep)).mode & 0o777).toBe(0o700)
})

it('a private directory is closed to others, also when it was open before', async () => {
  const open = path.join(home, 'open')
  await makeDirectory(open)
  await chmod(open, 0o755)
  await makePrivateDirectory(open)
  expect((await stat(open)).mode & 0o777).toBe(0o700)
})
