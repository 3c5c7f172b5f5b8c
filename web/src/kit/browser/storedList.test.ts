// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { storedList } from './storedList.ts'

test.each(['{"length":1}', '"text"', 'null', '7', '[broken'])(
  'what is no list reads as an empty one: %s',
  (text) => {
    localStorage.setItem('collapsed', text)
    expect(storedList('collapsed')).toEqual([])
  },
)

test('a stored list is read as it is', () => {
  localStorage.setItem('collapsed', '["1","2"]')
  expect(storedList('collapsed')).toEqual(['1', '2'])
})
