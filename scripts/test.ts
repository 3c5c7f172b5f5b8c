/**
 * `npm test`: every check, one after the other, at the end the twenty tests that took longest, those that
 * failed and one line of counts.
 *
 * `npm test -- changed` runs what the change against `main` (or `--base REV`) can reach, `npm test -- quick`
 * what needs neither database nor browser, `npm test -- unit pg` only those steps, `npm test -- chaos` breaks
 * everything again and again for CHAOS_MINUTES (default 60). `npm test -- slow` (alone or before step names)
 * runs them at about a third of the machine's speed, with busy loops beside them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { findPostgres } from '../server/src/testing/database/postgres.ts'
import { ensureChromium } from './chromium.ts'
import {
  add,
  type Count,
  countLine,
  failureLines,
  NOTHING,
  type Report,
  readJourneyReport,
  readVitestReport,
  slowestLines,
  type TestFailure,
  type TestTime,
} from './count.ts'
import { ensurePackages, NEEDS } from './packages.ts'
import { changedFiles, type RelatedTests, readGraph, relatedTests } from './related.ts'
import { slowDown } from './slow.ts'
import { buildWeb } from './web.ts'

const ROOT = path.dirname(import.meta.dirname)
const bin = (name: string, file: string) => path.join(ROOT, 'node_modules', name, file)
const VITEST = bin('vitest', 'vitest.mjs')
const PLAYWRIGHT = bin('@playwright/test', 'cli.js')
const BIOME = bin('@biomejs/biome', 'bin/biome')
const TSC = bin('typescript', 'bin/tsc')
/** The projects of types; each keeps what it knows for the next run. */
const TYPE_PROJECTS = ['.', 'wire', 'sandbox', 'web', 'e2e']
/** The projects of tests with a database: those that share a process, and those that do not. */
const DATABASE_PROJECTS = ['pg', 'alone']
/** The connection model's schedules during development: a fiftieth. */
const FEW_SCHEDULES = '2000'

interface Step {
  readonly name: string
  /** Run only when it is named. */
  readonly isExtra?: boolean
  /** Returns true on success; a step with tests adds to the counts. `files`: only these tests. */
  run(files?: readonly string[]): Promise<boolean>
}

let counts: Count = NOTHING
const times: TestTime[] = []
const failures: TestFailure[] = []
let current: ChildProcess | null = null
let interrupted = false

const STEPS: readonly Step[] = [
  { name: 'types', run: () => node({}, TSC, '-b', ...TYPE_PROJECTS) },
  { name: 'lint', run: () => node({}, BIOME, 'ci', '.') },
  { name: 'imports', run: () => node({}, path.join(ROOT, 'scripts/imports.ts')) },
  { name: 'docs', run: () => node({}, path.join(ROOT, 'scripts/docs.ts'), '--check') },
  { name: 'page', run: page },
  { name: 'unit', run: (files) => vitest(['unit', 'screen'], files) },
  { name: 'pg', run: databases },
  { name: 'e2e', run: journeys },
  { name: 'chaos', run: chaos, isExtra: true },
]

/** What `npm test -- quick` runs. */
const QUICK = ['types', 'lint', 'imports', 'docs', 'unit']
/** What `npm test -- changed` runs before the tests. */
const CHECKS = ['types', 'lint', 'imports', 'docs']

/** Builds the page, for the journeys and the size budgets. */
async function page(): Promise<boolean> {
  await buildWeb(console.log)
  return true
}

/**
 * The tests with PostgreSQL, which is embedded, and Redis; where there is no Redis, the tests that need it
 * are skipped.
 */
async function databases(files?: readonly string[]): Promise<boolean> {
  if (ensurePackages(NEEDS.redis)) return vitest(DATABASE_PROJECTS, files)
  counts = add(counts, { ...NOTHING, skipped: 1 })
  return vitest(DATABASE_PROJECTS, files, '--exclude', '**/*.redis.test.ts')
}

async function journeys(files: readonly string[] = []): Promise<boolean> {
  if (!ensureChromium()) return false
  // Journeys of several nodes and of a proxy need them, and say so themselves where they are missing.
  for (const need of [NEEDS.redis, NEEDS.nginx]) ensurePackages(need)
  ensurePackages(NEEDS.postgres, () => findPostgres() !== null)
  await buildWeb(console.log)
  return playwright({}, ...files)
}

/** The journey of faults, over and over. It needs no browser. */
async function chaos(): Promise<boolean> {
  await buildWeb(console.log)
  return playwright({ CHAOS_MINUTES: process.env.CHAOS_MINUTES ?? '60' }, 'chaos.e2e.ts')
}

function playwright(env: Record<string, string>, ...args: string[]): Promise<boolean> {
  const reporter = `list,${path.join(ROOT, 'scripts/journeyReport.ts')}`
  return counted(
    (report) =>
      node({ ...env, JOURNEY_REPORT: report }, PLAYWRIGHT, 'test', `--reporter=${reporter}`, ...args),
    readJourneyReport,
  )
}

/** Runs Vitest on some projects, and of these only on `files` when there are some. */
function vitest(
  projects: readonly string[],
  files: readonly string[] = [],
  ...args: string[]
): Promise<boolean> {
  const chosen = projects.flatMap((project) => ['--project', project])
  const reporters = ['--reporter=default', '--reporter=json']
  return counted(
    (report) =>
      node({}, VITEST, 'run', ...chosen, ...reporters, `--outputFile.json=${report}`, ...args, ...files),
    readVitestReport,
  )
}

/** Runs tests that write a report, and adds its counts and times. A run without a report is one failure. */
async function counted(
  run: (report: string) => Promise<boolean>,
  read: (text: string) => Report | null,
): Promise<boolean> {
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-report-'))
  const file = path.join(directory, 'report.json')
  const holds = await run(file)
  const report = read(await readFile(file, 'utf8').catch(() => ''))
  await rm(directory, { recursive: true, force: true })
  if (!report) return false
  times.push(...report.times)
  failures.push(...report.failures)
  counts = add(counts, report.count)
  return holds && report.count.failed === 0
}

/** Runs a program of node_modules with this Node; its output goes straight to the terminal. */
function node(env: Record<string, string>, ...args: string[]): Promise<boolean> {
  // Interrupted while the page was built.
  if (interrupted) return Promise.resolve(false)
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

/** What is to be run: steps, and of the steps with tests those that are chosen. */
interface Plan {
  readonly steps: readonly Step[]
  readonly files?: Readonly<Record<string, readonly string[]>>
}

/** The steps that words of the command line name. Exits when one is unknown. */
function planOf(words: readonly string[]): Plan {
  const names = words.flatMap((word) => (word === 'quick' ? QUICK : [word]))
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name))
  if (unknown.length > 0) {
    const known = STEPS.map(({ name }) => name).join(', ')
    console.error(`No step is called ${unknown.join(', ')}. Steps: ${known}; or changed, quick, slow.`)
    process.exit(2)
  }
  const isWanted = ({ name, isExtra }: Step) => (names.length > 0 ? names.includes(name) : !isExtra)
  return { steps: STEPS.filter(isWanted) }
}

/** The checks, and the tests that the change since `base` can reach. Exits when git does not know `base`. */
async function planOfChange(base: string): Promise<Plan> {
  const changed = await Promise.resolve()
    .then(() => changedFiles(base, ROOT))
    .catch(() => {
      console.error(`git does not know ${base}: name another commit by --base.`)
      return process.exit(2)
    })
  if (changed.length === 0) {
    console.log(`Nothing differs from ${base}.`)
    return { steps: [] }
  }
  const related: RelatedTests = relatedTests(await readGraph(ROOT), changed)
  const { unit, pg, e2e } = related
  const files: Record<string, readonly string[]> = { unit, pg, e2e }
  console.log(
    `${changed.length} files differ from ${base}: ${unit.length} files of unit and screen tests, ${pg.length} of database tests, ${e2e.length} of journeys.`,
  )
  for (const left of related.left) console.log(`Left to \`npm test\`: ${left}.`)
  const steps = STEPS.filter(({ name }) => CHECKS.includes(name) || (files[name]?.length ?? 0) > 0)
  return { steps, files }
}

const { values, positionals } = parseArgs({
  options: { base: { type: 'string', default: 'main' } },
  allowPositionals: true,
})
const words = positionals.filter((word) => word !== 'slow')
const isChange = words.includes('changed')
if (isChange || words.includes('quick')) process.env.LINE_SCHEDULES ??= FEW_SCHEDULES
const plan = isChange ? await planOfChange(values.base) : planOf(words)

const restoreSpeed = positionals.includes('slow') ? slowDown() : () => undefined
const broken: string[] = []
for (const step of plan.steps) {
  console.log(`\n== ${step.name}`)
  const began = performance.now()
  const before = counts.failed
  const holds = await step.run(plan.files?.[step.name]).catch((error: Error) => {
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
for (const line of failureLines(failures)) console.log(line)
if (broken.length > 0) console.log(`Failed: ${broken.join(', ')}`)
console.log(countLine(counts))
process.exit(broken.length === 0 ? 0 : 1)
