import { expect, it } from 'vitest'
import { withoutFailures } from '../web/leanContract.ts'

it('lists of failures are emptied, nested ones too, and everything else stays', () => {
  expect(withoutFailures("a({ fails: ['x', ...(['y'] as const)], b: [1] })")).toBe('a({ fails: [], b: [1] })')
  expect(withoutFailures("a({\n  fails: [\n    'x',\n  ],\n})\nb({ fails: [] })")).toBe(
    'a({\n  fails: [],\n})\nb({ fails: [] })',
  )
})

it('a name, a type and an unfinished list stay as they are', () => {
  for (const code of ['a({ fails: codeFails })', 'fails: readonly FailureName[]', 'fails: ['])
    expect(withoutFailures(code)).toBe(code)
})
