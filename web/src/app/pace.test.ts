import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPace } from './pace.ts'

let frames: (() => void)[]
let page: { hidden: boolean }
let applied: number[]
let pace: ReturnType<typeof createPace<number>>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  frames = []
  page = { hidden: false }
  applied = []
  vi.stubGlobal('document', page)
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
  pace = createPace((item) => void applied.push(item))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The page draws what was applied, which takes it so long. */
const draw = (ms: number) => {
  vi.advanceTimersByTime(ms)
  for (const frame of frames.splice(0)) frame()
  vi.advanceTimersByTime(0)
}

test('what comes to a page that rests is applied at once', () => {
  pace.add(1)
  expect(applied).toEqual([1])
  draw(10)
  vi.advanceTimersByTime(10)
  pace.add(2)
  expect(applied).toEqual([1, 2])
})

test('what comes while the page draws, and for as long again, is applied together and in order', () => {
  pace.add(1)
  pace.add(2)
  draw(100)
  pace.add(3)
  vi.advanceTimersByTime(99)
  pace.add(4)
  expect(applied).toEqual([1])
  vi.advanceTimersByTime(1)
  expect(applied).toEqual([1, 2, 3, 4])
  pace.add(5)
  expect(applied).toEqual([1, 2, 3, 4])
})

test('a hidden page applies what came every two seconds', () => {
  page.hidden = true
  pace.add(1)
  pace.add(2)
  vi.advanceTimersByTime(1_999)
  expect(applied).toEqual([1])
  vi.advanceTimersByTime(1)
  expect(applied).toEqual([1, 2])
})

test('a page that is hidden before its frame comes goes on by itself', () => {
  pace.add(1)
  pace.add(2)
  page.hidden = true
  vi.advanceTimersByTime(2_000)
  expect(applied).toEqual([1, 2])
})

test('what waits is applied at once before something that must come after it, or forgotten', () => {
  pace.add(1)
  pace.add(2)
  pace.flush()
  expect(applied).toEqual([1, 2])
  pace.add(3)
  pace.clear()
  draw(10)
  vi.advanceTimersByTime(10)
  expect(applied).toEqual([1, 2])
})
