import { describe, expect, it } from 'vitest'
import {
  add,
  countLine,
  NOTHING,
  readPlaywrightReport,
  readPlaywrightTimes,
  readVitestReport,
  readVitestTimes,
  slowestLines,
} from './count.ts'

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

describe('the slowest files', () => {
  it('are none in a text that is not a report', () => {
    for (const text of ['', '{}'])
      expect([readVitestTimes(text), readPlaywrightTimes(text)]).toEqual([[], []])
    expect(slowestLines([])).toEqual([])
  })

  it('are told by the tests of a file together, also by those of groups', () => {
    const spec = (...durations: number[]) => ({
      tests: durations.map((duration) => ({ results: [{ duration }] })),
    })
    const inside = { file: 'a.e2e.ts', specs: [spec(3)] }
    const suites = [
      { file: 'a.e2e.ts', specs: [spec(1), spec(2, 4)], suites: [{ ...inside, suites: [inside] }] },
      { file: 'b.e2e.ts', specs: [] },
    ]
    expect(readPlaywrightTimes(JSON.stringify({ suites }))).toEqual([
      { file: 'e2e/a.e2e.ts', ms: 13 },
      { file: 'e2e/b.e2e.ts', ms: 0 },
    ])
    const testResults = [{ name: import.meta.filename, startTime: 1_000, endTime: 1_250 }]
    expect(readVitestTimes(JSON.stringify({ testResults }))).toEqual([
      { file: 'scripts/count.test.ts', ms: 250 },
    ])
  })

  it('are five, the longest one first', () => {
    const times = [1, 6, 3, 4, 5, 2].map((n) => ({ file: `${n}.test.ts`, ms: n * 1_000 }))
    expect(slowestLines(times).map((line) => line.trim())).toEqual([
      '6.0 s  6.test.ts',
      '5.0 s  5.test.ts',
      '4.0 s  4.test.ts',
      '3.0 s  3.test.ts',
      '2.0 s  2.test.ts',
    ])
  })
})
