import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { importsOf, sourceFiles } from './imports.ts'

const ROOT = path.dirname(import.meta.dirname)
const APP = ['App.tsx', 'AccountPages.tsx', 'OtherPages.tsx', 'startConsole.tsx'].map(
  (it) => `web/src/app/${it}`,
)
/** Screens that only lead to another page, or stand within one that has a name. */
const NAMELESS = /\/(?:Shell|OtherPages|AccountPages|DiscoverPart|NewGuild|InviteFriends|PersonSheet)\.tsx$/

let screens: readonly string[]
beforeAll(async () => {
  const files = new Set(await sourceFiles(ROOT))
  screens = APP.flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/import\('(\.[^']+\.tsx)'\)/g)].map((match) =>
      path.posix.join(path.posix.dirname(file), match[1]!),
    ),
  ).filter((file) => files.has(file) && !NAMELESS.test(file) && !file.includes('/testing/'))
})

/** Whether a screen, or a part of it beside it, names the page. */
function namesItself(screen: string): boolean {
  const source = readFileSync(path.join(ROOT, screen), 'utf8')
  if (/\buse(?:Page)?Title\(/.test(source)) return true
  const beside = importsOf(screen, source).filter((it) => path.dirname(it) === path.dirname(screen))
  return beside.some((it) => it.endsWith('.tsx') && namesItself(it))
}

test('every screen of the routes names its page', () => {
  expect(screens.length).toBeGreaterThan(40)
  expect(screens.filter((screen) => !namesItself(screen))).toEqual([])
})
