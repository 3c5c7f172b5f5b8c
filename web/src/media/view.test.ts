import { expect, test } from 'vitest'
import { openingView, panned, scaleMost, tapped, type View } from './view.ts'

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 800 }
const LONG = { width: 1080, height: 12_000 }
const WIDE = { width: 12_000, height: 1_080 }
/** Where the picture's edges are on the screen, px. */
const edges = (own: typeof LONG, screen: typeof PHONE, { scale, x, y }: View) => {
  const fit = Math.min(1, screen.width / own.width, screen.height / own.height)
  const [width, height] = [own.width * fit * scale, own.height * fit * scale]
  const left = screen.width / 2 + x - width / 2
  const top = screen.height / 2 + y - height / 2
  return [left, top, width, height].map(Math.round)
}

test.each([
  ['a photograph', { width: 4000, height: 3000 }],
  ['a screen of a phone', { width: 1080, height: 2400 }],
  ['a small picture', { width: 40, height: 30 }],
  ['a thin small picture', { width: 40, height: 400 }],
])('%s opens as a whole', (_, own) => {
  expect(openingView(own, PHONE)).toEqual({ scale: 1, x: 0, y: 0 })
})

test('a long picture opens at full width from the top', () => {
  expect(edges(LONG, PHONE, openingView(LONG, PHONE))).toEqual([0, 0, 390, 4333])
})
test('on a wide screen not wider than it is', () => {
  expect(edges(LONG, DESK, openingView(LONG, DESK))).toEqual([100, 0, 1080, 12_000])
})
test('a very wide one opens at full height from the left', () => {
  expect(edges(WIDE, PHONE, openingView(WIDE, PHONE))).toEqual([0, 0, 9378, 844])
})

test.each([[LONG], [WIDE], [{ width: 4000, height: 3000 }]])('%j is enlarged to its own pixels', (own) => {
  const [, , width] = edges(own, PHONE, { scale: scaleMost(own, PHONE), x: 0, y: 0 })
  expect(width).toBeGreaterThanOrEqual(own.width)
})

test('it is moved to its edges and not beyond', () => {
  const open = openingView(LONG, PHONE)
  const [left, top, , height] = edges(LONG, PHONE, panned(open, { x: 300, y: -99_999 }, LONG, PHONE))
  expect([left, top! + height!]).toEqual([0, 844])
  expect(panned(open, { x: 0, y: 500 }, LONG, PHONE)).toEqual(open)
})

const MIDDLE = { x: 195, y: 422 }

test('two taps enlarge what is in the middle, and two more bring it back', () => {
  const below = panned(openingView(LONG, PHONE), { x: 0, y: -1000 }, LONG, PHONE)
  const near = tapped(below, MIDDLE, LONG, PHONE)
  expect(near.scale).toBeCloseTo(below.scale * 2.5)
  const back = tapped(near, MIDDLE, LONG, PHONE)
  expect(back.scale).toBeCloseTo(below.scale)
  expect(back.y).toBeCloseTo(below.y)
})

test('a picture with many more pixels is enlarged to them by two taps more, around the finger', () => {
  const photo = { width: 4000, height: 3000 }
  const near = tapped(openingView(photo, DESK), { x: 640, y: 400 }, photo, DESK)
  expect(near.scale).toBeCloseTo(2.5)
  const at = { x: 900, y: 300 }
  const pixels = tapped(near, at, photo, DESK)
  expect(edges(photo, DESK, pixels).slice(2)).toEqual([4000, 3000])
  const grown = pixels.scale / near.scale
  expect(at.x - 640 - pixels.x).toBeCloseTo((at.x - 640 - near.x) * grown)
  expect(tapped(pixels, at, photo, DESK).scale).toBe(1)
})

test('a screenshot of more than one screen is long already', () => {
  const own = { width: 1080, height: 2800 }
  expect(edges(own, PHONE, openingView(own, PHONE)).slice(0, 3)).toEqual([0, 0, 390])
})
