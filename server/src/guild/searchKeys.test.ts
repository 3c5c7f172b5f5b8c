import { fits, folded } from '@guildhall/wire/user/nameSearch.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keysOf, spellingOf } from './searchKeys.ts'

/** True when the database would find the name by this search. */
const finds = (name: string, search: string, number = ''): boolean => {
  const { start, inside } = keysOf(name, number)
  return [...start, ...inside].some((key) => key.startsWith(folded(search)))
}

describe('a name', () => {
  it.each([
    ['小满', 'mx'],
    ['小满', 'xiaomin'],
    ['小满', 'iao'],
    ['小满', 'xiaomanx'],
    ['小满', '大'],
    ['alex', 'xe'],
    ['重庆', 'chonq q'],
  ])('%s is not found by %s', (name, search) => {
    expect(finds(name, search)).toBe(false)
    expect(fits(folded(search), name, spellingOf(name))).toBeNull()
  })

  it.each([
    ['小满', '小'],
    ['小满', '满'],
    ['小满', 'xiaoman'],
    ['小满', 'xm'],
    ['小满', 'xiaom'],
    ['小满', 'xman'],
    ['小满', 'XM'],
    ['小满', 'xiǎomǎn'],
    ['小满', 'ｘｍ'],
    ['小满', 'man'],
    ['重庆', 'chongqing'],
    ['重庆', 'zhongqing'],
    ['重庆', 'cq'],
    ['重庆', 'zq'],
    ['吕布', 'lvbu'],
    ['吕布', 'lubu'],
    ['吕布', 'lǚbù'],
    ['西安', "xi'an"],
    ['路过的猫', 'lgdm'],
    ['路过的猫', 'guode'],
    ['新来的阿宁', 'xinlaidean'],
    ['新来的阿宁', 'aning'],
    ['Alexander', 'xand'],
    ['Müller', 'mull'],
    ['夜猫Leo', 'ymleo'],
    ['夜猫Leo', 'leo'],
  ])('%s is found by %s, on the page as well', (name, search) => {
    expect(finds(name, search)).toBe(true)
    expect(fits(folded(search), name, spellingOf(name))).not.toBeNull()
  })

  it('is found with its number appended', () => {
    expect(finds('小满', '小满#00', '0007')).toBe(true)
    expect(finds('小满', '小满#01', '0007')).toBe(false)
  })

  it('has a bounded number of keys, however long it is and however many readings it has', () => {
    for (const name of ['重'.repeat(64), '𠮷'.repeat(32), 'a'.repeat(64), '行乐重长'.repeat(16)]) {
      const { start, inside } = keysOf(name, '0007')
      expect(start.length).toBeLessThanOrEqual(96)
      expect(inside.length).toBeLessThanOrEqual(96)
      for (const key of [...start, ...inside]) expect(key.length).toBeLessThanOrEqual(48)
    }
  })
})

const letter = fc.constantFrom(...'小满重庆行乐长吕安西南枝阿澈abz9_-😀𠮷')
const nameOf = (maxLength: number) => fc.array(letter, { minLength: 1, maxLength }).map((all) => all.join(''))
const typed = fc.oneof(
  fc
    .array(fc.constantFrom(...'xmcqznalvhgoiu小满重'), { minLength: 1, maxLength: 6 })
    .map((all) => all.join('')),
  fc.constantFrom('xiao', 'zhong', 'chongq', 'xingl', 'lv', 'an', 'xa', 'nanz'),
)

describe('any short name', () => {
  it('is found in the database by exactly the searches that match it on the page', () => {
    fc.assert(
      fc.property(nameOf(3), typed, (it, search) => {
        expect(finds(it, search)).toBe(fits(folded(search), it, spellingOf(it)) !== null)
      }),
      { numRuns: 10_000, seed: 20240718 },
    )
  })

  it('is found by its first letters, its whole pinyin, and every mixture of the two', () => {
    fc.assert(
      fc.property(nameOf(4), fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (it, short) => {
        const spelling = spellingOf(it)
        fc.pre(spelling !== '')
        const units = spelling.split(' ').map((unit) => unit.split(',')[0] ?? '')
        const search = units.map((unit, at) => (short[at] ? ([...unit][0] ?? '') : unit)).join('')
        expect(finds(it, search)).toBe(true)
      }),
      { numRuns: 2_000, seed: 20240719 },
    )
  })

  it('of any characters has a spelling for each of its characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (it) => {
        const spelling = spellingOf(it)
        if (spelling !== '') expect(spelling.split(' ')).toHaveLength([...folded(it)].length)
        expect(keysOf(it).start.every((key) => key !== '')).toBe(true)
      }),
      { numRuns: 1_000, seed: 20240720 },
    )
  })
})
