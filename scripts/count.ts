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

/** The last line of `npm test`. */
export function countLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
