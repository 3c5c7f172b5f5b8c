import { latestVersion } from '@guildhall/wire/site/site.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../testing/fakeServer.ts'
import { storeLink, storeOf } from './storeLink.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 Safari/604.1'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.0 Safari/605.1.15'

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130', 10, null],
  [MAC, 0, null],
  [MAC, 5, 'ios'],
  [IPHONE, 5, 'ios'],
  ['Mozilla/5.0 (Linux; Android 13) Chrome/109 Mobile', 5, 'android'],
])('the store of %s with %i touch points is %s', (userAgent, touchPoints, store) => {
  expect(storeOf(userAgent, touchPoints)).toBe(store)
})

test.each([
  ['', null],
  ['javascript:alert(1)', null],
  ['https://apps.apple.com/app/id1', 'https://apps.apple.com/app/id1'],
])('the address %j leads to %s', async (url, link) => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(IPHONE)
  const server = fakeServer()
  server.on(latestVersion, () => ({ url, version: '1.0' }))
  expect(await storeLink()).toBe(link)
  expect(server.received(latestVersion)).toEqual([{ platform: 'ios' }])
})

test('a server that does not answer has no store', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(IPHONE)
  fakeServer()
  expect(await storeLink()).toBeNull()
})
