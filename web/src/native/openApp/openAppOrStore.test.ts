import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type OpenAppEnvironment, type OpenAppSteps, openAppOrStore, WAITS } from './openAppOrStore.ts'

const APP = 'hall://invite/abcdef'
const STORE = 'https://store.example/1'

class FakeDocument extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible'
  hide() {
    this.visibilityState = 'hidden'
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

let document: FakeDocument
let window: EventTarget
let gone: string[]
let copied: string[]
let skippedMs: number
let environment: OpenAppEnvironment

beforeEach(() => {
  vi.useFakeTimers()
  document = new FakeDocument()
  window = new EventTarget()
  gone = []
  copied = []
  skippedMs = 0
  environment = {
    document: document as unknown as Document,
    window: window as unknown as Window,
    go: (address) => void gone.push(address),
    copy: async (text) => copied.push(text) > 0,
    now: () => Date.now() + skippedMs,
  }
})
afterEach(() => {
  vi.useRealTimers()
})

const start = (it: Partial<OpenAppSteps> = {}) =>
  openAppOrStore({ app: APP, store: STORE, ...it }, environment)
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('opening the app', () => {
  it.each([
    ['hides the page', () => document.hide()],
    ['leaves the page', () => window.dispatchEvent(new Event('pagehide'))],
    ['asks whether to open it', () => window.dispatchEvent(new Event('blur'))],
  ])('never leads to the store when the browser %s', async (_what, sign) => {
    const ended = start()
    await pass(WAITS.store - 1)
    sign()
    expect(await ended).toBe('opened')
    // The person comes back from the app.
    document.visibilityState = 'visible'
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(10 * WAITS.store)
    expect(gone).toEqual([APP])
  })

  it('leads to the store after one second when the page is still in front', async () => {
    const ended = start()
    await pass(WAITS.store - 1)
    expect(gone).toEqual([APP])
    await pass(1)
    expect(await ended).toBe('store')
    expect(gone).toEqual([APP, STORE])
  })

  it('waits 1.4 s for links that need the app', async () => {
    const ended = start({ waitMs: WAITS.outsideRouter })
    await pass(1_399)
    expect(gone).toEqual([APP])
    await pass(1)
    expect(await ended).toBe('store')
  })

  it('does not lead to the store when the page is hidden without an event', async () => {
    const ended = start()
    document.visibilityState = 'hidden'
    await pass(WAITS.store)
    expect(await ended).toBe('opened')
    expect(gone).toEqual([APP])
  })

  it('does not lead to the store when the page was frozen behind the app', async () => {
    const ended = start()
    skippedMs = 60_000
    await pass(WAITS.store)
    expect(await ended).toBe('opened')
    expect(gone).toEqual([APP])
  })

  it('takes a page that becomes visible for no sign', async () => {
    const ended = start()
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(WAITS.store)
    expect(await ended).toBe('store')
  })

  it('does nothing on a second tap while the first is under way, and works again afterwards', async () => {
    const first = start()
    expect(await start()).toBe('busy')
    document.hide()
    expect(await first).toBe('opened')
    document.visibilityState = 'visible'
    const third = start()
    await pass(WAITS.store)
    expect(await third).toBe('store')
    expect(gone).toEqual([APP, APP, STORE])
  })

  it('says so when there is no store', async () => {
    const ended = start({ store: null })
    await pass(WAITS.store)
    expect(await ended).toBe('nothing')
    expect(gone).toEqual([APP])
  })

  it('leads to the store at once where no address opens the app', async () => {
    expect(await start({ app: null })).toBe('store')
    expect(gone).toEqual([STORE])
  })

  it('does nothing without an app and a store', async () => {
    expect(await start({ app: null, store: null })).toBe('nothing')
    expect(gone).toEqual([])
  })

  it('copies within the tap, and opens the app 100 ms later', async () => {
    const ended = start({ copied: 'https://hall.example/invite/abcdef' })
    expect(copied).toEqual(['https://hall.example/invite/abcdef'])
    await pass(99)
    expect(gone).toEqual([])
    await pass(1)
    expect(gone).toEqual([APP])
    await pass(WAITS.store)
    expect(await ended).toBe('store')
  })

  it('opens the app also where copying is refused', async () => {
    environment = { ...environment, copy: async () => false }
    const ended = start({ copied: 'x' })
    await pass(WAITS.copied)
    document.hide()
    expect(await ended).toBe('opened')
  })
})
