import { expect, it } from 'vitest'
import { isPassword } from './password.ts'

it.each(['', 'a1b2c', '123456', 'abcdef', `a${'1'.repeat(30)}`, '!!!!!!', '密码密码密码'])(
  '%j is no password',
  (password) => expect(isPassword(password)).toBe(false),
)

it.each(['abc123', `a${'1'.repeat(29)}`, '密码12345', 'a long one 1', '!@#$%a1'])(
  '%j is a password',
  (password) => expect(isPassword(password)).toBe(true),
)
