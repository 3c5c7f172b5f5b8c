/** `scripts/run.ts` as a process: what `npm start` and the unit of systemd run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mailLogin, sendMailCode } from '@guildhall/wire/auth/mail.ts'
import { nameLogin, registerName } from '@guildhall/wire/auth/name.ts'
import { createGuild } from '@guildhall/wire/guild/ownGuild.ts'
import { createInvite } from '@guildhall/wire/invite/manage.ts'
import type { AnswerOf, Route } from '@guildhall/wire/route.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from './cli/cli.ts'
import { readConfig } from './config.ts'
import { readPostmaster } from './kit/database/postgres/orphan.ts'
import { answerIn, requestOf } from './testing/calls.ts'
import { openTestDatabase, type TestDatabase } from './testing/database/database.ts'
import { KEYS_SECRET } from './testing/keys.ts'
import { smsVariables } from './testing/outside/smsServer.ts'
import { openSmtpServer } from './testing/outside/smtpServer.ts'
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

it('starts again when its database is killed before it is ready, while it makes the tables, and as soon as it answers', async () => {
  // The database runs under another account when the test runs as root.
  await chmod(directory, 0o755)
  const port = await freePort()
  const env = {
    PORT: String(port),
    PUBLIC_URL: 'https://guildhall.example.com',
    FETCH_OUTSIDE: '0',
    ...smsVariables('http://127.0.0.1:9'),
  }
  const ended = run(env)
  const postmaster = () => readPostmaster(path.join(directory, 'postgres'))
  const pid = async () => (await postmaster())?.pid || 0
  const killDatabase = async () => {
    const killed = await pid()
    // 0 would be everybody of this group.
    expect(killed).toBeGreaterThan(0)
    process.kill(killed, 'SIGKILL')
    return killed
  }
  const starts = () => lines.filter((line) => line.includes('Starting again')).length
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(pid, { interval: 5 }).toBeGreaterThan(0)
  const first = await killDatabase()
  await expect.poll(starts).toBe(1)
  // The file of the one that was killed is there until the next one writes its own.
  const nextIsReady = async () => (await pid()) !== first && (await postmaster())?.status.startsWith('ready')
  await expect.poll(nextIsReady).toBe(true)
  await killDatabase()
  // It listens before it has said that it is ready.
  await expect.poll(isReady, { interval: 5 }).toBe(true)
  expect(starts()).toBe(2)
  await killDatabase()
  await expect.poll(starts).toBe(3)
  await expect
    .poll(() => lines.slice(lines.findLastIndex((line) => line.includes('Starting again'))).join())
    .toContain('Guildhall is ready')
  child?.kill('SIGTERM')
  expect(await ended).toBe(0)
  const text = said().map(({ level, msg }) => `${level} ${msg}`)
  expect(text).toContainEqual(expect.stringMatching(/^error .*PostgreSQL ended unexpectedly \(SIGKILL\)/))
  expect(text).toContainEqual('info Starting again …')
})

describe('the examples of docs/operations.md for registering without SMS', () => {
  const examples = readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8')
    .split('\n')
    .filter((line) => /^REGISTRATION=(?!.*npm)/.test(line))
    .map((line) =>
      Object.fromEntries(
        [...line.matchAll(/(\w+)=(?:'([^']*)'|(\S+))/g)].map(([, name, quoted, bare]) => [
          name,
          quoted ?? bare,
        ]),
      ),
    )
  const exampleOf = (way: string) => examples.find(({ REGISTRATION }) => REGISTRATION === way)

  /** Starts a server in production with an example; calls it as a stranger or with a token. */
  async function start(example: Readonly<Record<string, string>>) {
    const port = await freePort()
    const env = {
      PORT: String(port),
      DATABASE_URL: database.url,
      PUBLIC_URL: 'https://guildhall.example.com',
      FETCH_OUTSIDE: '0',
      ...example,
    }
    const ended = run(env)
    await expect.poll(() => lines.join('\n')).toContain('Guildhall is ready')
    const call = async <R extends Route>(route: R, input: object, token = ''): Promise<AnswerOf<R>> => {
      const { url, method, payload } = requestOf(route, input)
      const headers = { 'content-type': 'application/json', ...(token && { authorization: token }) }
      const reply = await fetch(`http://127.0.0.1:${port}${url}`, {
        method,
        headers,
        ...(payload && { body: payload }),
      })
      return answerIn(route, { status: reply.status, text: await reply.text() })
    }
    const command = (...args: string[]) =>
      runCommand(args, readConfig({ NODE_ENV: 'production', DATA_DIR: directory, KEYS_SECRET, ...env }, '/'))
    const stop = async () => {
      child?.kill('SIGTERM')
      expect(await ended).toBe(0)
    }
    return { call, command, stop }
  }

  it('by mail: a code leaves by the server of SMTP_URL, from the sender, and makes an account', async () => {
    const mail = await openSmtpServer()
    const { call, stop } = await start({ ...exampleOf('email'), SMTP_URL: mail.url })
    const address = 'ann@example.com'
    await call(sendMailCode, { address })
    expect(mail.accepted).toMatchObject([{ from: 'no-reply@example.com', to: address }])
    const code = /\d{6}/.exec(mail.accepted[0]!.text)![0]
    const { user } = await call(mailLogin, { address, code })
    expect(user).toMatchObject({ address: 'a***@example.com', mobile_verified: true })
    await stop()
    await mail.close()
  })

  it('by invites: the first account is made by command, and opens a guild whose invite makes the next', async () => {
    const { call, command, stop } = await start({ ...exampleOf('invite') })
    const password = 'a long one 1'
    await command('user', 'create', '--username', '小安', '--password', password)
    const [made] = (await command('user', 'find', '--name', '小安')) as { identify_num: string }[]
    const { token } = await call(nameLogin, { name: `小安#${made!.identify_num}`, password })
    const { id: guild_id } = await call(createGuild, { name: '社团' }, token)
    const { url_code } = await call(createInvite, { guild_id }, token)
    const { user } = await call(registerName, { username: '新人', password, invite_code: url_code })
    expect(user.mobile_verified).toBe(true)
    await stop()
  })
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
