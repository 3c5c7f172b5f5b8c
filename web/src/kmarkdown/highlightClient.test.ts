import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** A fake worker; the test sends its messages. */
class FakeWorker {
  static readonly all: FakeWorker[] = []
  onmessage: ((event: { data: unknown }) => void) | null = null
  onerror: (() => void) | null = null
  readonly asked: unknown[] = []
  isEnded = false
  constructor() {
    FakeWorker.all.push(this)
  }
  postMessage(asked: unknown): void {
    this.asked.push(asked)
  }
  terminate(): void {
    this.isEnded = true
  }
  respond(data: unknown): void {
    this.onmessage?.({ data })
  }
}

const spans = [{ words: 'x', kind: 'keyword' }]
let askShades: typeof import('./highlightClient.ts')['requestHighlight']

beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('Worker', FakeWorker)
  vi.resetModules()
  FakeWorker.all.length = 0
  askShades = (await import('./highlightClient.ts')).requestHighlight
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('code over the time limit is abandoned, and the code after it is highlighted', async () => {
  const slow = askShades('slow', 'html')
  const after = askShades('x', 'py')
  await vi.advanceTimersByTimeAsync(60_000)
  // Loading the grammar does not count towards the time limit.
  expect(FakeWorker.all.map(({ isEnded }) => isEnded)).toEqual([false])
  FakeWorker.all[0]!.respond('began')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await slow).toBeNull()
  expect(FakeWorker.all.map(({ isEnded }) => isEnded)).toEqual([true, false])
  expect(FakeWorker.all[1]!.asked).toEqual([{ code: 'x', lang: 'py' }])
  FakeWorker.all[1]!.respond('began')
  FakeWorker.all[1]!.respond(spans)
  expect(await after).toEqual(spans)
})

test('a worker that fails is replaced', async () => {
  const first = askShades('x', 'py')
  await vi.advanceTimersByTimeAsync(0)
  FakeWorker.all[0]!.onerror?.()
  expect(await first).toBeNull()
  const second = askShades('y', 'py')
  await vi.advanceTimersByTimeAsync(0)
  FakeWorker.all[1]!.respond(spans)
  expect(await second).toEqual(spans)
})

test('one worker highlights one block at a time', async () => {
  const both = [askShades('x', 'py'), askShades('y', 'py')]
  await vi.advanceTimersByTimeAsync(0)
  expect(FakeWorker.all[0]!.asked).toHaveLength(1)
  FakeWorker.all[0]!.respond(spans)
  await vi.advanceTimersByTimeAsync(0)
  expect(FakeWorker.all[0]!.asked).toHaveLength(2)
  FakeWorker.all[0]!.respond(null)
  expect(await Promise.all(both)).toEqual([spans, null])
  expect(FakeWorker.all).toHaveLength(1)
})
