import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesOf, measure } from './budget.ts'

test('an entry that is missing from the manifest is an error', () => {
  expect(() => filesOf({ a: { file: 'a.js', imports: ['gone'] } }, ['a'])).toThrow(
    'gone is not in the manifest',
  )
})

test('a chunk shared by two entries counts once, and styles do not count', () => {
  const manifest = {
    a: { file: 'a.js', imports: ['c', 's'] },
    b: { file: 'b.js', imports: ['c', 'a'] },
    c: { file: 'c.js' },
    s: { file: 's.css' },
  }
  expect(filesOf(manifest, ['a', 'b']).sort()).toEqual(['a.js', 'b.js', 'c.js'])
})

// `npm test` builds the page before this test; plain `vitest` on a fresh clone has nothing to measure.
const manifestFile = path.join(import.meta.dirname, '../web/dist/.vite/manifest.json')
const built = existsSync(manifestFile)
test.runIf(built)('every route stays within its budget', () => {
  for (const { route, bytes, maxBytes } of measure())
    expect(bytes, `${route} loads ${bytes} bytes`).toBeLessThanOrEqual(maxBytes)
})

test.runIf(built)(
  'the built page has nothing of the tests or the gallery, and no room waits for colours of code',
  () => {
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
    expect(Object.keys(manifest).filter((file) => file.includes('src/testing'))).toEqual([])
    const room = filesOf(manifest, ['index.html', 'src/room/RoomScreen.tsx'])
    const dist = path.join(path.dirname(manifestFile), '..')
    const code = room.map((file) => readFileSync(path.join(dist, file), 'utf8')).join('')
    expect(code.includes('KMarkdown_quote')).toBe(true)
    expect(code.includes('hljs')).toBe(false)
    expect(code.includes('EmojiGrid_grid')).toBe(false)
  },
)
