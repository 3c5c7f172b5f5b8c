/**
 * A release as an operator has it: made by the printed command in a clone, unpacked where there is nothing
 * else, started, and followed by a version that brings a migration, and by the way back.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { freePort } from '../../server/src/testing/port.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const VERSION = '99.0.0'
const INVITE = /\/invite\/\w+/

let directory: string
let child: ChildProcess | null = null
const at = (...steps: string[]) => path.join(directory, ...steps)
const release = () => at(`guildhall-${VERSION}`)

test.beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-release-'))
})
test.afterAll(async () => {
  child?.kill('SIGKILL')
  await rm(directory, { recursive: true, force: true, maxRetries: 5 })
})

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Operator', '-c', 'user.email=operator@example.com', ...args], {
    cwd: at('clone'),
    encoding: 'utf8',
    stdio: 'pipe',
  })

/** Makes the release. @throws with what it complained of */
const make = (version: string) =>
  execFileSync(process.execPath, ['scripts/release.ts', version], {
    cwd: at('clone'),
    encoding: 'utf8',
    stdio: 'pipe',
    env: {
      ...process.env,
      GIT_AUTHOR_NAME: 'Operator',
      GIT_AUTHOR_EMAIL: 'operator@example.com',
      GIT_COMMITTER_NAME: 'Operator',
      GIT_COMMITTER_EMAIL: 'operator@example.com',
    },
  })

const refusal = (version: string): string => {
  try {
    make(version)
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr)
  }
  throw new Error(`${version} was released`)
}

/** Packages are those of this tree, and the workspaces those of the clone. */
async function linkPackages(workspace: string): Promise<void> {
  const [from, to] = [path.join(ROOT, workspace, 'node_modules'), at('clone', workspace, 'node_modules')]
  const names = await readdir(from).catch(() => [])
  await mkdir(to)
  for (const name of names.filter((it) => it !== '@guildhall'))
    await symlink(path.join(from, name), path.join(to, name))
  if (workspace !== '.') return
  await mkdir(path.join(to, '@guildhall'))
  for (const name of ['wire', 'server', 'sandbox', 'web'])
    await symlink(at('clone', name), path.join(to, '@guildhall', name))
}

test.describe.configure({ timeout: 600_000, mode: 'serial' })

test('a release is refused without a version, with changes, and without what is said of it', async () => {
  execFileSync('git', ['clone', '--quiet', ROOT, at('clone')])
  for (const workspace of ['.', 'server', 'web']) await linkPackages(workspace)
  expect(refusal('1.2')).toContain('npm run release -- VERSION')
  expect(refusal(VERSION)).toContain(`CHANGELOG.md needs a section "## ${VERSION}"`)
  const changes = await readFile(at('clone/CHANGELOG.md'), 'utf8')
  await writeFile(at('clone/CHANGELOG.md'), `${changes}\n## ${VERSION}\n\nEverything.\n`)
  expect(refusal(VERSION)).toContain('not committed')
})

test('it is a commit, a tag and a tarball, and a second run makes the tarball again', async () => {
  git('commit', '--quiet', '--all', '-m', 'changelog: what is new')
  expect(make(VERSION)).toContain(`Tagged v${VERSION}. Nothing was pushed.`)
  expect(git('status', '--porcelain')).toBe('')
  expect(git('log', '-1', '--format=%s').trim()).toBe(`release: ${VERSION}`)
  const head = git('rev-parse', 'HEAD')
  expect(git('rev-parse', `v${VERSION}^{commit}`)).toBe(head)
  make(VERSION)
  expect(git('rev-parse', 'HEAD')).toBe(head)
  execFileSync('tar', ['xzf', at('clone/release', `guildhall-${VERSION}.tar.gz`)], { cwd: directory })
  const made = JSON.parse(await readFile(path.join(release(), 'release.json'), 'utf8')) as unknown
  expect(made).toEqual({ version: VERSION, commit: head.trim() })
})

test('the tarball starts by itself; a later version migrates its data, and the way back is open', async () => {
  const port = await freePort()
  let output = ''
  const ask = (address: string) =>
    fetch(`http://127.0.0.1:${port}${address}`).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      () => null,
    )
  const start = async (directory: string, command = 'start') => {
    output = ''
    const env = { ...process.env, PORT: String(port), DATA_DIR: at('data'), KEYS_FILE: at('keys') }
    child = spawn(process.execPath, ['scripts/boot.mjs', command], { cwd: directory, env, stdio: 'pipe' })
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk) => {
        output += String(chunk)
      })
    const ended = new Promise<number | null>((resolve) => child!.once('close', resolve))
    await expect
      .poll(async () => (await ask('/readyz'))?.status ?? child!.exitCode ?? output, { timeout: 300_000 })
      .toBe(200)
    // The invite is printed after the server is ready.
    await expect.poll(() => output).toMatch(INVITE)
    return async () => {
      child!.kill('SIGTERM')
      expect(await ended).toBe(0)
    }
  }
  const inviteOf = () => INVITE.exec(output)![0]

  const stop = await start(release())
  const invite = inviteOf()
  const [, bundle] = /<script[^>]* src="(\/[^"]+\.js)"/.exec((await ask('/login'))!.text)!
  expect((await ask(bundle!))?.status).toBe(200)
  await stop()

  const next = at('next')
  await cp(release(), next, { recursive: true, verbatimSymlinks: true })
  await writeFile(path.join(next, 'server/migrations/9999-next.sql'), 'create table next_version (n int);\n')
  const stopNext = await start(next)
  expect(output).toContain('9999-next.sql')
  expect((await ask(invite))?.status).toBe(200)
  await stopNext()

  const stopAgain = await start(release())
  expect(inviteOf()).toBe(invite)
  expect((await ask(invite))?.status).toBe(200)
  await stopAgain()
})
