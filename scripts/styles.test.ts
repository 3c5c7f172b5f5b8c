import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const PAGE = path.join(import.meta.dirname, '../web/src')
const files = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).map((file) => path.join(PAGE, file))
const sheets = files.filter((file) => file.endsWith('.module.css'))

/** The classes of each stylesheet that the components name; null when one takes them by a computed name. */
function namedClasses(): Map<string, Set<string> | null> {
  const named = new Map<string, Set<string> | null>(sheets.map((sheet) => [sheet, new Set()]))
  for (const file of files.filter((each) => /\.tsx?$/.test(each))) {
    const source = readFileSync(file, 'utf8')
    for (const [, alias, address] of source.matchAll(/^import (\w+) from '(.*\.module\.css)'$/gm)) {
      const sheet = path.join(path.dirname(file), address!)
      if (source.includes(`${alias}[`)) named.set(sheet, null)
      for (const [, name] of source.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g')))
        named.get(sheet)?.add(name!)
    }
  }
  return named
}

function definedClasses(sheet: string): Set<string> {
  const rules = readFileSync(sheet, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const selectors = rules.replaceAll(/[\w-]+:[^;{}]*;/g, '')
  return new Set([...selectors.matchAll(/\.([a-z]\w*)/gi)].map(([, name]) => name!))
}

// The types of a stylesheet accept any name: without this test an unknown class would go unnoticed.
test('components name only classes that their stylesheets define, and no class is left unused', () => {
  expect(sheets.length).toBeGreaterThan(40)
  for (const [sheet, named] of namedClasses())
    if (named !== null)
      expect([...named].sort(), path.relative(PAGE, sheet)).toEqual([...definedClasses(sheet)].sort())
})

test('stylesheet names are unique, because they are part of the class names of the page', () => {
  const names = sheets.map((sheet) => path.basename(sheet))
  expect([...new Set(names)]).toEqual(names)
})

test('a toast lies above everything that can be open, and what is open above the page', () => {
  const highest = (pattern: RegExp) =>
    Math.max(
      ...sheets
        .filter((sheet) => pattern.test(sheet))
        .flatMap((sheet) => [...readFileSync(sheet, 'utf8').matchAll(/z-index: (\d+)/g)])
        .map(([, level]) => Number(level)),
    )
  const open = /ui\/overlay\/Modal|media\/Viewer/
  const toast = /ui\/overlay\/Toast/
  expect(highest(toast)).toBeGreaterThan(highest(open))
  expect(highest(open)).toBeGreaterThan(highest(new RegExp(`^(?!.*(?:${open.source}|${toast.source}))`)))
})
