import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Topic } from '../../kit/events/bus.ts'
import { type EventRef, missedAfter } from './missedEvents.ts'

const a = (seq: number): EventRef => ({ topic: 'guild:1', seq })
const b = (seq: number): EventRef => ({ topic: 'guild:2', seq })

it('a client with an impossible sn starts over', () => {
  expect(missedAfter(4, { anchorSn: 1, before: [], after: [a(1)], tails: [[a(2)]] })).toBeNull()
})

it('a client that needs more than is recorded starts over', () => {
  expect(missedAfter(2, { anchorSn: 5, before: [a(4), a(5)], after: [], tails: [] })).toBeNull()
})

it('a client that has some of the unrecorded events of two guilds starts over', () => {
  const tails = [[a(2), a(3)], [b(9)]]
  expect(missedAfter(3, { anchorSn: 1, before: [], after: [a(1)], tails })).toBeNull()
})

it('none or all of the unrecorded events is certain', () => {
  const known = { anchorSn: 1, before: [], after: [a(1)], tails: [[a(2), a(3)], [b(9)]] }
  expect(missedAfter(2, known)).toEqual([a(2), a(3), b(9)])
  expect(missedAfter(5, known)).toEqual([])
})

it('whatever was recorded when the node died, a client gets exactly what it misses, or starts over', () => {
  const topics: Topic[] = ['guild:1', 'guild:2', 'guild:3']
  fc.assert(
    fc.property(
      fc.array(fc.nat(2), { maxLength: 40 }),
      fc.nat(40),
      fc.nat(40),
      fc.nat(40),
      fc.nat(60),
      (order, markAt, writtenUpTo, processed, forgotten) => {
        const numbers = [0, 0, 0]
        const delivered = order.map((which): EventRef => {
          numbers[which]! += 1
          return { topic: topics[which]!, seq: numbers[which]! }
        })
        const written = Math.min(writtenUpTo, delivered.length)
        const anchorSn = Math.min(markAt, written)
        const sn = Math.min(processed, delivered.length)
        const missed = missedAfter(sn, {
          anchorSn,
          before: delivered.slice(Math.min(forgotten, anchorSn), anchorSn),
          after: delivered.slice(anchorSn, written),
          tails: topics.map((topic) => delivered.slice(written).filter((each) => each.topic === topic)),
        })
        if (!missed) {
          const isKnown = sn >= Math.min(forgotten, anchorSn)
          const isCertain = sn <= written || sn === delivered.length
          expect(isKnown && isCertain).toBe(false)
          return
        }
        const whole = [...delivered.slice(0, sn), ...missed]
        const keys = whole.map(({ topic, seq }) => `${topic} ${seq}`)
        expect(new Set(keys).size).toBe(delivered.length)
        expect(keys).toHaveLength(delivered.length)
        for (const topic of topics) {
          const seqs = whole.filter((each) => each.topic === topic).map(({ seq }) => seq)
          expect(seqs).toEqual(seqs.toSorted((x, y) => x - y))
        }
      },
    ),
    { numRuns: 2_000, seed: 7 },
  )
})
