import { expect, test } from 'vitest'
import { boxesOf, isHeld, landing, type Span, shiftOf, withMoved } from './landing.ts'

const rows = Array.from({ length: 5 }, (_, n) => ({ top: n * 50, height: 50 }))

test('a row that was hardly dragged, or is not there, stays', () => {
  expect([0, 20, -20].map((by) => landing(rows, 2, by))).toEqual([2, 2, 2])
  expect(landing(rows, 9, 100)).toBe(9)
})

test('a row passes another one when its edge passes the middle of that', () => {
  expect([26, 75, 76, 900].map((by) => landing(rows, 2, by))).toEqual([3, 3, 4, 4])
  expect([-26, -75, -76, -900].map((by) => landing(rows, 2, by))).toEqual([1, 1, 0, 0])
})

test('what travels together is as high as all of it, and passes what else travels together as a whole', () => {
  /** Row 0 takes no part; 1 to 3 travel together, and 4 alone. */
  const spans: readonly Span[] = [
    [1, 3],
    [4, 4],
  ]
  const boxes = boxesOf(rows, spans)
  expect(boxes).toEqual([
    { top: 50, height: 150 },
    { top: 200, height: 50 },
  ])
  expect([landing(boxes, 0, -900), landing(boxes, 0, 26), landing(boxes, 1, -74)]).toEqual([0, 1, 1])
  expect(landing(boxes, 1, -76)).toBe(0)
  const shifts = (own: number, to: number, by: number) =>
    rows.map((_, at) => shiftOf({ spans, own, to, by, height: boxes[own]!.height }, at))
  expect(shifts(0, 1, 60)).toEqual([0, 60, 60, 60, -150])
  expect(shifts(1, 0, -80)).toEqual([0, 50, 50, 50, -80])
  expect(shifts(0, 0, 10)).toEqual([0, 10, 10, 10, 0])
  const drag = { spans, own: 0, to: 1, by: 60, height: 150 }
  expect(rows.map((_, at) => isHeld(drag, at))).toEqual([false, true, true, true, false])
  expect([isHeld(null, 1), shiftOf(null, 1)]).toEqual([false, 0])
})

test('a moved item stands at its number, and the others keep their order', () => {
  expect(withMoved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(withMoved(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c'])
  expect(withMoved(['a'], 3, 0)).toEqual(['a'])
})
