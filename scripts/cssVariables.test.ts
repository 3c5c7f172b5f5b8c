import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const files = globSync('web/src/**/*.{css,ts,tsx}').map((path) => ({
  path,
  source: readFileSync(path, 'utf8'),
}))
const isProduct = ({ path }: { readonly path: string }) => !path.startsWith('web/src/testing/')
const definedIn = (those: typeof files) =>
  new Set(
    those.flatMap(({ source }) =>
      [...source.matchAll(/(--[\w-]+)(?:['"]?\]?\s*:|',)/g)].map((found) => found[1] ?? ''),
    ),
  )

test.each([
  ['of the product, in the product', files.filter(isProduct)],
  ['of the development pages', files],
])('every CSS variable that is used is defined: %s', (_, those) => {
  const defined = definedIn(those)
  const used = those.flatMap(({ path, source }) =>
    // One with a fallback need not be defined.
    [...source.matchAll(/var\((--[\w-]+)\)/g)].map((found) => ({ path, name: found[1] ?? '' })),
  )
  expect(used.length).toBeGreaterThan(100)
  expect(used.filter(({ name }) => !defined.has(name))).toEqual([])
})
