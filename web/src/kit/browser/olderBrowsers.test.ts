import { expect, test } from 'vitest'
import { library } from './olderBrowsers.ts'

const { ofArrays, ofObject, ofAbortSignal, ofSignals } = library

test('places are counted from the end, and none is there beyond it', () => {
  const { at } = ofArrays
  expect([at.call([1, 2], -1), at.call([1, 2], -3), at.call([], 0), at.call('ab', -1)]).toEqual([
    2,
    undefined,
    undefined,
    'b',
  ])
  expect(at.call([1, 2], Number.NaN)).toBe(1)
})

test('the last one that fits is found, or none', () => {
  const list = [3, 8, 5]
  expect(ofArrays.findLast.call(list, (it) => Number(it) > 4)).toBe(5)
  expect(ofArrays.findLast.call(list, (it) => Number(it) > 9)).toBeUndefined()
  expect(ofArrays.findLastIndex.call(list, (it) => Number(it) > 5)).toBe(1)
  expect(ofArrays.findLastIndex.call(list, (it) => Number(it) > 9)).toBe(-1)
})

test('a sorted copy leaves the list as it is', () => {
  const list = [3, 1, 2]
  expect(ofArrays.toSorted.call(list)).toEqual([1, 2, 3])
  expect(ofArrays.toSorted.call(list, (a, b) => Number(b) - Number(a))).toEqual([3, 2, 1])
  expect(list).toEqual([3, 1, 2])
})

test('an object has its own fields alone', () => {
  expect([ofObject.hasOwn({ a: 1 }, 'a'), ofObject.hasOwn({}, 'toString')]).toEqual([true, false])
})

test('a signal is aborted after its time, and throws then', async () => {
  const signal = ofAbortSignal.timeout(1)
  expect(() => ofSignals.throwIfAborted.call(new AbortController().signal)).not.toThrow()
  await expect.poll(() => signal.aborted).toBe(true)
  expect(() => ofSignals.throwIfAborted.call(signal)).toThrow('signal timed out')
})
