/**
 * `npm test`: every check, one after the other, at the end the five files that took longest, and one line of counts. `npm test -- unit pg` runs only those
 * steps, `npm test -- quick` those that need neither database nor browser, `npm test -- chaos` breaks everything again and
 * again for CHAOS_MINUTES (default 60), and `npm test -- slow` (alone or before step
 * names) runs them at about a third of the machine's speed, with busy loops beside them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensureChromium } from './chromium.ts'
import {
  add,
  type Count,
  countLine,
  type FileTime,
  NOTHING,
  readPlaywrightReport,
  readPlaywrightTimes,
  readVitestReport,
  readVitestTimes,
  slowestLines,
} from './count.ts'
import { ensurePackages } from './packages.ts'
import { slowDown } from './slow.ts'
import { buildWeb } from './web.ts'

const ROOT = path.dirname(import.meta.dirname)
const bin = (name: string, file: string) => path.join(ROOT, 'node_modules', name, file)
const VITEST = bin('vitest', 'vitest.mjs')
const PLAYWRIGHT = bin('@playwright/test', 'cli.js')
const BIOME = bin('@biomejs/biome', 'bin/biome')
const TSC = bin('typescript', 'bin/tsc')

interface Step {
  readonly name: string
  /** Run only when it is named. */
  readonly isExtra?: boolean
  /** Returns true on success; a step with tests adds to the counts. */
  run(): Promise<boolean>
}

let counts: Count = NOTHING
const times: FileTime[] = []
let current: ChildProcess | null = null
let interrupted = false

interface Reader {
  readonly count: (report: string) => Count | null
  readonly times: (report: string) => FileTime[]
}
const VITEST_REPORT: Reader = { count: readVitestReport, times: readVitestTimes }
const PLAYWRIGHT_REPORT: Reader = { count: readPlaywrightReport, times: readPlaywrightTimes }

const STEPS: readonly Step[] = [
  { name: 'types', run: types },
  { name: 'lint', run: () => node({}, BIOME, 'ci', '.') },
  { name: 'imports', run: () => node({}, path.join(ROOT, 'scripts/imports.ts')) },
  { name: 'docs', run: () => node({}, path.join(ROOT, 'scripts/docs.ts'), '--check') },
  { name: 'page', run: page },
  { name: 'unit', run: () => vitest('unit', 'screen') },
  { name: 'pg', run: databases },
  { name: 'e2e', run: journeys },
  { name: 'chaos', run: chaos, isExtra: true },
]

/** What `npm test -- quick` runs. */
const QUICK = ['types', 'lint', 'imports', 'docs', 'unit']

async function types(): Promise<boolean> {
  let holds = true
  const rooms = ['.', 'wire', 'web', 'e2e']
  for (const room of rooms) holds = (await node({}, TSC, '-p', room)) && holds
  return holds
}

/** Builds the page, for the journeys and the size budgets. */
async function page(): Promise<boolean> {
  await buildWeb(console.log)
  return true
}

/** The tests with PostgreSQL, which is embedded, and Redis, which must be installed. */
async function databases(): Promise<boolean> {
  if (!ensurePackages('Redis, through which nodes talk', ['redis-server'], ['redis-server'])) return false
  return vitest('pg')
}

async function journeys(): Promise<boolean> {
  if (!ensureChromium()) return false
  await buildWeb(console.log)
  return counted(
    (report) => node({ PLAYWRIGHT_JSON_OUTPUT_NAME: report }, PLAYWRIGHT, 'test', '--reporter=list,json'),
    PLAYWRIGHT_REPORT,
  )
}

/** The journey of faults, over and over. It needs no browser. */
async function chaos(): Promise<boolean> {
  await buildWeb(console.log)
  const CHAOS_MINUTES = process.env.CHAOS_MINUTES ?? '60'
  return counted(
    (report) =>
      node(
        { PLAYWRIGHT_JSON_OUTPUT_NAME: report, CHAOS_MINUTES },
        ...[PLAYWRIGHT, 'test', 'chaos.e2e.ts', '--reporter=list,json'],
      ),
    PLAYWRIGHT_REPORT,
  )
}

/** Runs Vitest on some projects. */
function vitest(...projects: string[]): Promise<boolean> {
  const chosen = projects.flatMap((project) => ['--project', project])
  return counted(
    (report) =>
      node(
        {},
        VITEST,
        'run',
        ...chosen,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
        '--passWithNoTests',
      ),
    VITEST_REPORT,
  )
}

/** Runs tests that write a report, and adds its counts and times. A run without a report is one failure. */
async function counted(run: (report: string) => Promise<boolean>, read: Reader): Promise<boolean> {
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-report-'))
  const file = path.join(directory, 'report.json')
  const holds = await run(file)
  const text = await readFile(file, 'utf8').catch(() => '')
  const count = read.count(text)
  times.push(...read.times(text))
  await rm(directory, { recursive: true, force: true })
  counts = add(counts, count ?? NOTHING)
  return holds && count !== null && count.failed === 0
}

/** Runs a program of node_modules with this Node; its output goes straight to the terminal. */
function node(env: Record<string, string>, ...args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    current = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    })
    current.on('error', (error) => {
      console.error(error.message)
      resolve(false)
    })
    current.on('close', (code) => {
      current = null
      resolve(code === 0)
    })
  })
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => {
    interrupted = true
    current?.kill(name)
  })

const args = process.argv.slice(2)
const isSlow = args.includes('slow')
const wanted = args.flatMap((word) => (word === 'quick' ? QUICK : word === 'slow' ? [] : [word]))
// A fiftieth of the connection model's schedules is enough during development.
if (args.includes('quick')) process.env.LINE_SCHEDULES ??= '2000'
const unknown = wanted.filter((name) => !STEPS.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(
    `No step is called ${unknown.join(', ')}. Steps: ${STEPS.map(({ name }) => name).join(', ')}; or quick, slow.`,
  )
  process.exit(2)
}

const restoreSpeed = isSlow ? slowDown() : () => undefined
const broken: string[] = []
for (const step of STEPS) {
  if (wanted.length > 0 ? !wanted.includes(step.name) : step.isExtra) continue
  console.log(`\n== ${step.name}`)
  const began = performance.now()
  const before = counts.failed
  const holds = await step.run().catch((error: Error) => {
    console.error(error.message)
    return false
  })
  console.log(
    `== ${step.name} ${holds ? 'ok' : 'FAILED'}, ${((performance.now() - began) / 1000).toFixed(1)} s`,
  )
  if (interrupted) {
    restoreSpeed()
    console.log('Interrupted.')
    process.exit(130)
  }
  if (holds) continue
  broken.push(step.name)
  // A check can fail without a failed test; the last line must show it.
  if (counts.failed === before) counts = add(counts, { ...NOTHING, failed: 1 })
}

restoreSpeed()
console.log('')
for (const line of slowestLines(times)) console.log(line)
if (broken.length > 0) console.log(`Failed: ${broken.join(', ')}`)
console.log(countLine(counts))
process.exit(broken.length === 0 ? 0 : 1)
