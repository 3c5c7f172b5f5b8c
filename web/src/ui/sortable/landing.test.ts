import { expect, test } from 'vitest'
import { landing, withMoved } from './landing.ts'

const rows = Array.from({ length: 5 }, (_, n) => ({ top: n * 50, height: 50 }))

test('a row that was hardly dragged, or is not there, stays', () => {
  expect([0, 20, -20].map((by) => landing(rows, 2, by, 0, 4))).toEqual([2, 2, 2])
  expect(landing(rows, 9, 100, 0, 4)).toBe(9)
})

test('a row passes another one when its edge passes the middle of that', () => {
  expect([26, 75, 76, 900].map((by) => landing(rows, 2, by, 0, 4))).toEqual([3, 3, 4, 4])
  expect([-26, -75, -76, -900].map((by) => landing(rows, 2, by, 0, 4))).toEqual([1, 1, 0, 0])
})

test('rows that take no part are not passed', () => {
  expect([landing(rows, 2, -900, 1, 3), landing(rows, 2, 900, 1, 3)]).toEqual([1, 3])
})

test('a moved item stands at its number, and the others keep their order', () => {
  expect(withMoved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(withMoved(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c'])
  expect(withMoved(['a'], 3, 0)).toEqual(['a'])
})
