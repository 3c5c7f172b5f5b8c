import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reorder } from './reorder.ts'

const frame = (sn: number) => ({ sn })

test('a frame seen before is dropped', () => {
  expect(reorder(5, [], frame(5))).toEqual({ ready: [], last: 5, buffered: [], gap: false })
  expect(reorder(5, [], frame(1)).ready).toEqual([])
  expect(reorder(5, [frame(7)], frame(7))).toMatchObject({ ready: [], buffered: [frame(7)], gap: true })
})

test('a frame that jumps ahead is buffered and the gap is known', () => {
  expect(reorder(5, [], frame(7))).toEqual({ ready: [], last: 5, buffered: [frame(7)], gap: true })
})

test('the missing frame releases the buffered ones', () => {
  expect(reorder(5, [frame(7), frame(8), frame(10)], frame(6))).toEqual({
    ready: [frame(6), frame(7), frame(8)],
    last: 8,
    buffered: [frame(10)],
    gap: true,
  })
})

test('each frame is delivered once and in order, also when frames are repeated or swapped', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 30 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 60 }),
      fc.array(fc.nat(), { minLength: 120, maxLength: 120 }),
      (count, repeats, keys) => {
        const all = [
          ...Array.from({ length: count }, (_, i) => i + 1),
          ...repeats.filter((sn) => sn <= count),
        ]
        const arriving = all.map((sn, i) => ({ sn, key: keys[i] ?? 0 })).sort((a, b) => a.key - b.key)
        let last = 0
        let buffered: readonly { sn: number }[] = []
        const delivered: number[] = []
        for (const { sn } of arriving) {
          const step = reorder(last, buffered, frame(sn))
          ;({ last, buffered } = step)
          delivered.push(...step.ready.map((one) => one.sn))
        }
        expect(delivered).toEqual(Array.from({ length: count }, (_, i) => i + 1))
        expect(buffered).toEqual([])
      },
    ),
    { seed: 7, numRuns: 300 },
  )
})
