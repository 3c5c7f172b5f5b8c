import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pages } from '@guildhall/wire/pages.ts'
import { expect, it, test } from 'vitest'
import { beginnings, screensSource } from '../web/screens.ts'
import { sourceFiles } from './imports.ts'

const ROOT = path.dirname(import.meta.dirname)

/** What an address matches; the parts of a written one that code fills in stand as `x`. */
const patterns = Object.keys(pages).map(
  (address) => new RegExp(`^${address.replace(/\/\*$/, '(?:/.*)?').replace(/:\w+/g, '[^/]+')}$`),
)
const isPage = (address: string) => patterns.some((it) => it.test(address))

/** Addresses of the server that are no pages: where payment providers call. */
const isCalled = (address: string) => address.startsWith('/pay/notify/')

/**
 * The first parts of all addresses: `account`. What else begins with a slash is a call, a picture, a pattern.
 */
const FIRSTS = [...new Set(Object.keys(pages).map((it) => it.split('/')[1]))].filter((it) => it)
const WRITTEN = new RegExp(`(['"\`])(/(?:${FIRSTS.join('|')})(?![\\w-])[^'"\`\\n]*)\\1`, 'g')

/** The addresses that a source names, without their queries. */
function addressesIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  return [...code.matchAll(WRITTEN)].map((match) =>
    match[2]!
      .replace(/\/\$\{[^}]*\}/g, '/x')
      .replace(/\$\{.*$/, '')
      .replace(/[?#].*$/, '')
      .replace(/(.)\/$/, '$1'),
  )
}

it('an address in a source is read without its query, and with something in place of what code fills in', () => {
  const source = `
    // Nothing: '/account/comment'
    const a = '/account/buff'
    <Link to="/renewal/management?type=buff" />
    go(\`/channels/\${guild.id}/\${channelId}?m=\${messageId}\`)
    go(\`/oia\${path}\`)
    fetch('/api/v3/user/me', '/accounting')
  `
  const found = addressesIn(source)
  expect(found).toEqual(['/account/buff', '/renewal/management', '/channels/x/x', '/oia'])
  expect(found.filter((it) => !isPage(it))).toEqual([])
  expect(isPage('/account/comment')).toBe(false)
})

test('every address that the product writes is one of a page', async () => {
  const files = (await sourceFiles(ROOT)).filter(
    (file) => !/^(?:e2e|scripts)\/|\.test\.tsx?$|\/(?:testing|fixtures)\//.test(file),
  )
  const found = files.flatMap((file) =>
    addressesIn(readFileSync(path.join(ROOT, file), 'utf8')).map((address) => ({ file, address })),
  )
  expect(found.length).toBeGreaterThan(60)
  expect(found.filter(({ address }) => !isPage(address) && !isCalled(address))).toEqual([])
})

it('a list of screens loads each when it is shown, and one that several addresses have once', () => {
  const source = screensSource({
    '/a': {
      screen: 'a/AScreen',
      comesWithList: true,
    },
    '/b': { screen: 'b/BScreen' },
    '/b/:id': { screen: 'b/BScreen' },
  })
  expect(source.replaceAll(path.posix.join(ROOT, 'web'), '')).toBe(
    [
      'import { screen } from "/src/app/screen.tsx"',
      'import Screen0 from "/src/a/AScreen.tsx"',
      'const Screen1 = screen(() => import("/src/b/BScreen.tsx"))',
      'export default [',
      '  ["/a", Screen0],',
      '  ["/b", Screen1],',
      '  ["/b/:id", Screen1],',
      ']',
    ].join('\n'),
  )
})

it('patterns name the first part of an address, and with a star where more follows', () => {
  expect(beginnings(['/account', '/account/name', '/cdk', '/guild/boost'])).toEqual([
    '/account/*',
    '/cdk',
    '/guild/*',
  ])
})
