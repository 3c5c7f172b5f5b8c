// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { codeSentAt, noteCodeSent, secondsLeft } from './smsCodeCountdown.ts'

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

test('each page stores its own time', () => {
  expect(codeSentAt('login')).toBeNull()
  noteCodeSent('login', 1234, '13800000000')
  expect(codeSentAt('login')).toBe(1234)
  expect(codeSentAt('invite')).toBeNull()
})
