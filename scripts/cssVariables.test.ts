import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const files = globSync('web/src/**/*.{css,ts,tsx}').map((path) => ({
  path,
  source: readFileSync(path, 'utf8'),
}))
const defined = new Set(
  files.flatMap(({ source }) =>
    [...source.matchAll(/(--[\w-]+)(?:['"]?\]?\s*:|',)/g)].map((found) => found[1] ?? ''),
  ),
)

test('every CSS variable that is used is defined', () => {
  const used = files.flatMap(({ path, source }) =>
    // One with a fallback need not be defined.
    [...source.matchAll(/var\((--[\w-]+)\)/g)].map((found) => ({ path, name: found[1] ?? '' })),
  )
  expect(used.length).toBeGreaterThan(100)
  expect(used.filter(({ name }) => !defined.has(name))).toEqual([])
})
