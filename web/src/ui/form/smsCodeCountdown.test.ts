// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { clearUserStorage } from '../../kit/browser/storage.ts'
import { forgetCodesSent } from '../../testing/cookies.ts'
import { codeSentAt, mobileOfCode, noteCodeSent, secondsLeft } from './smsCodeCountdown.ts'

const ONE = { prefix: '86', mobile: '13800000000' }
const OTHER = { prefix: '86', mobile: '13800000001' }

afterEach(() => {
  vi.useRealTimers()
  clearUserStorage()
  forgetCodesSent()
})

test.each([
  [0, 0],
  [1_000_000, 60],
  [1_000_000 - 1, 60],
  [1_000_000 - 59_001, 1],
  [1_000_000 - 60_000, 0],
  [1_000_000 + 5_000, 0],
])('a code sent at %s leaves %s seconds to wait', (sentAt, left) => {
  expect(secondsLeft(sentAt, 1_000_000)).toBe(left)
})

test('each number has its own time, whichever page it was typed on', () => {
  expect(codeSentAt(ONE)).toBe(0)
  noteCodeSent('login', 1234, ONE)
  expect(codeSentAt(ONE)).toBe(1234)
  expect(codeSentAt({ ...ONE, mobile: '138 0000 0000' })).toBe(1234)
  expect(codeSentAt(OTHER)).toBe(0)
  expect(codeSentAt({ ...ONE, prefix: '852' })).toBe(0)
})

test('the number of the account, which is known masked, has one time with the same number typed', () => {
  const own = { prefix: '86', mobile: '*******0000' }
  noteCodeSent('delete', 1234, own)
  expect([codeSentAt(own), codeSentAt(ONE), codeSentAt(OTHER)]).toEqual([1234, 1234, 0])
  expect(codeSentAt({ ...own, prefix: '852' })).toBe(0)
  noteCodeSent('login', 5678, ONE)
  expect([codeSentAt(own), codeSentAt(ONE), codeSentAt(OTHER)]).toEqual([5678, 5678, 0])
})

test('the number cannot be read from the cookie', () => {
  noteCodeSent('login', 1234, { ...ONE, mobile: '13812345678' })
  expect(document.cookie).not.toContain('12345678')
})

test('a page knows its number again after a reload, until its countdown is over', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  noteCodeSent('login', Date.now(), ONE)
  expect([mobileOfCode('login'), mobileOfCode('forgot')]).toEqual([ONE.mobile, ''])
  vi.setSystemTime(Date.now() + 60_000)
  expect(mobileOfCode('login')).toBe('')
})

test('nothing typed is left after a logout', () => {
  noteCodeSent('login', Date.now(), ONE)
  sessionStorage.setItem('shell_token', 'mark')
  clearUserStorage()
  expect(mobileOfCode('login')).toBe('')
  expect(Object.keys(sessionStorage)).toEqual(['shell_token'])
})
