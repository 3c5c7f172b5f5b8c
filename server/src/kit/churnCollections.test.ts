import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChurnItem, ChurnMap, ChurnSet } from './churnCollections.ts'

describe('a ChurnSet', () => {
  it('holds an item once, and deletes it once', () => {
    const set = new ChurnSet<ChurnItem>()
    const thing = { slot: -1 }
    set.add(thing)
    set.add(thing)
    expect(set.size).toBe(1)
    set.delete(thing)
    set.delete(thing)
    expect(set.size).toBe(0)
  })

  it('does not delete an item of another set', () => {
    const [one, other] = [new ChurnSet<ChurnItem>(), new ChurnSet<ChurnItem>()]
    const [here, there] = [{ slot: -1 }, { slot: -1 }]
    one.add(here)
    other.add(there)
    one.delete(there)
    expect([one.size, other.size]).toEqual([1, 1])
  })

  it('holds what a Set holds after any additions and deletions', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.boolean())), (steps) => {
        const things = Array.from({ length: 10 }, () => ({ slot: -1 }))
        const set = new ChurnSet<ChurnItem>()
        const model = new Set<ChurnItem>()
        for (const [which, comes] of steps) {
          const thing = things[which]!
          if (comes) {
            set.add(thing)
            model.add(thing)
          } else {
            set.delete(thing)
            model.delete(thing)
          }
          expect(new Set(set)).toEqual(model)
          expect(set.size).toBe(model.size)
        }
      }),
    )
  })
})

describe('a ChurnMap', () => {
  it('does not return a deleted value', () => {
    const map = new ChurnMap<string, number>()
    map.set('a', 1)
    map.delete('a')
    map.delete('a')
    map.delete('never')
    expect(map.get('a')).toBeUndefined()
    expect(map.size).toBe(0)
  })

  it('holds what a Map holds after any additions and deletions', () => {
    const step = fc.tuple(fc.nat(600), fc.boolean())
    fc.assert(
      fc.property(fc.array(step, { maxLength: 3_000, size: 'max' }), (steps) => {
        const map = new ChurnMap<number, { at: number }>()
        const model = new Map<number, { at: number }>()
        steps.forEach(([key, comes], at) => {
          if (comes) {
            map.set(key, { at })
            model.set(key, { at })
          } else {
            map.delete(key)
            model.delete(key)
          }
        })
        expect(map.size).toBe(model.size)
        for (let key = 0; key <= 600; key += 1) expect(map.get(key)).toEqual(model.get(key))
      }),
      { numRuns: 30 },
    )
  })
})
