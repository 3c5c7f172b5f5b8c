import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pages } from '@guildhall/wire/pages.ts'
import { beforeAll, expect, test } from 'vitest'
import { importsOf, sourceFiles } from './imports.ts'

const ROOT = path.dirname(import.meta.dirname)
/** Screens that only lead to another page. */
const NAMELESS = ['web/src/app/ToLanding.tsx']

const screens = [...new Set(Object.values(pages).map((it) => it.screen))]
  .filter((screen) => screen !== undefined)
  .map((screen) => `web/src/${screen}.tsx`)

let files: readonly string[]
beforeAll(async () => {
  files = await sourceFiles(ROOT)
})

/** What names a page: a hook, or a page that has its name in its bar. */
const NAMES = /\buse(?:Page|Product)?Title\(|<(?:TitledPage|FestivePage|ShopPage|Picker)\b/

/** Whether a screen names the page, or a part of it beside it; what the app composes may be of any noun. */
function namesItself(screen: string): boolean {
  const source = readFileSync(path.join(ROOT, screen), 'utf8')
  if (NAMES.test(source)) return true
  const noun = screen.split('/').slice(0, 3).join('/')
  const isComposed = noun === 'web/src/app'
  const beside = importsOf(screen, source).filter((it) => isComposed || it.startsWith(`${noun}/`))
  return beside.some((it) => it.endsWith('.tsx') && namesItself(it))
}

test('every page has a screen of the tree', () => {
  expect(screens.length).toBeGreaterThan(40)
  expect(screens.filter((screen) => !files.includes(screen))).toEqual([])
})

test('every screen names its page', () => {
  const named = [...screens, 'web/src/site/NotFoundScreen.tsx'].filter((it) => !NAMELESS.includes(it))
  expect(named.filter((screen) => !namesItself(screen))).toEqual([])
})
