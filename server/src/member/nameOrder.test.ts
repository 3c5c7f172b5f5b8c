import { expect, it } from 'vitest'
import { abbreviationOf, insert, nameKey, remove, sortGradually } from './nameOrder.ts'

const sorted = (names: readonly string[]) =>
  names
    .map((name, index) => ({ name, key: nameKey(name, String(index)) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ name }) => name)

it('Chinese names stand among the others by their pinyin, without regard to case and accents', () => {
  expect(sorted(['张三', 'bob', '阿狸', 'Álvaro', '小满', 'Zoe', '白露'])).toEqual([
    '阿狸',
    'Álvaro',
    '白露',
    'bob',
    '小满',
    '张三',
    'Zoe',
  ])
})

it('equal names are in the order of ids', () => {
  const keys = [nameKey('同名', '12'), nameKey('同名', '9')]
  expect([...keys].sort()).toEqual([keys[1], keys[0]])
})

it('a long list is sorted like a short one, and what is inserted and removed keeps the order', async () => {
  const list = Array.from({ length: 9_001 }, (_, index) => ({ key: String((index * 7919) % 9_001) }))
  const done = await sortGradually(list, (a, b) => a.key < b.key)
  expect(done).toEqual([...list].sort((a, b) => (a.key < b.key ? -1 : 1)))
  const added = { key: '45x' }
  insert(done, added)
  expect(done.indexOf(added)).toBeGreaterThan(0)
  expect(done.map(({ key }) => key)).toEqual([...done.map(({ key }) => key)].sort())
  remove(done, added)
  expect(done).toHaveLength(9_001)
})

it('abbreviates names by the first letters', () => {
  expect([abbreviationOf('阿狸'), abbreviationOf('Bob the 3rd'), abbreviationOf('🎉')]).toEqual([
    'al',
    'bt3',
    '',
  ])
})
