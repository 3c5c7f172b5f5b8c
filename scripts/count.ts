import path from 'node:path'

const ROOT = path.dirname(import.meta.dirname)

/** The counts of a test run. A file that could not be loaded counts as one failure. */
export interface Count {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export const NOTHING: Count = { passed: 0, failed: 0, skipped: 0 }

export function add(a: Count, b: Count): Count {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

/** Reads Vitest's JSON report. Null when the text is not one, as after a crash. */
export function readVitestReport(text: string): Count | null {
  try {
    const report = JSON.parse(text) as {
      numPassedTests: number
      numFailedTests: number
      numPendingTests: number
      numTodoTests: number
      testResults: { status: string; assertionResults: { status: string }[] }[]
    }
    const unloaded = report.testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
    )
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloaded.length,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  } catch {
    return null
  }
}

/** Reads Playwright's JSON report in the same way. A test that passed only on a retry counts as failed. */
export function readPlaywrightReport(text: string): Count | null {
  try {
    const { stats, errors } = JSON.parse(text) as {
      stats: { expected: number; unexpected: number; flaky: number; skipped: number }
      errors: unknown[]
    }
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
      skipped: stats.skipped,
    }
  } catch {
    return null
  }
}

/** How long the tests of a file took together. */
export interface FileTime {
  readonly file: string
  readonly ms: number
}

/** The times of the files in Vitest's JSON report; none when the text is not one. */
export function readVitestTimes(text: string): FileTime[] {
  try {
    const { testResults } = JSON.parse(text) as {
      testResults: { name: string; startTime: number; endTime: number }[]
    }
    return testResults.map(({ name, startTime, endTime }) => ({
      file: path.relative(ROOT, name),
      ms: endTime - startTime,
    }))
  } catch {
    return []
  }
}

interface Suite {
  readonly file: string
  readonly specs: readonly { tests: readonly { results: readonly { duration: number }[] }[] }[]
  readonly suites?: readonly Suite[]
}

/** The times of the files in Playwright's JSON report; none when the text is not one. */
export function readPlaywrightTimes(text: string): FileTime[] {
  const msOf = ({ specs, suites = [] }: Suite): number =>
    sum(specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map((it) => it.duration)))) +
    sum(suites.map(msOf))
  try {
    const { suites } = JSON.parse(text) as { suites: readonly Suite[] }
    return suites.map((suite) => ({ file: `e2e/${suite.file}`, ms: msOf(suite) }))
  } catch {
    return []
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

/** How many files `slowestLines` names. */
const SLOWEST = 5

/** The files that took longest, a line each. */
export const slowestLines = (times: readonly FileTime[]): string[] =>
  times
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST)
    .map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`)

/** The last line of `npm test`. */
export function countLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
