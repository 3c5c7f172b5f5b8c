/** `scripts/run.ts` as a process: what `npm start` and the unit of systemd run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from './testing/database/database.ts'
import { KEYS_SECRET } from './testing/keys.ts'
import { smsVariables } from './testing/outside/smsServer.ts'
import { freePort } from './testing/port.ts'

const ROOT = path.join(import.meta.dirname, '../..')

let database: TestDatabase
let directory: string
let child: ChildProcess | null = null
let lines: string[] = []
beforeEach(async () => {
  database = await openTestDatabase()
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-start-'))
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await database.close()
  await rm(directory, { recursive: true, force: true })
})

/** Runs in production; resolves with the exit status. What it says is in `lines`. */
async function run(env: Readonly<Record<string, string>>, before = ''): Promise<number | null> {
  const script = `${before}
    import { run } from ${JSON.stringify(path.join(ROOT, 'scripts/run.ts'))}
    await run(async () => undefined)`
  lines = []
  child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', DATA_DIR: directory, KEYS_SECRET, ...env },
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => lines.push(...String(chunk).split('\n').filter(Boolean)))
  return new Promise((resolve) => child?.once('close', resolve))
}
const said = () => lines.map((line) => JSON.parse(line) as { level: string; msg: string; at: number })

it('says in production why it does not start in a line of JSON', async () => {
  expect(await run({})).toBe(1)
  expect(said()).toEqual([
    { level: 'error', at: expect.any(Number), msg: expect.stringContaining('SMS_PROVIDER') },
  ])
})

it('says everything in production in lines of JSON: tables, warnings, that it is ready, that it stops', async () => {
  const env = {
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    PUBLIC_URL: 'https://guildhall.example.com',
    FETCH_OUTSIDE: '0',
    ...smsVariables('http://127.0.0.1:9'),
  }
  const ended = run(env, "process.emitWarning('an old way');")
  await expect.poll(() => lines.join('\n')).toContain('Guildhall is ready')
  child?.kill('SIGTERM')
  expect(await ended).toBe(0)
  const text = said().map(({ level, msg }) => `${level} ${msg}`)
  expect(text).toContainEqual(expect.stringMatching(/^warn .*TRUSTED_PROXIES/))
  expect(text).toContainEqual(expect.stringMatching(/^warn .*an old way/))
  expect(text).toContainEqual('info Stopped.')
})

it('says in production what ended it, in a line of JSON', async () => {
  expect(
    await run(
      { ...smsVariables('http://127.0.0.1:9') },
      "setTimeout(() => { throw new Error('nobody caught') }, 0);",
    ),
  ).toBe(1)
  expect(said()).toContainEqual(
    expect.objectContaining({ level: 'fatal', err: expect.objectContaining({ message: 'nobody caught' }) }),
  )
})
