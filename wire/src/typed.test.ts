import { expect, test } from 'vitest'
import { readAbroad } from './auth/abroad.ts'
import { readMobile } from './auth/mobile.ts'
import { checkCaptcha } from './captcha/captcha.ts'
import { readUserCode } from './friend/friend.ts'
import { codeIn } from './invite/inviteLink.ts'
import { referralCodeIn } from './invite/referral.ts'
import { readIdNumber } from './realname/realname.ts'
import { text } from './schema.ts'
import { foldCode, foldDigits } from './typed.ts'
import { foldDashed } from './words.ts'

test.each([
  ['1 2 3', '123'],
  ['１２３４５６', '123456'],
  ['12\u200b34\ufeff56', '123456'],
  ['\u202a123456\u202c', '123456'],
  ['12\u00a034\u300056', '123456'],
  ['ab-cd–ef—gh−ij‐kl‑mn－op', 'abcdefghijklmnop'],
  ['a\u00adb\u2800c', 'abc'],
  ['１３８００００００ー', '138000000'],
])('a typed code %j is %s', (typed, code) => expect(foldCode(typed)).toBe(code))

test('of a code of digits only digits are kept, of others also their dashes and points', () => {
  expect(foldDigits('验证码：１２３-４５６')).toBe('123456')
  expect(foldDashed(' －１２．５\u200b ')).toBe('-12.5')
})

const number = (mobile: string, prefix = '86') => readMobile({ prefix, mobile }).mobile

test.each([
  '13800000003',
  '+86 138 0000 0003',
  '+86-138-0000-0003',
  '＋８６ １３８ ００００ ０００３',
  '0086 138 0000 0003',
  '0086-13800000003',
  '8613800000003',
  '86 138 0000 0003',
  '\u202a+86 138 0000 0003\u202c',
  '(+86) 138.0000.0003',
])('%s is a number of China', (typed) => expect(number(typed)).toBe('13800000003'))

test('the number of another country is not one of China, and a number being typed keeps its plus', () => {
  expect(number('+1 3800000000')).toBe('+13800000000')
  expect(number('+852 6123 4567')).toBe('+85261234567')
  expect(number('+86')).toBe('+86')
  expect(number('+')).toBe('+')
  expect(number('86138')).toBe('86138')
})

test.each([
  ['+852 6123 4567', '852', '61234567'],
  ['00852-6123-4567', '852', '61234567'],
  ['+1 (604) 555-0123', '1', '6045550123'],
  ['+44 7700 900123', '44', '7700900123'],
  ['+7 912 345 67 89', '7', '9123456789'],
  ['+86 138 0000 0003', '86', '13800000003'],
])('%s is a number of +%s', (typed, prefix, mobile) => expect(readAbroad(typed)).toEqual({ prefix, mobile }))

test.each(['', '+', '+8', '+85', '+852', '61234567', '13800000003', '85261234567'])(
  '%j names no country, or no number of it yet',
  (typed) => expect(readAbroad(typed)).toBeNull(),
)

test('every code of a country is read whole', async () => {
  const { getCountries, getCountryCallingCode } = await import('libphonenumber-js/min')
  for (const country of getCountries()) {
    const prefix = String(getCountryCallingCode(country))
    expect(readAbroad(`+${prefix}123456`)).toEqual({ prefix, mobile: '123456' })
  }
})

test('the country code of any chosen country may be repeated', () => {
  expect(readMobile({ prefix: '+４４', mobile: '+44 7700 900123' })).toEqual({
    prefix: '44',
    mobile: '7700900123',
  })
  expect(number('00852-6123-4567', '852')).toBe('61234567')
  // Without a sign of it, the digits may be the number's own.
  expect(number('85261234', '852')).toBe('85261234')
  expect(readMobile({ prefix: '', mobile: '13800000003' }).prefix).toBe('86')
  expect(readMobile({ prefix: '00 86', mobile: '13800000003' }).prefix).toBe('86')
})

test('a text is folded before it is measured', () => {
  const code = text(6, 6, foldCode)
  expect(code.safeParse('1\u200b2 3 4 5 6 ').data).toBe('123456')
  expect(code.safeParse('1 2 3').success).toBe(false)
  expect(code.safeParse(123456).data).toBe('123456')
  const solved = { id: 'x', captcha: 'x', mobile: '+86 138 0000 0003 \u200b\u200b\u200b' }
  expect(checkCaptcha.input.safeParse(solved).data).toMatchObject({
    mobile: '+8613800000003',
  })
})

test('a person is found by name and digits of any width', () => {
  expect(readUserCode(' 小满＃１２３４\u200b')).toBe('小满#1234')
  expect(readUserCode('小满')).toBe('小满')
  expect(readUserCode('#1234')).toBe('#1234')
})

test('identity cards and invite codes are read from how phones write them', () => {
  expect(readIdNumber('１１０１０１ 19900307－123ｘ\u200b')).toBe('11010119900307123X')
  expect(referralCodeIn('ab cd-\u200bＥＦ23')).toBe('ABCDEF23')
  expect(codeIn(' ＡＢＣ def\u200b')).toBe('ABCdef')
  expect(codeIn('\u202ahttps://guild.example/invite/abc123\u202c\u200b')).toBe('abc123')
  expect(codeIn('https://guild.example/abc123 快来')).toBeNull()
})
