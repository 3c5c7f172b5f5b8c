import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isIdNumber, isRealName, maskIdNumber, maskName, readIdNumber, readRealName } from './realname.ts'

const NOW = Date.UTC(2026, 10, 24, 12)
/** The example of the standard, and one that ends with X. */
const GENUINE = ['11010519491231002X', '440524188001010014']

describe('a name is refused', () => {
  test.each([
    '',
    '张三丰李四王五',
    'Zhang',
    '张 三',
    '张3',
    '張_',
    '·张三',
    '张三·',
    '阿卜·',
    '阿卜··买买提',
    '阿卜.买买提',
    'Ali·买买提',
  ])('%s', (name) => {
    expect(isRealName(name)).toBe(false)
  })
  test('unless its parts of Chinese characters stand between single dots, 25 characters in all', () => {
    for (const name of ['张·三', '阿卜杜拉·买买提', '尼加提·吐尔逊·阿不都热合曼'])
      expect(isRealName(name)).toBe(true)
    expect(isRealName(`${'买'.repeat(12)}·${'提'.repeat(12)}`)).toBe(true)
    expect(isRealName(`${'买'.repeat(13)}·${'提'.repeat(12)}`)).toBe(false)
    expect(isRealName('阿卜杜拉买买提')).toBe(false)
  })
  test('unless it is one to six Chinese characters', () => {
    for (const name of ['张三', '欧阳娜娜', '𠮷野家', '买买提艾力江']) expect(isRealName(name)).toBe(true)
  })
})

test.each([
  '阿卜杜拉·买买提',
  '阿卜杜拉•买买提',
  '阿卜杜拉．买买提',
  ' 阿卜杜拉 • 买买提\u200b',
  '\u202a阿卜杜拉·买买提\u202c',
])('the dot of %s is stored as ·', (typed) => expect(readRealName(typed)).toBe('阿卜杜拉·买买提'))

describe('a number is refused', () => {
  test('with another check digit, from nowhere, or born on a day that is none', () => {
    expect(isIdNumber('110105194912310021', NOW)).toBe(false)
    expect(isIdNumber(withCheck('99010519491231002'), NOW)).toBe(false)
    expect(isIdNumber(withCheck('11010520230229002'), NOW)).toBe(false)
    expect(isIdNumber(withCheck('11010518991231002'), NOW)).toBe(false)
    expect(isIdNumber(withCheck('11010519491301002'), NOW)).toBe(false)
    expect(isIdNumber('', NOW)).toBe(false)
    expect(isIdNumber('110105491231002', NOW)).toBe(false)
  })

  test('born tomorrow in Beijing; today is fine', () => {
    expect(isIdNumber(withCheck('11010520261124002'), NOW)).toBe(true)
    expect(isIdNumber(withCheck('11010520261125002'), NOW)).toBe(false)
    expect(isIdNumber(withCheck('11010520261125002'), NOW + 4 * 3_600_000)).toBe(true)
  })

  test('when any single digit is another, or two that stand together are swapped', () => {
    const number = GENUINE[0]!
    fc.assert(
      fc.property(fc.nat(16), fc.integer({ min: 1, max: 9 }), (at, by) => {
        const other = [...number]
        other[at] = String((Number(number[at]) + by) % 10)
        expect(isIdNumber(other.join(''), NOW)).toBe(false)
      }),
      { seed: 11_643, numRuns: 1_000 },
    )
  })

  test('unless it is one', () => {
    expect(isIdNumber(GENUINE[0]!, NOW)).toBe(true)
    expect(isIdNumber(readIdNumber(' 110105 19491231 002x '), NOW)).toBe(true)
    expect(isIdNumber(readIdNumber('１１０１０５１９４９１２３１００２Ｘ'), NOW)).toBe(true)
    expect(isIdNumber(withCheck('11010520000229002'), NOW)).toBe(true)
  })
})

test('only the last characters are shown', () => {
  expect(maskName('欧阳娜娜')).toBe('*娜')
  expect(maskIdNumber(GENUINE[0]!)).toBe('****************2X')
})

/** Computed as in ISO 7064 MOD 11-2, by doubling; another way than that of the code. */
function withCheck(first: string): string {
  const rest = [...first].reduce((sum, digit) => ((sum + Number(digit)) * 2) % 11, 0)
  const check = (12 - rest) % 11
  return first + (check === 10 ? 'X' : check)
}
