import { expect, test } from 'vitest'
import { estimateCardHeight, foldAt } from './cardHeight.ts'

const at = (top: number, height: number) => ({ top, bottom: top + height })

test.each([
  ['a low card is not folded', 400, [], null],
  ['a high one is cut at its height', 900, [], 400],
  ['one that would hide less than the button takes is not folded', 430, [], null],
  ['pictures that end above the cut, or begin below it, move nothing', 900, [at(10, 100), at(500, 100)], 400],
  ['a picture that begins in the lower half is left out', 900, [at(300, 200)], 300],
  ['one that begins above is shown whole', 900, [at(50, 500)], 550],
  ['a card of one high picture is not folded', 664, [at(12, 640)], null],
  ['pictures side by side are left out together', 900, [at(300, 200), at(300, 200), at(300, 200)], 300],
] as const)('%s', (_, height, pictures, cut) => {
  expect(foldAt(height, pictures)).toBe(cut)
})

test('no picture is cut, wherever it stands', () => {
  for (let top = 0; top < 700; top += 7) {
    const cut = foldAt(2_000, [at(top, 260)])!
    expect(top < cut && top + 260 > cut).toBe(false)
  }
})

test('a card with nothing in it takes no space', () => {
  const one = { type: 'card', modules: [{ type: 'header', text: '公告' }] }
  expect(estimateCardHeight(JSON.stringify([one, { type: 'card', modules: [] }]))).toBe(
    estimateCardHeight(JSON.stringify([one])),
  )
})
