import { expect, test } from 'vitest'
import { hostOf } from './host.ts'

test.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 MicroMessenger/8.0.44(0x18002c2f)',
    'wechat',
  ],
  [
    'Mozilla/5.0 (Linux; Android 13) Chrome/109 MQQBrowser/6.2 TBS/046715 Mobile Safari/537.36 V1_AND_SQ_8.9.85 QQ/8.9.85.12820',
    'qq',
  ],
  ['Mozilla/5.0 (Linux; Android 13) Chrome/109 Mobile Safari/537.36 MQQBrowser/14.5', 'browser'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile/15E148 Safari/604.1',
    'browser',
  ],
])('%s is detected as %s', (userAgent, host) => {
  expect(hostOf(userAgent)).toBe(host)
})
