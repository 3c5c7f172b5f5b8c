import { expect, it } from 'vitest'
import { add, countLine, NOTHING, readPlaywrightReport, readVitestReport } from './count.ts'

const report = (numbers: number[], files: unknown[] = []) =>
  JSON.stringify({
    numPassedTests: numbers[0],
    numFailedTests: numbers[1],
    numPendingTests: numbers[2],
    numTodoTests: 0,
    testResults: files,
  })

it('text that is not a report has no counts', () => {
  expect(readVitestReport('')).toBe(null)
  expect(readVitestReport('{}')).toBe(null)
  expect(readPlaywrightReport('')).toBe(null)
  expect(readPlaywrightReport('{}')).toBe(null)
})

it('a file that could not be loaded is one failure; a file with a failed test is not counted twice', () => {
  const files = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] },
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
  ]
  expect(readVitestReport(report([2, 1, 0], files))).toEqual({ passed: 2, failed: 2, skipped: 0 })
})

it('a journey that passed only on a retry counts as failed, and so does an error outside the journeys', () => {
  const text = JSON.stringify({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }, errors: [{}] })
  expect(readPlaywrightReport(text)).toEqual({ passed: 5, failed: 3, skipped: 2 })
})

it('the summary mentions skipped tests only when there are some', () => {
  const some = add(
    readVitestReport(report([3, 1, 0])) ?? NOTHING,
    readVitestReport(report([4, 0, 0])) ?? NOTHING,
  )
  expect(countLine(some)).toBe('7 passed, 1 failed')
  expect(countLine(add(some, { ...NOTHING, skipped: 2 }))).toBe('7 passed, 1 failed, 2 skipped')
})
