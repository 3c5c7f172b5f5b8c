import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesOf, measure, scriptsOf } from './budget.ts'

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
    const dist = path.join(path.dirname(manifestFile), '..')
    const room = scriptsOf(readFileSync(path.join(dist, 'pages/room.html'), 'utf8')).files
    const code = room.map((file) => readFileSync(path.join(dist, file), 'utf8')).join('')
    expect(code.includes('KMarkdown_quote')).toBe(true)
    expect(code.includes('hljs')).toBe(false)
    expect(code.includes('EmojiGrid_grid')).toBe(false)
  },
)

test.runIf(built)('a served page names every script that its route imports, in few files', () => {
  const dist = path.join(path.dirname(manifestFile), '..')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
  for (const [page, entries, most] of [
    ['pages/invite.html', ['index.html', 'src/invite/InviteScreen.tsx'], 5],
    [
      'pages/room.html',
      ['index.html', 'src/app/App.tsx', 'src/app/shell/Shell.tsx', 'src/room/RoomScreen.tsx'],
      12,
    ],
  ] as const) {
    const { files } = scriptsOf(readFileSync(path.join(dist, page), 'utf8'))
    expect(filesOf(manifest, entries).filter((file) => !files.includes(file))).toEqual([])
    expect(files.length, `${page} loads ${files.join(' ')}`).toBeLessThanOrEqual(most)
  }
})

test.runIf(built)('the pages of guilds and rooms show a skeleton before any script runs', () => {
  const dist = path.join(path.dirname(manifestFile), '..')
  for (const page of ['pages/room.html', 'pages/channels.html', 'pages/login.html']) {
    const html = readFileSync(path.join(dist, page), 'utf8')
    const styles = /<style>(.*?)<\/style>/s.exec(html)![1]!
    const classes = [...html.matchAll(/<(?:div|span|ul|li) class="([^"]+)"/g)].flatMap(([, names]) =>
      names!.split(' '),
    )
    expect(classes.length).toBeGreaterThan(10)
    expect(classes.filter((name) => !styles.includes(`.${name}`))).toEqual([])
  }
})
