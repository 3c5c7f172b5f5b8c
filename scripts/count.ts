import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

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

/** How long a test took. */
export interface TestTime {
  /** Its path from the root. */
  readonly file: string
  readonly test: string
  readonly ms: number
  /** The step of a journey that took longest. */
  readonly longest?: string
  readonly longestMs?: number
}

/** A test that failed, or a file that could not be loaded, and what it said. */
export interface TestFailure {
  /** Its path from the root. */
  readonly file: string
  readonly test: string
  readonly why: string
}

/** What a run of tests wrote down. */
export interface Report {
  readonly count: Count
  readonly times: readonly TestTime[]
  readonly failures: readonly TestFailure[]
}

interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly duration?: number | null
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** Reads Vitest's JSON report. Null when the text is not one, as after a crash. */
export function readVitestReport(text: string): Report | null {
  try {
    const report = JSON.parse(text) as VitestReport
    const unloaded = report.testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
    )
    return {
      count: {
        passed: report.numPassedTests,
        failed: report.numFailedTests + unloaded.length,
        skipped: report.numPendingTests + report.numTodoTests,
      },
      times: report.testResults.flatMap(({ name, assertionResults }) =>
        assertionResults.map(({ fullName, duration }) => ({
          file: path.relative(ROOT, name),
          test: fullName,
          ms: duration ?? 0,
        })),
      ),
      failures: [
        ...unloaded.map(({ name, message = '' }) => ({
          file: path.relative(ROOT, name),
          test: 'could not be loaded',
          why: message,
        })),
        ...report.testResults.flatMap(({ name, assertionResults }) =>
          assertionResults
            .filter(({ status }) => status === 'failed')
            .map(({ fullName, failureMessages = [] }) => ({
              file: path.relative(ROOT, name),
              test: fullName,
              why: failureMessages.join('\n'),
            })),
        ),
      ],
    }
  } catch {
    return null
  }
}

/**
 * Reads what `journeyReport.ts` wrote, in the same way. A journey that passed only on a retry counts as
 * failed.
 */
export function readJourneyReport(text: string): Report | null {
  try {
    const { count, times, failures } = JSON.parse(text) as Partial<Report>
    return count && times && failures ? { count, times, failures } : null
  } catch {
    return null
  }
}

/** How many tests `slowestLines` names. */
const SLOWEST = 20

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** The tests that took longest, a line each, with what a journey waited for longest. */
export const slowestLines = (times: readonly TestTime[]): string[] =>
  times
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST)
    .map(({ file, test, ms, longest, longestMs = 0 }) => {
      const waited = longest ? ` (${seconds(longestMs)}: ${longest})` : ''
      return `${seconds(ms).padStart(9)}  ${file} › ${test}${waited}`
    })

/** How much of what a failed test said `failureLines` repeats, in lines. */
const WHY_LINES = 12

/**
 * The tests that failed and the beginning of what they said: the end of a long run, which may be all that is
 * kept of it, names them.
 */
export const failureLines = (failures: readonly TestFailure[]): string[] =>
  failures.flatMap(({ file, test, why }) => [
    `FAILED  ${file} › ${test}`,
    ...stripVTControlCharacters(why)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, WHY_LINES)
      .map((line) => `        ${line}`),
  ])

/** The last line of `npm test`. */
export function countLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
