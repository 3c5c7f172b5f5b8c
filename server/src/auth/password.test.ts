import { expect, it } from 'vitest'
import { checkPassword, hashPassword } from './password.ts'

it('another password does not match, nor does any where none was set', async () => {
  const hash = await hashPassword('correct horse')
  expect(await checkPassword('correct horsf', hash, 'here')).toBe(false)
  expect(await checkPassword('', hash, 'here')).toBe(false)
  expect(await checkPassword('correct horse', null, 'here')).toBe(false)
})

it('a stored hash that is not readable is a bug, not a wrong password', async () => {
  await expect(checkPassword('x', '$2b$10$abc', 'here')).rejects.toThrow('not readable')
})

it('the password matches its hash in any Unicode normalization', async () => {
  const hash = await hashPassword('caf\u00e9 密码')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await checkPassword('cafe\u0301 密码', hash, 'here')).toBe(true)
})

it('the same password is stored differently each time', async () => {
  expect(await hashPassword('same')).not.toBe(await hashPassword('same'))
})
