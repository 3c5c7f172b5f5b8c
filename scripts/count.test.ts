import { describe, expect, it } from 'vitest'
import {
  add,
  countLine,
  failureLines,
  NOTHING,
  readJourneyReport,
  readVitestReport,
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
  for (const read of [readVitestReport, readJourneyReport])
    for (const text of ['', '{}']) expect(read(text)).toBe(null)
})

it('a file that could not be loaded is one failure; a file with a failed test is not counted twice', () => {
  const files = [
    { name: 'a.test.ts', status: 'failed', assertionResults: [] },
    {
      name: 'b.test.ts',
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'x' },
        { status: 'failed', fullName: 'y' },
      ],
    },
    { name: 'c.test.ts', status: 'passed', assertionResults: [] },
  ]
  expect(readVitestReport(report([2, 1, 0], files))?.count).toEqual({ passed: 2, failed: 2, skipped: 0 })
})

it('the summary mentions skipped tests only when there are some', () => {
  const countOf = (numbers: number[]) => readVitestReport(report(numbers))?.count ?? NOTHING
  const some = add(countOf([3, 1, 0]), countOf([4, 0, 0]))
  expect(countLine(some)).toBe('7 passed, 1 failed')
  expect(countLine(add(some, { ...NOTHING, skipped: 2 }))).toBe('7 passed, 1 failed, 2 skipped')
})

describe('the slowest tests', () => {
  it('are read from the report, by their file from the root', () => {
    const assertionResults = [{ status: 'passed', fullName: 'a list is empty', duration: 250 }]
    const text = report([1, 0, 0], [{ name: import.meta.filename, status: 'passed', assertionResults }])
    expect(readVitestReport(text)?.times).toEqual([
      { file: 'scripts/count.test.ts', test: 'a list is empty', ms: 250 },
    ])
  })

  it('are twenty, the longest one first', () => {
    const times = Array.from({ length: 30 }, (_, n) => ({ file: 'a.test.ts', test: `${n}`, ms: n * 1_000 }))
    const lines = slowestLines(times)
    expect(lines).toHaveLength(20)
    expect(lines[0]?.trim()).toBe('29.0 s  a.test.ts › 29')
  })

  it('say what a journey waited for longest', () => {
    const times = [
      { file: 'a.e2e.ts', test: 'a room opens', ms: 2_000, longest: 'Navigate to "/"', longestMs: 1_500 },
    ]
    expect(slowestLines(times)).toEqual(['    2.0 s  a.e2e.ts › a room opens (1.5 s: Navigate to "/")'])
  })
})

describe('the tests that failed', () => {
  it('are named with the beginning of what they said, without its colours', () => {
    const failed = {
      status: 'failed',
      fullName: 'a list is empty',
      failureMessages: [`\u001b[31mExpected\u001b[39m\n\n${'at\n'.repeat(50)}`],
    }
    const files = [
      { name: import.meta.filename, status: 'failed', assertionResults: [failed] },
      { name: import.meta.filename, status: 'failed', message: 'no such module', assertionResults: [] },
    ]
    const lines = failureLines(readVitestReport(report([0, 1, 0], files))?.failures ?? [])
    expect(lines.slice(0, 4)).toEqual([
      'FAILED  scripts/count.test.ts › could not be loaded',
      '        no such module',
      'FAILED  scripts/count.test.ts › a list is empty',
      '        Expected',
    ])
    expect(lines).toHaveLength(15)
  })
})
