// The only file that runs on whatever Node the machine has (20 or newer) and before any package is installed.
// It installs the locked packages when they are missing or out of date, then hands over to Node 24 or newer.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const MODULES = path.join(ROOT, 'node_modules')
const STAMP = path.join(MODULES, '.guildhall-installed')
const LOCK = path.join(ROOT, '.install.lock')
const WINDOWS = process.platform === 'win32'
const NODE_MAJOR = 24
/** This file and npm need no more to bring the other one. */
const OLDEST_MAJOR = 20
/** This machine's own Node when it is new enough, else the one of the locked packages, which npm checks by its hash. */
const NODE = Number(process.versions.node.split('.')[0]) >= NODE_MAJOR ? process.execPath : lockedNode()
const COMMANDS = {
  start: 'scripts/start.ts',
  dev: 'scripts/dev.ts',
  test: 'scripts/test.ts',
  cli: 'server/src/cli/cli.ts',
  bench: 'scripts/bench.ts',
  build: 'scripts/build.ts',
  release: 'scripts/release.ts',
}
/** A released tarball has the page as it was built, and needs no more than what serves it. */
const IS_RELEASE = existsSync(path.join(ROOT, 'release.json'))
const COMMANDS_OF_RELEASE = ['start', 'cli']

/** How often it is looked whether the shell of npm is still there, ms. */
const SHELL_EVERY_MS = 100

// npm passes a terminal's Ctrl-C on to us although the terminal has already sent it, so two arrive for one key press.
const SAME_KEY_PRESS_MS = 500

function lockedNode() {
  const { platform, arch } = process
  if (WINDOWS) return path.join(MODULES, `node-win-${arch}`, 'bin', 'node.exe')
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return path.join(MODULES, `${prefix}-${platform}-${arch}`, 'bin', 'node')
}

function wantedStamp() {
  const locked = createHash('sha256')
    .update(readFileSync(path.join(ROOT, 'package-lock.json')))
    .digest('hex')
  return `${locked} ${process.platform}-${process.arch}\n`
}

function isInstalled() {
  if (!existsSync(STAMP) || !existsSync(NODE)) return false
  return readFileSync(STAMP, 'utf8') === wantedStamp() && (!NEEDS_DEVELOPMENT.has(name) || !isPruned())
}

/** What serves does without the packages that build and test, which `npm prune --omit=dev` removes. */
const NEEDS_DEVELOPMENT = new Set(Object.keys(COMMANDS).filter((it) => !COMMANDS_OF_RELEASE.includes(it)))

function isPruned() {
  const { devDependencies = {} } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  return Object.keys(devDependencies).some((it) => !existsSync(path.join(MODULES, it)))
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** The pid that holds the install lock, or null when the holder has exited. */
function lockHolder() {
  try {
    const pid = Number(readFileSync(LOCK, 'utf8'))
    return Number.isInteger(pid) && pid > 0 && isAlive(pid) ? pid : null
  } catch {
    return null
  }
}

/** Moves a dead holder's lock away; puts it back when another process took the lock between the check and the move. */
function clearStaleLock(aside) {
  try {
    renameSync(LOCK, aside)
    if (isAlive(Number(readFileSync(aside, 'utf8')))) linkSync(aside, LOCK)
  } catch {
    // Another process was faster; the caller checks again.
  } finally {
    rmSync(aside, { force: true })
  }
}

/** True when this process now holds the lock. The file appears with its content, so nobody reads a half-written one. */
function takeLock() {
  const mine = `${LOCK}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  try {
    linkSync(mine, LOCK)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (lockHolder() !== null) return false
    clearStaleLock(`${mine}.stale`)
    return false
  } finally {
    rmSync(mine, { force: true })
  }
}

/** A line as the server says it: in production one of JSON. */
const spoken = (level, line) =>
  process.env.NODE_ENV === 'production' && name === 'start'
    ? `${JSON.stringify({ level, at: Date.now(), msg: line })}\n`
    : `${line}\n`
/** On stderr for the command line, whose stdout stays pure JSON. */
const print = (line) => (name === 'cli' ? process.stderr : process.stdout).write(spoken('info', line))
const complain = (line) => process.stderr.write(spoken('error', line))

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

let installing = null

function stopInstall(signal) {
  if (installing) killGroup(installing, signal)
  else process.exit(128 + constants.signals[signal])
}

function killGroup(child, signal) {
  try {
    if (WINDOWS) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It ended between the key press and this line.
  }
}

function npmCommand() {
  const cli = process.env.npm_execpath
  if (cli && /npm-cli\.c?js$/.test(cli)) return [process.execPath, [cli]]
  return ['npm', []]
}

/** The workspaces whose packages a server needs: all but the page's. */
const SERVING = [
  '--include-workspace-root',
  ...['wire', 'server', 'sandbox'].map((it) => `--workspace=${it}`),
]

/** Runs `npm ci` and prints its progress. */
async function install() {
  const started = Date.now()
  print(
    `Installing packages${existsSync(MODULES) ? ' (they changed)' : ' (the first time takes a minute)'} …`,
  )
  rmSync(STAMP, { force: true })
  const [command, before] = npmCommand()
  const args = [
    ...before,
    'ci',
    ...(IS_RELEASE ? ['--omit=dev', ...SERVING] : ['--include=dev']),
    '--ignore-scripts=false',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const output = []
  installing = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !WINDOWS,
    shell: WINDOWS && command === 'npm',
  })
  installing.stdout.on('data', (chunk) => output.push(chunk))
  installing.stderr.on('data', (chunk) => output.push(chunk))
  const ticker = setInterval(
    () => print(`  still installing, ${Math.round((Date.now() - started) / 1000)} s`),
    10_000,
  )
  const ended = await new Promise((resolve) => {
    installing.on('error', (error) => resolve({ code: 1, why: error.message }))
    installing.on('close', (code, signal) => resolve({ code, signal }))
  })
  clearInterval(ticker)
  installing = null
  if (ended.signal === 'SIGINT' || ended.signal === 'SIGTERM' || interrupted) {
    print('Installing was interrupted; the next run does it again.')
    return 130
  }
  if (ended.code !== 0) {
    const last = Buffer.concat(output).toString('utf8').trim().split('\n').slice(-30).join('\n')
    if (last) complain(last)
    print(
      `npm ci failed${ended.why ? `: ${ended.why}` : ''}. The lines above say why; run this command again when it is solved.`,
    )
    return 1
  }
  const probe = spawnSync(NODE, ['--version'], { encoding: 'utf8' })
  if (probe.status !== 0) {
    print(
      `There is no Node ${NODE_MAJOR} for this machine (${process.platform} ${process.arch}) among the packages. Install Node ${NODE_MAJOR} and run this command again.`,
    )
    return 1
  }
  writeFileSync(STAMP, wantedStamp())
  print(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.`)
  return 0
}

async function ensureInstalled() {
  let isWaitPrinted = false
  while (!isInstalled()) {
    if (!takeLock()) {
      const holder = lockHolder()
      if (holder !== null && !isWaitPrinted) {
        print(`Another command (process ${holder}) is installing packages; waiting for it …`)
        isWaitPrinted = true
      }
      await wait(200)
      continue
    }
    try {
      if (isInstalled()) return 0
      const code = await install()
      if (code !== 0) return code
    } finally {
      rmSync(LOCK, { force: true })
    }
  }
  return 0
}

let interrupted = false
let child = null
const lastSeen = new Map()

function onSignal(signal) {
  const now = Date.now()
  if (now - (lastSeen.get(signal) ?? 0) < SAME_KEY_PRESS_MS) return
  lastSeen.set(signal, now)
  interrupted = true
  if (child === null) return stopInstall(signal)
  // On Windows the console notifies the child itself.
  if (!WINDOWS) child.kill(signal)
}

/**
 * npm passes a SIGTERM on to the shell that it runs us in, and the shell to nobody: its end is our signal.
 * Windows ends all of them.
 */
function stopWithShell() {
  if (WINDOWS || process.env.npm_lifecycle_event === undefined) return
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    if (!interrupted) onSignal('SIGTERM')
  }, SHELL_EVERY_MS)
  timer.unref()
}

const name = process.argv[2]
const script = COMMANDS[name]
if (!script) {
  complain(`Unknown command "${name ?? ''}". Known: ${Object.keys(COMMANDS).join(', ')}.`)
  process.exit(2)
}
if (IS_RELEASE && !COMMANDS_OF_RELEASE.includes(name)) {
  complain(
    `This is a release, which runs ${COMMANDS_OF_RELEASE.join(' and ')}. For ${name}, clone the repository.`,
  )
  process.exit(2)
}
if (Number(process.versions.node.split('.')[0]) < OLDEST_MAJOR) {
  complain(
    `Node ${process.versions.node} is too old: ${OLDEST_MAJOR} or newer begins, ${NODE_MAJOR} serves. docs/operations.md "Node" says where your system gets it.`,
  )
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => onSignal(signal))
stopWithShell()

const installed = await ensureInstalled()
if (installed !== 0) process.exit(installed)

// Its own process group: a terminal's Ctrl-C reaches this process, which passes it on exactly once.
// The ipc channel lets a server notice that this process was killed outright, and stop.
child = spawn(NODE, [path.join(ROOT, script), ...process.argv.slice(3)], {
  cwd: ROOT,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  detached: !WINDOWS,
  env: { ...process.env, PATH: `${path.join(MODULES, '.bin')}${path.delimiter}${process.env.PATH ?? ''}` },
})
child.on('error', (error) => {
  complain(`Node 24 did not start: ${error.message}`)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
