/** What a page records of itself: its frames, what input waits for, and the timers that are set. */
import type { CDPSession, Page } from '@playwright/test'

/** Above this the page answers late, ms. */
export const LONG_MS = 100

/** What was recorded since `startRecording`. */
export interface Recorded {
  /**
   * The longest frame, ms: of `long-animation-frame`, which begin at 50, else between two animation frames.
   */
  readonly longest: number
  /** Frames above `LONG_MS`. */
  readonly late: number
  /**
   * From each input until the next frame is painted, ms. Not by Event Timing: it waits for the frame to be
   * presented, which a browser without a screen does when it likes.
   */
  readonly inputs: readonly number[]
}

interface Recorder {
  frames: number[]
  gaps: number[]
  inputs: number[]
  last: number
  isOn: boolean
}

interface Window {
  recorder: Recorder
  timers: Map<number, string>
}

/** Runs in the page, before its own scripts. */
function record(): void {
  const recorder: Recorder = { frames: [], gaps: [], inputs: [], last: 0, isOn: false }
  Object.assign(globalThis, { recorder })
  new PerformanceObserver((list) => {
    if (recorder.isOn) for (const { duration } of list.getEntries()) recorder.frames.push(duration)
  }).observe({ type: 'long-animation-frame' })
  const note = ({ timeStamp }: Event) => {
    if (!recorder.isOn) return
    requestAnimationFrame(() => {
      // A message is handled after the frame is painted.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => recorder.inputs.push(performance.now() - timeStamp)
      port2.postMessage(null)
    })
  }
  for (const name of ['pointerdown', 'pointerup', 'click', 'keydown', 'input'])
    addEventListener(name, note, { capture: true, passive: true })
}

/** Runs in the page, before its own scripts: keeps the timers that are set, each with where it was set. */
function count(): void {
  const timers = new Map<number, string>()
  Object.assign(globalThis, { timers })
  const { setTimeout: later, setInterval: repeat, clearTimeout: clear } = globalThis
  // Where a timer was set, so that one that is left over can be found.
  const origin = () => new Error('timer').stack?.split('\n')[3]?.trim() ?? ''
  Object.assign(globalThis, {
    setTimeout: (work: unknown, ms = 0, ...rest: unknown[]) => {
      const id: number = later(() => {
        timers.delete(id)
        if (typeof work === 'function') work(...rest)
      }, ms as number) as never
      timers.set(id, `${ms} ms ${origin()}`)
      return id
    },
    setInterval: (work: never, ms = 0, ...rest: never[]) => {
      const id: number = repeat(work, ms as number, ...rest) as never
      timers.set(id, `each ${ms} ms ${origin()}`)
      return id
    },
  })
  for (const name of ['clearTimeout', 'clearInterval'] as const)
    Object.assign(globalThis, {
      [name]: (id: number) => {
        timers.delete(id)
        clear(id)
      },
    })
}

/** From now on each document of the page can be recorded. */
export const prepareRecording = (page: Page): Promise<unknown> => page.addInitScript(record)

/** The same of its timers, which makes each a little slower. */
export const prepareTimers = (page: Page): Promise<unknown> => page.addInitScript(count)

export const startRecording = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { recorder } = globalThis as unknown as Window
    Object.assign(recorder, { frames: [], gaps: [], inputs: [], last: 0, isOn: true })
    const frame = (now: number) => {
      if (!recorder.isOn) return
      if (recorder.last > 0) recorder.gaps.push(now - recorder.last)
      recorder.last = now
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })

export async function stopRecording(page: Page): Promise<Recorded> {
  // An entry comes after the frame that it is about.
  await page.waitForTimeout(300)
  return page.evaluate((late) => {
    const { recorder } = globalThis as unknown as Window
    recorder.isOn = false
    const { frames, gaps, inputs } = recorder
    const all = frames.length > 0 ? frames : gaps
    return { longest: Math.max(0, ...all), late: frames.filter((ms) => ms > late).length, inputs }
  }, LONG_MS)
}

/** The timers that are set, each with where. */
export const timersOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...(globalThis as unknown as Window).timers.values()])

/** What a page holds after a collection, and what it has done, s. */
export async function held(devtools: CDPSession) {
  await devtools.send('HeapProfiler.collectGarbage')
  await devtools.send('HeapProfiler.collectGarbage')
  const all = await metricsOf(devtools)
  return {
    megabytes: all.JSHeapUsedSize! / 2 ** 20,
    nodes: all.Nodes!,
    listeners: all.JSEventListeners!,
  }
}

/** `TaskDuration` and `ScriptDuration` are seconds since the page began. */
export async function metricsOf(devtools: CDPSession): Promise<Partial<Record<string, number>>> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
}
