import { expect, it } from 'vitest'
import { addressProblem, foldAddress, MAIL, NAME, readAccount, splitName } from './address.ts'
import { hasOtherWays } from './otherWays.ts'
import { waysIn } from './ways.ts'

it.each([
  'ann',
  'ann@example',
  'ann@@example.com',
  '@example.com',
  'ann@example.com.',
  'ann@-example.com',
  'ann@example..com',
  '.ann@example.com',
  'a..b@example.com',
  'ann@10.0.0.1',
  'ann@example.com\r\nBcc: eve@example.com',
  'ann <ann@example.com>',
  'ann,eve@example.com',
  `${'a'.repeat(65)}@example.com`,
  `ann@${'a.'.repeat(130)}com`,
])('%j is no address', (typed) => expect(addressProblem(typed)).toBe('auth.address_wrong'))

it.each(['ann@example.com', "o'neil+tag@mail.example.co.uk", 'x@xn--fiqs8s.cn', '1@2.cn'])(
  '%s is one',
  (typed) => expect(addressProblem(typed)).toBeNull(),
)

it('an address is read as people type and paste it', () => {
  expect(foldAddress(' Ann@Exam ple.COM\u200b')).toBe('ann@example.com')
  expect(foldAddress('ann＠example．com')).toBe('ann@example.com')
  expect(addressProblem(foldAddress('  '))).toBe('auth.address_required')
})

it('a name has its digits behind it, and may look like anything else', () => {
  expect(splitName('小满#1234')).toEqual({ username: '小满', digits: '1234' })
  expect(splitName(' C#＃12345 ')).toEqual({ username: 'C#', digits: '12345' })
  for (const typed of ['小满', '#1234', '小满#12', '小满#12a4']) expect(splitName(typed), typed).toBeNull()
  expect(readAccount(' 小满＃1234')).toEqual({ prefix: NAME, mobile: '小满#1234' })
  expect(readAccount('Ann@example.com')).toEqual({ prefix: MAIL, mobile: 'ann@example.com' })
})

it('a page knows the ways by its cookie, in the order of the operator, and no others', () => {
  expect(waysIn('')).toEqual(['sms'])
  expect(waysIn('away=email; ways=pigeon')).toEqual(['sms'])
  expect(waysIn('logins=qq; ways=invite.email')).toEqual(['invite', 'email'])
  for (const cookies of ['', 'a=b; ways=; c=d', 'always=1', 'ways='])
    expect(hasOtherWays(cookies), cookies).toBe(false)
  for (const cookies of ['ways=email', 'a=b; ways=sms.email; c=d', 'ways=invite'])
    expect(hasOtherWays(cookies), cookies).toBe(true)
})
