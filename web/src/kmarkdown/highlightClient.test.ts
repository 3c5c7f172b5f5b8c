import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** A fake worker; the test sends its messages. */
class Colourist {
  static readonly all: Colourist[] = []
  onmessage: ((event: { data: unknown }) => void) | null = null
  onerror: (() => void) | null = null
  readonly asked: unknown[] = []
  isEnded = false
  constructor() {
    Colourist.all.push(this)
  }
  postMessage(asked: unknown): void {
    this.asked.push(asked)
  }
  terminate(): void {
    this.isEnded = true
  }
  currentText(data: unknown): void {
    this.onmessage?.({ data })
  }
}

const shades = [{ words: 'x', kind: 'keyword' }]
let askShades: typeof import('./highlightClient.ts')['requestHighlight']

beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('Worker', Colourist)
  vi.resetModules()
  Colourist.all.length = 0
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
  expect(Colourist.all.map(({ isEnded }) => isEnded)).toEqual([false])
  Colourist.all[0]!.currentText('began')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await slow).toBeNull()
  expect(Colourist.all.map(({ isEnded }) => isEnded)).toEqual([true, false])
  expect(Colourist.all[1]!.asked).toEqual([{ code: 'x', lang: 'py' }])
  Colourist.all[1]!.currentText('began')
  Colourist.all[1]!.currentText(shades)
  expect(await after).toEqual(shades)
})

test('a worker that fails is replaced', async () => {
  const first = askShades('x', 'py')
  await vi.advanceTimersByTimeAsync(0)
  Colourist.all[0]!.onerror?.()
  expect(await first).toBeNull()
  const second = askShades('y', 'py')
  await vi.advanceTimersByTimeAsync(0)
  Colourist.all[1]!.currentText(shades)
  expect(await second).toEqual(shades)
})

test('one worker highlights one block at a time', async () => {
  const both = [askShades('x', 'py'), askShades('y', 'py')]
  await vi.advanceTimersByTimeAsync(0)
  expect(Colourist.all[0]!.asked).toHaveLength(1)
  Colourist.all[0]!.currentText(shades)
  await vi.advanceTimersByTimeAsync(0)
  expect(Colourist.all[0]!.asked).toHaveLength(2)
  Colourist.all[0]!.currentText(null)
  expect(await Promise.all(both)).toEqual([shades, null])
  expect(Colourist.all).toHaveLength(1)
})
