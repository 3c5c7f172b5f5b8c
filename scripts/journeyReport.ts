/**
 * A reporter of Playwright that writes, to the file in JOURNEY_REPORT, the counts of a run, for each
 * journey how long it took and what it waited for longest, and what those that failed said.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type {
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
  TestStep,
} from '@playwright/test/reporter'
import type { Report, TestFailure, TestTime } from './count.ts'

const ROOT = path.dirname(import.meta.dirname)

export default class JourneyReporter implements Reporter {
  readonly #times: TestTime[] = []
  #suite: Suite | null = null
  readonly #failures: TestFailure[] = []
  #errors = 0

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const longest = longestStep(result.steps)
    const named = {
      file: path.relative(ROOT, test.location.file),
      test: test.titlePath().slice(3).join(' › '),
    }
    const why = result.errors.map(({ message }) => message ?? '').join('\n')
    if (result.status !== test.expectedStatus && result.status !== 'skipped')
      this.#failures.push({ file: named.file, test: named.test, why })
    this.#times.push({
      file: named.file,
      test: named.test,
      ms: result.duration,
      ...(longest && { longest: longest.title, longestMs: longest.duration }),
    })
  }

  /** An error outside of the journeys, such as a file that does not load. */
  onError({ message = '' }: TestError): void {
    this.#errors += 1
    this.#failures.push({ file: 'e2e', test: 'outside of the journeys', why: message })
  }

  onEnd(_result: FullResult): void {
    const file = process.env.JOURNEY_REPORT
    if (!file) return
    const outcomes = (this.#suite?.allTests() ?? []).map((test) => test.outcome())
    const of = (...kinds: string[]) => outcomes.filter((outcome) => kinds.includes(outcome)).length
    const count = {
      passed: of('expected'),
      failed: of('unexpected', 'flaky') + this.#errors,
      skipped: of('skipped'),
    }
    writeFileSync(
      file,
      JSON.stringify({ count, times: this.#times, failures: this.#failures } satisfies Report),
    )
  }

  printsToStdio(): boolean {
    return false
  }
}

/** The step without further steps that took longest: a tap, an expectation, a page that opened. */
function longestStep(steps: readonly TestStep[]): TestStep | null {
  const leaves = (step: TestStep): TestStep[] => (step.steps.length > 0 ? step.steps.flatMap(leaves) : [step])
  return steps.flatMap(leaves).toSorted((a, b) => b.duration - a.duration)[0] ?? null
}
