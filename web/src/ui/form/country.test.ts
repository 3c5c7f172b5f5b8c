import { expect, test } from 'vitest'
import { countries, findCountries, getsCodes } from './country.ts'

test('a search without matches finds nothing', () => {
  expect(findCountries(countries('zh-CN'), 'zzzz')).toEqual([])
})

test('China is first in both languages', () => {
  expect(countries('zh-CN')[0]).toEqual({ abbr: 'CN', code: '86', name: '中国' })
  expect(countries('en')[0]).toEqual({ abbr: 'CN', code: '86', name: 'China' })
})

test('there are more than 190 places, each with a code of digits', () => {
  const all = countries('en')
  expect(all.length).toBeGreaterThan(190)
  for (const country of all) expect(country.code).toMatch(/^\d{1,4}$/)
})

test.each(['+852', '852', ' hk ', '香港'])('Hong Kong is found by %s', (typed) => {
  expect(findCountries(countries('zh-CN'), typed).map((country) => country.abbr)).toContain('HK')
})

test.each([
  ['', '86 44'],
  ['prefixes=', '86 44'],
  ['xprefixes=1', '86 44'],
  ['a=b; prefixes=86.852; c=d', '86'],
  ['prefixes=44', '44'],
  ['prefixes=864', ''],
])('the cookie %j tells that codes go to %j', (cookies, expected) => {
  const asked = ['86', '44'].filter((code) => getsCodes({ abbr: '', code, name: '' }, cookies))
  expect(asked.join(' ')).toBe(expected)
})
