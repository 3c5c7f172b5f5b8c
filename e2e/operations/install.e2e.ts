/**
 * The production installation of deploy/Dockerfile, without a container: its second stage's files and its
 * install command in an empty directory, started by the systemd unit's command with the unit's environment.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { freePort } from '../../server/src/testing/port.ts'
import { smsVariables } from '../../server/src/testing/smsServer.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const PORT = await freePort()

let directory: string
let child: ChildProcess | null = null
let output = ''

test.afterAll(async () => {
  child?.kill('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

/** What the last stage of the container file copies from the project, and what it runs to install. */
async function recipe(): Promise<{ copied: string[][]; install: string }> {
  const text = (await readFile(path.join(ROOT, 'deploy/Dockerfile'), 'utf8')).replaceAll('\\\n', ' ')
  const stage = text.slice(text.lastIndexOf('\nFROM '))
  const copied = [...stage.matchAll(/^COPY (?:--from=page \/app\/)?(.+)$/gm)].map(([, what]) =>
    what!.trim().split(/\s+/),
  )
  const install = /^RUN (npm ci .*?) &&/m.exec(stage)?.[1]
  if (!install) throw new Error('the container file installs nothing')
  return { copied, install }
}

// It installs all packages anew.
test.describe.configure({ timeout: 900_000 })

test('what the container file copies and installs, serves by the command of the systemd unit', async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-install-'))
  const { copied, install } = await recipe()
  for (const words of copied) {
    const at = words.at(-1)!
    for (const from of words.slice(0, -1)) {
      const to = path.join(directory, at.endsWith('/') ? path.join(at, path.basename(from)) : at)
      await mkdir(path.dirname(to), { recursive: true })
      await cp(path.join(ROOT, from), to, { recursive: true })
    }
  }
  execFileSync('npm', install.split(' ').slice(1), { cwd: directory, stdio: 'pipe' })

  const unit = await readFile(path.join(ROOT, 'deploy/guildhall.service'), 'utf8')
  const [, program, script] = /^ExecStart=(\S+) (\S+)$/m.exec(unit)!
  expect(path.basename(program!)).toBe('node')
  const environment = Object.fromEntries(
    /^Environment=(.*)$/m
      .exec(unit)![1]!
      .split(' ')
      .map((each) => each.split('=') as [string, string]),
  )
  child = spawn(process.execPath, [script!], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      ...environment,
      DATA_DIR: path.join(directory, 'data'),
      PORT: String(PORT),
      // Nothing is sent here.
      ...smsVariables('http://127.0.0.1:9'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => {
      output += String(chunk)
    })
  const ask = (at: string) =>
    fetch(`http://127.0.0.1:${PORT}${at}`).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      () => null,
    )
  await expect.poll(async () => (await ask('/readyz'))?.status ?? output, { timeout: 300_000 }).toBe(200)
  const page = await ask('/login')
  expect(page?.status).toBe(200)
  const [, bundle] = /<script[^>]* src="(\/[^"]+\.js)"/.exec(page!.text)!
  expect((await ask(bundle!))?.status).toBe(200)
  expect((await ask('/dev/outbox'))?.status).toBe(404)

  child.kill('SIGTERM')
  expect(await new Promise((resolve) => child!.once('close', resolve))).toBe(0)
})
