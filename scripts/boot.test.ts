import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

// A directory with the real boot.mjs, the real Node and a script that prints the signals it receives.
const SCRIPT = `
process.on('SIGINT', () => console.log('received SIGINT'))
process.on('SIGTERM', () => { console.log('received SIGTERM'); setTimeout(() => process.exit(7), 50) })
setTimeout(() => process.exit(9), 20_000)
console.log('up ' + process.argv.slice(2).join(' '))
`
let root: string
let boot: ChildProcess | null = null
let output = ''
let complained = ''

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), '公会 厅-'))
  await mkdir(path.join(root, 'scripts'))
  await mkdir(path.join(root, 'server/src/cli'), { recursive: true })
  await mkdir(path.join(root, 'node_modules/.bin'), { recursive: true })
  await copyFile(path.join(import.meta.dirname, 'boot.mjs'), path.join(root, 'scripts/boot.mjs'))
  await writeFile(path.join(root, 'package.json'), '{"type":"module","private":true}')
  await writeFile(path.join(root, 'package-lock.json'), '{"lockfileVersion":3,"packages":{}}')
  await writeFile(path.join(root, 'scripts/start.ts'), SCRIPT)
  await writeFile(
    path.join(root, 'server/src/cli/cli.ts'),
    'console.log(JSON.stringify(process.argv.slice(2)))',
  )
  await stamp()
})
afterEach(async () => {
  if (boot && boot.exitCode === null && boot.signalCode === null) boot.kill('SIGTERM')
  await rm(root, { recursive: true, force: true, maxRetries: 5 })
})

async function stamp(): Promise<void> {
  const locked = createHash('sha256').update('{"lockfileVersion":3,"packages":{}}').digest('hex')
  const file = path.join(root, 'node_modules/.guildhall-installed')
  await writeFile(file, `${locked} ${process.platform}-${process.arch}\n`)
}

const run = (...args: string[]): ChildProcess =>
  started(process.execPath, [path.join(root, 'scripts/boot.mjs'), ...args])

function started(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  output = ''
  complained = ''
  boot = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  boot.stdout?.on('data', (chunk) => {
    output += chunk
  })
  boot.stderr?.on('data', (chunk) => {
    complained += chunk
  })
  return boot
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('close', resolve))
const expectOutput = (line: string) => expect.poll(() => output, { timeout: 60_000 }).toContain(line)

it('refuses an unknown command and lists the known ones', async () => {
  expect(await ended(run('destroy'))).toBe(2)
  expect(complained).toMatch(/Unknown command "destroy".*start, dev, test, cli/)
})

it('refuses a Node that is too old to begin with, and says where there is one', async () => {
  const old =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })"
  const args = ['--import', `data:text/javascript,${old}`, path.join(root, 'scripts/boot.mjs'), 'start']
  expect(await ended(started(process.execPath, args))).toBe(1)
  expect(complained).toMatch(/Node 18\.20\.4 is too old.+docs\/operations\.md/)
  expect(output).toBe('')
})

it('passes arguments to the command and its output through unchanged', async () => {
  expect(await ended(run('cli', 'guild', 'create', '--name', '我的 公会'))).toBe(0)
  expect(JSON.parse(output)).toEqual(['guild', 'create', '--name', '我的 公会'])
})

describe('signals', () => {
  it('passes a Ctrl-C that arrives twice on once, and exits with the exit code of the command', async () => {
    const child = run('start', 'a b')
    await expectOutput('up a b')
    const end = ended(child)
    child.kill('SIGINT')
    child.kill('SIGINT')
    await expectOutput('received SIGINT')
    child.kill('SIGTERM')
    expect(await end).toBe(7)
    expect(output.match(/received SIGINT/g)).toHaveLength(1)
  })

  it.skipIf(process.platform === 'win32')(
    'stops when the shell of npm ends: npm passes a SIGTERM on to that shell alone',
    async () => {
      const line = `"${process.execPath}" "${path.join(root, 'scripts/boot.mjs')}" start; true`
      const shell = started('/bin/sh', ['-c', line], { npm_lifecycle_event: 'start' })
      await expectOutput('up')
      shell.kill('SIGTERM')
      await expectOutput('received SIGTERM')
    },
  )

  it('reports a command killed by a signal in the exit code', async () => {
    await writeFile(path.join(root, 'scripts/start.ts'), "process.kill(process.pid, 'SIGKILL')")
    expect(await ended(run('start'))).toBe(137)
  })
})

describe('installing packages', () => {
  it('says in production what it does in lines of JSON, also why it fails', async () => {
    await writeFile(path.join(root, 'package-lock.json'), 'not json')
    const args = [path.join(root, 'scripts/boot.mjs'), 'start']
    expect(await ended(started(process.execPath, args, { NODE_ENV: 'production' }))).toBe(1)
    const lines = `${output}${complained}`.trim().split('\n')
    expect(lines.map((line) => typeof JSON.parse(line).msg)).toEqual(lines.map(() => 'string'))
    expect(output).toContain('npm ci failed')
  })

  it('stops with the reason when it fails', async () => {
    await writeFile(path.join(root, 'package-lock.json'), 'not json')
    expect(await ended(run('start'))).toBe(1)
    expect(output).toContain('Installing packages')
    expect(output).toContain('npm ci failed')
    expect(output).not.toContain('up')
  })

  it('waits for another process that is installing', async () => {
    await rm(path.join(root, 'node_modules/.guildhall-installed'))
    const lock = path.join(root, '.install.lock')
    await writeFile(lock, String(process.pid))
    const child = run('start')
    await expectOutput(`Another command (process ${process.pid}) is installing packages`)
    await stamp()
    await rm(lock)
    await expectOutput('up')
    child.kill('SIGTERM')
    expect(await ended(child)).toBe(7)
  })

  describe('after npm prune --omit=dev', () => {
    /** Instead of npm: says how it was called, and installs. */
    const NPM = `
      import { mkdirSync } from 'node:fs'
      console.error('npm ' + process.argv.slice(2).join(' '))
      if (process.argv.includes('--include=dev')) mkdirSync('node_modules/builder')
      process.exit(process.argv.includes('--include=dev') ? 0 : 3)`
    const runPruned = async (...args: string[]) => {
      const npm = path.join(root, 'npm-cli.js')
      await writeFile(npm, NPM)
      const pruned = { type: 'module', private: true, devDependencies: { builder: '1.0.0' } }
      await writeFile(path.join(root, 'package.json'), JSON.stringify(pruned))
      await writeFile(path.join(root, 'scripts/build.ts'), "console.log('built')")
      const own = path.join(root, 'scripts/boot.mjs')
      return ended(started(process.execPath, [own, ...args], { npm_execpath: npm }))
    }

    it('a build installs what builds, once', async () => {
      expect([await runPruned('build'), output]).toEqual([0, expect.stringContaining('Installing packages')])
      expect(output).toContain('built')
      expect([await runPruned('build'), output]).toEqual([0, 'built\n'])
    })

    it('a command installs nothing', async () => {
      expect([await runPruned('cli', 'world'), output]).toEqual([0, '["world"]\n'])
    })
  })

  it('a release installs what serves and no more', async () => {
    await writeFile(path.join(root, 'release.json'), '{}')
    await writeFile(path.join(root, 'package-lock.json'), '{"lockfileVersion":3}')
    const npm = path.join(root, 'npm-cli.js')
    await writeFile(npm, "console.error(process.argv.slice(2).join(' ')); process.exit(3)")
    const args = [path.join(root, 'scripts/boot.mjs'), 'start']
    expect(await ended(started(process.execPath, args, { npm_execpath: npm }))).toBe(1)
    expect(complained).toMatch(/^ci --omit=dev .*--workspace=server/)
    expect(complained).not.toContain('web')
  })

  it('a release builds and tests nothing', async () => {
    await writeFile(path.join(root, 'release.json'), '{}')
    expect(await ended(run('test'))).toBe(2)
    expect(complained).toContain('This is a release, which runs start and cli')
  })
})
