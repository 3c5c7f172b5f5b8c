import { expect, it } from 'vitest'
import { leanSource } from '../web/leanContract.ts'

it('what a call takes and how it fails is left out, and everything else stays', () => {
  expect(
    leanSource(
      "export const a = route({ path: '/a', input: z.object({ b: z.regex(/[,}]/) }), answer: c, fails: ['x'] })",
    ),
  ).toBe("export const a = route({ path: '/a', input: null, answer: c, fails: [] })")
  expect(leanSource('const a = route({ ...b, fails: [...c, ...(d as const)] }) // ü')).toBe(
    'const a = route({ ...b, fails: [] }) // ü',
  )
})

it('fields of other objects stay, and so do those that a route takes by their names', () => {
  for (const code of ["a({ fails: ['x'], input: b })", 'route({ input, fails })', 'const fails = [1]'])
    expect(leanSource(code)).toBe(code)
})
