// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { clearUserStorage } from '../kit/storage.ts'
import { codeSentAt, mobileOfCode, noteCodeSent, secondsLeft } from './smsCodeCountdown.ts'

const ONE = { prefix: '86', mobile: '13800000000' }
const OTHER = { prefix: '86', mobile: '13800000001' }

afterEach(() => {
  vi.useRealTimers()
  clearUserStorage()
})

test.each([
  [null, 0],
  [1_000_000, 60],
  [1_000_000 - 1, 60],
  [1_000_000 - 59_001, 1],
  [1_000_000 - 60_000, 0],
  [1_000_000 + 5_000, 0],
])('a code sent at %s leaves %s seconds to wait', (sentAt, left) => {
  expect(secondsLeft(sentAt, 1_000_000)).toBe(left)
})

test('each number has its own time, whichever page it was typed on', () => {
  expect(codeSentAt(ONE)).toBeNull()
  noteCodeSent('login', 1234, ONE)
  expect(codeSentAt(ONE)).toBe(1234)
  expect(codeSentAt({ ...ONE, mobile: '138 0000 0000' })).toBe(1234)
  expect(codeSentAt(OTHER)).toBeNull()
  expect(codeSentAt({ ...ONE, prefix: '852' })).toBeNull()
})

test('the number cannot be read from the cookie', () => {
  noteCodeSent('login', 1234, ONE)
  expect(document.cookie).not.toContain(ONE.mobile)
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
