import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findProgram, installLine, NEEDS, type Need, programDirectories } from './packages.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-programs-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

describe('a program', () => {
  test('that is nowhere is not found', () => {
    expect(findProgram('redis-server', { PATH: directory })).toBe(null)
    expect(findProgram('redis-server', {})).toSatisfy((it) => it === null || String(it).includes('sbin'))
  })

  test('is found on the path', async () => {
    const file = path.join(directory, 'a-program-of-this-test')
    await writeFile(file, '')
    await chmod(file, 0o755)
    expect(findProgram('a-program-of-this-test', { PATH: `/nowhere:${directory}` })).toBe(file)
  })

  test('has an extension on Windows, where a path may contain a colon', async () => {
    await writeFile(path.join(directory, 'redis-server.exe'), '')
    const env = { Path: `C:\\Windows;${directory}` }
    expect(programDirectories(env, 'win32')).toEqual(['C:\\Windows', directory])
    expect(findProgram('redis-server', env, 'win32')).toBe(path.join(directory, 'redis-server.exe'))
    expect(findProgram('redis', env, 'win32')).toBe(null)
  })
})

describe('what to install', () => {
  test('is one line, by the package manager of the system', () => {
    expect(installLine(NEEDS.redis, 'apt')).toBe(
      'The tests need Redis, through which nodes talk. Install it, as root: apt-get update && apt-get install -y redis-server',
    )
    expect(installLine(NEEDS.redis, 'brew')).toContain('Install it: brew install redis')
    expect(installLine(NEEDS.chromium, 'winget')).toContain('winget install Google.Chrome')
  })

  test('is said where there is no package, and where the package manager is not known', () => {
    expect(installLine(NEEDS.redis, 'winget')).toContain('run them in WSL')
    expect(installLine(NEEDS.redis, null)).toContain('your system’s package manager')
    for (const need of Object.values(NEEDS) as Need[])
      for (const manager of ['apt', 'dnf', 'pacman', 'brew', 'winget', null] as const)
        expect(installLine(need, manager)).not.toMatch(/\n|undefined/)
  })
})
