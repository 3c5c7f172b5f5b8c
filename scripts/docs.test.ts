import { expect, it } from 'vitest'
import { configPage, stalePages } from './docs.ts'

it('the generated pages are up to date', async () => {
  expect(await stalePages()).toEqual([])
})

it('a variable becomes one row, and a bar in its text is escaped', () => {
  const page = configPage([{ name: 'COLOUR', meaning: 'red | blue', default: 'red', example: 'blue' }])
  expect(page.split('\n').at(-2)).toBe('| `COLOUR` | red | red \\| blue | `blue` |')
})
