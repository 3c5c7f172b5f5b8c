/**
 * `npm run release -- VERSION`: makes a version of what is committed. It writes the version into the package
 * files, leaves a backup of its demo world for tests of later versions, commits both, tags the commit, builds
 * the page and writes `release/guildhall-VERSION.tar.gz`: what serves, with the built page, without what
 * builds and tests. It runs no tests and pushes nothing; a second run makes the same tarball again.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { runCommand } from '../server/src/cli/cli.ts'
import { readConfig } from '../server/src/config.ts'
import { OperatorError } from '../server/src/kit/operatorError.ts'
import { start } from '../server/src/main.ts'
import { KEYS_SECRET } from '../server/src/testing/keys.ts'
import { buildWeb } from './web.ts'

const ROOT = path.dirname(import.meta.dirname)
const PACKAGES = ['', 'wire', 'server', 'sandbox', 'web']
const VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,4}$/

/** What a release has of the tree, as git's patterns of paths. */
const SERVED = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'LICENSE',
  'README*.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs',
  'deploy',
  'scripts/boot.mjs',
  'scripts/start.ts',
  'scripts/serve.ts',
  'scripts/run.ts',
  'scripts/say.ts',
  'scripts/signal.ts',
  'scripts/web.ts',
  'web/package.json',
  'wire/package.json',
  'wire/src',
  'sandbox/package.json',
  'sandbox/src',
  'server/package.json',
  'server/src',
  'server/migrations',
  ':(exclude,glob)**/*.test.ts',
  ':(exclude)server/src/testing',
  ':(exclude)server/src/backup/fixtures',
]

async function git(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: ROOT, maxBuffer: 1 << 26 })
  return stdout.trim()
}

/** @throws OperatorError with what is missing for a release of this version */
async function checkReady(version: string): Promise<void> {
  if (!VERSION.test(version)) throw new OperatorError('npm run release -- VERSION: three numbers, as 1.2.3')
  if ((await git('status', '--porcelain')) !== '')
    throw new OperatorError('There are changes that are not committed. A release is made of what is.')
  const changes = await readFile(path.join(ROOT, 'CHANGELOG.md'), 'utf8')
  const [, heading] = new RegExp(`^## (${version.replaceAll('.', '\\.')}(?: .*)?)$`, 'm').exec(changes) ?? []
  if (!heading || heading.includes('not released'))
    throw new OperatorError(
      `CHANGELOG.md needs a section "## ${version}" with what people and operators notice.`,
    )
  const tagged = await git('tag', '--list', `v${version}`)
  if (tagged !== '' && (await git('rev-parse', `v${version}^{commit}`)) !== (await git('rev-parse', 'HEAD')))
    throw new OperatorError(`v${version} is another commit. Check it out to make its tarball again.`)
}

/** Writes the version where packages name it. A second run changes nothing. */
async function writeVersion(version: string): Promise<void> {
  const change = async (file: string, set: (content: Record<string, unknown>) => void) => {
    const content = JSON.parse(await readFile(path.join(ROOT, file), 'utf8')) as Record<string, unknown>
    set(content)
    await writeFile(path.join(ROOT, file), `${JSON.stringify(content, null, 2)}\n`)
  }
  for (const name of PACKAGES)
    await change(path.join(name, 'package.json'), (content) => {
      content.version = version
    })
  await change('package-lock.json', (content) => {
    content.version = version
    const packages = content.packages as Record<string, { version?: string }>
    for (const name of PACKAGES) packages[name]!.version = version
  })
}

/** A backup of this version's demo world, from which every later version is tested, by the key of tests. */
async function leaveBackup(version: string): Promise<void> {
  const file = path.join(ROOT, `server/src/backup/fixtures/${version}.backup`)
  if (existsSync(file)) return
  const dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-release-'))
  try {
    const config = readConfig({ DATA_DIR: path.join(dataDir, 'data'), PORT: '0', KEYS_SECRET }, ROOT)
    const server = await start(config)
    try {
      await runCommand(['backup', file, '--plain'], config)
    } finally {
      await server.close()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function commitAndTag(version: string): Promise<void> {
  await git('add', '--all')
  if ((await git('status', '--porcelain')) !== '') await git('commit', '--quiet', '-m', `release: ${version}`)
  if ((await git('tag', '--list', `v${version}`)) === '')
    await git('tag', '--annotate', `v${version}`, '-m', version)
}

/** The tree's files, and beside them the built page, each folder of it under its own prefix. */
async function writeTarball(version: string): Promise<string> {
  const name = `guildhall-${version}`
  const file = path.join(ROOT, 'release', `${name}.tar.gz`)
  const dist = path.join(ROOT, 'web/dist')
  const built = (await readdir(dist, { recursive: true, withFileTypes: true })).filter((it) => it.isFile())
  const added = built.flatMap((it) => [
    `--prefix=${name}/${path.relative(ROOT, it.parentPath).replaceAll(path.sep, '/')}/`,
    `--add-file=${path.join(it.parentPath, it.name)}`,
  ])
  const made = JSON.stringify({ version, commit: await git('rev-parse', 'HEAD') })
  await mkdir(path.dirname(file), { recursive: true })
  const tree = [
    `--prefix=${name}/`,
    `--add-virtual-file=${name}/release.json:${made}`,
    'HEAD',
    '--',
    ...SERVED,
  ]
  await git('archive', '--format=tar.gz', `--output=${file}`, ...added, ...tree)
  return file
}

const [version = ''] = process.argv.slice(2)
try {
  await checkReady(version)
  await writeVersion(version)
  await leaveBackup(version)
  await commitAndTag(version)
  // A file of an earlier build is no part of this one.
  await rm(path.join(ROOT, 'web/dist'), { recursive: true, force: true })
  await buildWeb(console.log)
  console.log(`${await writeTarball(version)}\nTagged v${version}. Nothing was pushed.`)
  process.exit(0)
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : error)
  process.exit(1)
}
