import { expect, it } from 'vitest'
import { add, countLine, NOTHING, readReport } from './count.ts'

const report = (numbers: number[], files: unknown[] = []) =>
  JSON.stringify({
    numPassedTests: numbers[0],
    numFailedTests: numbers[1],
    numPendingTests: numbers[2],
    numTodoTests: 0,
    testResults: files,
  })

it('what is not a report is not a count', () => {
  expect(readReport('')).toBe(null)
  expect(readReport('{}')).toBe(null)
})

it('a file that could not be loaded is one failure; a file with a failed test is not counted twice', () => {
  const files = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] },
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
  ]
  expect(readReport(report([2, 1, 0], files))).toEqual({ passed: 2, failed: 2, skipped: 0 })
})

it('the line names skipped tests only when there are some', () => {
  const some = add(readReport(report([3, 1, 0])) ?? NOTHING, readReport(report([4, 0, 0])) ?? NOTHING)
  expect(countLine(some)).toBe('7 passed, 1 failed')
  expect(countLine(add(some, { ...NOTHING, skipped: 2 }))).toBe('7 passed, 1 failed, 2 skipped')
})
