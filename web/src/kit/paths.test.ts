import { expect, test } from 'vitest'
import { paths, safeRedir } from './paths.ts'

const here = 'https://hall.example'

test.each([
  'https://evil.example/login',
  '//evil.example',
  '/\\evil.example',
  'javascript:alert(1)',
  'data:text/html,hi',
  'http://hall.example/',
  'https://hall.example.evil.example/',
  'https://hall.example@evil.example/',
  'https://:bad',
])('a redirect to %s is refused', (value) => {
  expect(safeRedir(value, here)).toBeNull()
})

test('a missing redirect is null', () => {
  expect(safeRedir(null, here)).toBeNull()
  expect(safeRedir('', here)).toBeNull()
})

test.each([
  ['/channels/1/2?a=b#c', '/channels/1/2?a=b#c'],
  ['https://hall.example/channels/1', '/channels/1'],
  ['channels/1', '/channels/1'],
])('a redirect to %s stays on this site', (value, path) => {
  expect(safeRedir(value, here)).toBe(path)
})

test('the login link contains the path to return to', () => {
  expect(paths.login('/channels/1?x=1')).toBe('/login?redir=%2Fchannels%2F1%3Fx%3D1')
})
