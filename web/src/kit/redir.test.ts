import { createMemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { paths } from './paths.ts'
import { pathBackTo, safeRedir } from './redir.ts'

const here = 'https://hall.example'

/**
 * Spellings of other sites; what a browser, or the router after one more decoding, reads as an address
 * elsewhere.
 */
const LEADS_AWAY = [
  // Two slashes, also where dot segments leave them at the start.
  '//evil.example',
  '///evil.example',
  '/.//evil.example',
  '/././/evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/a/../..//evil.example',
  './/evil.example',
  '..//evil.example',
  'a/..//evil.example',
  '/%2e//evil.example',
  '/%2e%2e//evil.example',
  '/.%2e//evil.example',
  'https://hall.example//evil.example',
  'https://hall.example/.//evil.example',
  // A browser reads backslashes as slashes.
  '\\\\evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '/.\\/evil.example',
  '/./\\evil.example',
  'https:\\\\evil.example',
  'https://hall.example\\@evil.example/',
  // A browser leaves out tabs and line ends, and controls and blanks at the start.
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '/.\t//evil.example',
  '\u0000//evil.example',
  ' //evil.example',
  '\u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  // Encoded once or more.
  '/%2fevil.example',
  '/%2F/evil.example',
  '/%5cevil.example',
  '/%5C%5Cevil.example',
  '/%252fevil.example',
  '/%25252fevil.example',
  '/%255cevil.example',
  '/%09/evil.example',
  '/%0a/evil.example',
  '/.%2f/evil.example',
  '/x/..%2f..%2f%2fevil.example',
  // Other schemes, hosts, ports, and names of people in the address.
  'https://evil.example/login',
  'http://hall.example/',
  'https://hall.example:8443/',
  'https://hall.example.evil.example/',
  'https://hall.example@evil.example/',
  'https://evil.example@hall.example/',
  'https://a:b@hall.example/',
  'https://evil.example#hall.example',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'HTTPS://evil.example',
  'https://hall\u3002example\u3002evil.example/',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'javascript://hall.example/%0aalert(1)',
  'data:text/html,hi',
  'vbscript:x',
  'blob:https://hall.example/0',
  'file:///etc/passwd',
  'mailto:a@evil.example',
  // What no parser accepts.
  'https://:bad',
  'https://[evil/',
  '/%',
  '/%e0%a4',
]

test.each(LEADS_AWAY)('a redirect to %j is refused', (value) => {
  expect(safeRedir(value, here)).toBeNull()
})

test('a missing redirect is null', () => {
  expect(safeRedir(null, here)).toBeNull()
  expect(safeRedir('', here)).toBeNull()
})

const STAYS = [
  ['/', '/'],
  ['/channels/1/2?a=b#c', '/channels/1/2?a=b#c'],
  ['https://hall.example', '/'],
  ['https://hall.example/channels/1', '/channels/1'],
  ['https://hall.example:443/channels/1', '/channels/1'],
  ['channels/1', '/channels/1'],
  ['/channels/../channels/1', '/channels/1'],
  ['/invite/%E5%85%AC', '/invite/%E5%85%AC'],
  ['/channels/1?next=//evil.example', '/channels/1?next=//evil.example'],
  ['/channels/1#https://evil.example', '/channels/1#https://evil.example'],
] as const

test.each(STAYS)('a redirect to %s stays on this site', (value, path) => {
  expect(safeRedir(value, here)).toBe(path)
})

test.each(STAYS)('what is left of %s is read alike by a browser and by the router', async (value) => {
  const path = safeRedir(value, here)!
  expect(new URL(path, here).origin).toBe(here)
  expect(safeRedir(path, here)).toBe(path)
  const router = createMemoryRouter([{ path: '*', element: null }])
  await router.navigate(path)
  const { pathname, search, hash } = router.state.location
  expect(pathname + search + hash).toBe(path)
  router.dispose()
})

test('the login link contains the path to return to', () => {
  expect(paths.login('/channels/1?x=1')).toBe('/login?redir=%2Fchannels%2F1%3Fx%3D1')
})

test.each([
  [null, '/account?id=1'],
  ['https://evil.example/', '/account?id=1'],
  ['/.//evil.example', '/account?id=1'],
  ['/guild/7', '/guild/7?id=1'],
  ['/guild/7?tab=2&id=5#top', '/guild/7?tab=2&id=1#top'],
])('an answer for %s goes to %s', (from, to) =>
  expect(pathBackTo(from, '/account', { id: '1' }, here)).toBe(to),
)
