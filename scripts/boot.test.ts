import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

// A directory with the real boot.mjs, the real Node and a script that prints the signals it receives.
const SCRIPT = `
process.on('SIGINT', () => console.log('heard SIGINT'))
process.on('SIGTERM', () => { console.log('heard SIGTERM'); setTimeout(() => process.exit(7), 50) })
setTimeout(() => process.exit(9), 20_000)
console.log('up ' + process.argv.slice(2).join(' '))
`
let house: string
let boot: ChildProcess | null = null
let heard = ''
let complained = ''

beforeEach(async () => {
  house = await mkdtemp(path.join(tmpdir(), '公会 厅-'))
  await mkdir(path.join(house, 'scripts'))
  await mkdir(path.join(house, 'server/src'), { recursive: true })
  await mkdir(path.join(house, 'node_modules/.bin'), { recursive: true })
  await copyFile(path.join(import.meta.dirname, 'boot.mjs'), path.join(house, 'scripts/boot.mjs'))
  await writeFile(path.join(house, 'package.json'), '{"type":"module","private":true}')
  await writeFile(path.join(house, 'package-lock.json'), '{"lockfileVersion":3,"packages":{}}')
  await writeFile(path.join(house, 'scripts/start.ts'), SCRIPT)
  await writeFile(path.join(house, 'server/src/cli.ts'), 'console.log(JSON.stringify(process.argv.slice(2)))')
  await symlink(process.execPath, path.join(house, 'node_modules/.bin/node'))
  await stamp()
})
afterEach(async () => {
  if (boot && boot.exitCode === null && boot.signalCode === null) boot.kill('SIGTERM')
  await rm(house, { recursive: true, force: true, maxRetries: 5 })
})

async function stamp(): Promise<void> {
  const locked = createHash('sha256').update('{"lockfileVersion":3,"packages":{}}').digest('hex')
  const file = path.join(house, 'node_modules/.guildhall-installed')
  await writeFile(file, `${locked} ${process.platform}-${process.arch}\n`)
}

function run(...args: string[]): ChildProcess {
  heard = ''
  complained = ''
  boot = spawn(process.execPath, [path.join(house, 'scripts/boot.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  boot.stdout?.on('data', (chunk) => {
    heard += chunk
  })
  boot.stderr?.on('data', (chunk) => {
    complained += chunk
  })
  return boot
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('close', resolve))
const says = (line: string) => expect.poll(() => heard, { timeout: 60_000 }).toContain(line)

it('an unknown command is refused with the known ones', async () => {
  expect(await ended(run('destroy'))).toBe(2)
  expect(complained).toMatch(/Unknown command "destroy".*start, dev, test, cli/)
})

it('arguments reach the command, and its output is its own', async () => {
  expect(await ended(run('cli', 'guild', 'create', '--name', '我的 公会'))).toBe(0)
  expect(JSON.parse(heard)).toEqual(['guild', 'create', '--name', '我的 公会'])
})

describe('signals', () => {
  it('one key press that arrives twice reaches the command once, and its exit code comes back', async () => {
    const child = run('start', 'a b')
    await says('up a b')
    const end = ended(child)
    child.kill('SIGINT')
    child.kill('SIGINT')
    await says('heard SIGINT')
    child.kill('SIGTERM')
    expect(await end).toBe(7)
    expect(heard.match(/heard SIGINT/g)).toHaveLength(1)
  })

  it('a command killed by a signal is told by the exit code', async () => {
    await writeFile(path.join(house, 'scripts/start.ts'), "process.kill(process.pid, 'SIGKILL')")
    expect(await ended(run('start'))).toBe(137)
  })
})

describe('packages', () => {
  it('that cannot be installed stop the command, and the reason is shown', async () => {
    await writeFile(path.join(house, 'package-lock.json'), 'not json')
    expect(await ended(run('start'))).toBe(1)
    expect(heard).toContain('Installing packages')
    expect(heard).toContain('npm ci failed')
    expect(heard).not.toContain('up')
  })

  it('being installed by another process are waited for', async () => {
    await rm(path.join(house, 'node_modules/.guildhall-installed'))
    const lock = path.join(house, '.install.lock')
    await writeFile(lock, String(process.pid))
    const child = run('start')
    await says(`Another command (process ${process.pid}) is installing packages`)
    await stamp()
    await rm(lock)
    await says('up')
    child.kill('SIGTERM')
    expect(await ended(child)).toBe(7)
  })
})
