/**
 * The production installation of deploy/Dockerfile, without a container: its second stage's files and its
 * install command in an empty directory, started by the systemd unit's command with the unit's environment,
 * and then by the container's, as its user.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { smsVariables } from '../../server/src/testing/outside/smsServer.ts'
import { freePort } from '../../server/src/testing/port.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const PORT = await freePort()
const CREATE_KEYS = ['server/src/cli/cli.ts', 'keys', 'create']

let directory: string
let child: ChildProcess | null = null
let output = ''

test.afterAll(async () => {
  child?.kill('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

interface Recipe {
  readonly copied: readonly string[][]
  /** One command after the other. */
  readonly install: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly uid: number
  readonly command: readonly string[]
  readonly health: readonly string[]
}

/**
 * What the last stage of the container file copies from the project, what it runs to install, and what
 * serves.
 */
async function recipe(): Promise<Recipe> {
  const text = (await readFile(path.join(ROOT, 'deploy/Dockerfile'), 'utf8')).replaceAll('\\\n', ' ')
  const fixture = text.slice(text.lastIndexOf('\nFROM '))
  const found = (pattern: RegExp): string => {
    const [, it] = pattern.exec(fixture) ?? []
    if (!it) throw new Error(`the container file has no ${pattern}`)
    return it
  }
  const copied = [...fixture.matchAll(/^COPY (?:--from=page \/app\/)?(.+)$/gm)].map(([, what]) =>
    what!.trim().split(/\s+/),
  )
  // The cache of this machine stays.
  const install = found(/^RUN (npm ci .*)$/m)
    .split(' && ')
    .filter((command) => !command.startsWith('npm cache'))
  return {
    copied,
    install,
    environment: variablesIn(found(/^ENV (.*)$/m)),
    uid: Number(found(/^USER (\d+):\1$/m)),
    command: JSON.parse(found(/^CMD (\[.*\])$/m)) as string[],
    health: JSON.parse(found(/^HEALTHCHECK .*CMD (\[.*\])$/m)) as string[],
  }
}

const variablesIn = (line: string): Record<string, string> =>
  Object.fromEntries(line.split(' ').map((each) => each.split('=') as [string, string]))

function listen(): void {
  for (const stream of [child!.stdout!, child!.stderr!])
    stream.on('data', (chunk) => {
      output += String(chunk)
    })
}

const ask = (at: string) =>
  fetch(`http://127.0.0.1:${PORT}${at}`).then(
    async (answer) => ({ status: answer.status, text: await answer.text() }),
    () => null,
  )
const becomesReady = () =>
  expect.poll(async () => (await ask('/readyz'))?.status ?? output, { timeout: 300_000 }).toBe(200)

async function stop(): Promise<void> {
  child!.kill('SIGTERM')
  expect(await new Promise((resolve) => child!.once('close', resolve))).toBe(0)
}

// It installs all packages anew.
test.describe.configure({ timeout: 900_000 })

test('what the container file copies and installs, serves by the command of the systemd unit', async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-install-'))
  const { copied, install } = await recipe()
  for (const content of copied) {
    const at = content.at(-1)!
    for (const from of content.slice(0, -1)) {
      const to = path.join(directory, at.endsWith('/') ? path.join(at, path.basename(from)) : at)
      await mkdir(path.dirname(to), { recursive: true })
      await cp(path.join(ROOT, from), to, { recursive: true })
    }
  }
  for (const line of install) execFileSync('/bin/sh', ['-c', line], { cwd: directory, stdio: 'pipe' })
  // The image has one Node, its own.
  const names = await readdir(path.join(directory, 'node_modules'))
  expect(names.filter((name) => /^node-(?:bin-)?(?:linux|darwin|win)/.test(name))).toEqual([])

  const unit = await readFile(path.join(ROOT, 'deploy/guildhall.service'), 'utf8')
  const [, program, script] = /^ExecStart=(\S+) (\S+)$/m.exec(unit)!
  expect(path.basename(program!)).toBe('node')
  const environment = variablesIn(/^Environment=(.*)$/m.exec(unit)![1]!)
  const env = {
    PATH: process.env.PATH,
    ...environment,
    DATA_DIR: path.join(directory, 'data'),
    KEYS_FILE: path.join(directory, 'unit.keys'),
    PORT: String(PORT),
    // Nothing is sent here.
    ...smsVariables('http://127.0.0.1:9'),
  }
  execFileSync(process.execPath, CREATE_KEYS, { cwd: directory, env })
  child = spawn(process.execPath, [script!], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  listen()
  await becomesReady()
  const page = await ask('/login')
  expect(page?.status).toBe(200)
  const [, bundle] = /<script[^>]* src="(\/[^"]+\.js)"/.exec(page!.text)!
  expect((await ask(bundle!))?.status).toBe(200)
  expect((await ask('/dev/outbox'))?.status).toBe(404)

  await stop()
})

test('as the number that the container runs as, its command serves with the embedded database, and is healthy', async () => {
  test.skip(process.getuid?.() !== 0, 'only root becomes another account')
  const { uid, environment, command, health } = await recipe()
  const data = path.join(directory, 'container-data')
  const keys = path.join(directory, 'container-keys')
  for (const each of [data, keys]) {
    await mkdir(each)
    await chown(each, uid, uid)
  }
  await chmod(directory, 0o755)
  const env = {
    PATH: process.env.PATH,
    ...environment,
    DATA_DIR: data,
    KEYS_FILE: path.join(keys, 'keys'),
    PORT: String(PORT),
    ...smsVariables('http://127.0.0.1:9'),
  }
  const as = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs']
  const options = { cwd: directory, env } as const
  // `node` of the image is the one of this test.
  const inContainer = ([program = '', ...rest]: readonly string[]) => [
    ...as,
    program === 'node' ? process.execPath : program,
    ...rest,
  ]
  execFileSync('setpriv', inContainer(['node', ...CREATE_KEYS]), options)
  output = ''
  child = spawn('setpriv', inContainer(command), { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  listen()
  await becomesReady()
  execFileSync('setpriv', inContainer(health), options)
  await stop()
  expect(() => execFileSync('setpriv', inContainer(health), { ...options, stdio: 'pipe' })).toThrow()
})
