import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Topic } from '../../kit/bus.ts'
import { owedAfter, type Passed } from './missedEvents.ts'

const a = (seq: number): Passed => ({ topic: 'guild:1', seq })
const b = (seq: number): Passed => ({ topic: 'guild:2', seq })

it('a client that claims more than there is starts over', () => {
  expect(owedAfter(4, { anchorSn: 1, before: [], after: [a(1)], tails: [[a(2)]] })).toBeNull()
})

it('a client that needs more than is known starts over', () => {
  expect(owedAfter(2, { anchorSn: 5, before: [a(4), a(5)], after: [], tails: [] })).toBeNull()
})

it('a client that processed some of what nobody wrote down, out of two guilds, starts over', () => {
  const tails = [[a(2), a(3)], [b(9)]]
  expect(owedAfter(3, { anchorSn: 1, before: [], after: [a(1)], tails })).toBeNull()
})

it('none, or all, of what nobody wrote down is certain', () => {
  const known = { anchorSn: 1, before: [], after: [a(1)], tails: [[a(2), a(3)], [b(9)]] }
  expect(owedAfter(2, known)).toEqual([a(2), a(3), b(9)])
  expect(owedAfter(5, known)).toEqual([])
})

it('whatever was written down when the node died, a client gets just what it lacks, or starts over', () => {
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
        const delivered = order.map((which): Passed => {
          numbers[which]! += 1
          return { topic: topics[which]!, seq: numbers[which]! }
        })
        const written = Math.min(writtenUpTo, delivered.length)
        const anchorSn = Math.min(markAt, written)
        const sn = Math.min(processed, delivered.length)
        const owed = owedAfter(sn, {
          anchorSn,
          before: delivered.slice(Math.min(forgotten, anchorSn), anchorSn),
          after: delivered.slice(anchorSn, written),
          tails: topics.map((topic) => delivered.slice(written).filter((each) => each.topic === topic)),
        })
        if (!owed) {
          const isKnown = sn >= Math.min(forgotten, anchorSn)
          const isCertain = sn <= written || sn === delivered.length
          expect(isKnown && isCertain).toBe(false)
          return
        }
        const whole = [...delivered.slice(0, sn), ...owed]
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
