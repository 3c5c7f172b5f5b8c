/** An open room that is left alone while much is said in it: what the page holds, and what it does unseen. */
import type { CDPSession, Page } from '@playwright/test'
import { type Figures, slowCpu, until } from './measured.ts'
import { held, metricsOf, prepareTimers, timersOf } from './recorder.ts'
import { openReader, type Rooms } from './rooms.ts'
import { numbersOn, talk } from './talk.ts'

const MESSAGES = Number(process.env.PHONE_ALONE_MESSAGES ?? 50_000)
const HIDDEN_S = Number(process.env.PHONE_HIDDEN_SECONDS ?? 60)
/** So many are said before the page has drawn the last one. */
const AHEAD = 100
/** Two hours of this make 50 000. */
const PER_SECOND = 7
const SLOWER = 8
const SETTLES_MS = 10_000

/** What share of a processor the page takes while `meanwhile` goes on, in %. */
async function share(devtools: CDPSession, meanwhile: () => Promise<unknown>): Promise<number> {
  const [began, before] = [performance.now(), await metricsOf(devtools)]
  await meanwhile()
  const after = await metricsOf(devtools)
  return ((after.TaskDuration! - before.TaskDuration!) * 100_000) / (performance.now() - began)
}

/**
 * The page believes that it is hidden. A real browser also stops its frames and slows its timers down, which
 * Playwright does not let it do: what is measured is what the page does by itself.
 */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

export async function measureAlone(rooms: Rooms, { startMeasuring, report }: Figures): Promise<void> {
  const room = await rooms.newRoom('独处')
  const { page, close } = await openReader(rooms, `/channels/${rooms.guild}/${room}`, prepareTimers)
  await page.getByText('第 60 条').first().waitFor()
  await page.waitForTimeout(SETTLES_MS)
  const devtools = await slowCpu(page, 1)
  await devtools.send('Performance.enable')
  startMeasuring()
  const before = await held(devtools)
  for (let from = 61; from <= MESSAGES; from += AHEAD) {
    await talk(rooms, room, { from, count: AHEAD, perSecond: null })
    await until(async () => (await numbersOn(page)).at(-1) === from + AHEAD - 1)
  }
  await page.waitForTimeout(SETTLES_MS)
  const after = await held(devtools)
  const times = after.megabytes / before.megabytes
  console.log(
    `alone: ${before.megabytes.toFixed(1)} MB, ${before.nodes} nodes, ${before.listeners} listeners; after ${MESSAGES} messages ${after.megabytes.toFixed(1)} MB (${times.toFixed(2)} times, wanted 1.5), ${after.nodes} nodes, ${after.listeners} listeners`,
  )
  report({ name: `alone, memory after ${MESSAGES} messages`, value: times, unit: '×' })
  await slowCpu(page, SLOWER)
  await hide(page)
  await page.waitForTimeout(SETTLES_MS)
  const timers = await timersOf(page)
  startMeasuring()
  const quiet = await share(devtools, () => page.waitForTimeout(HIDDEN_S * 1_000))
  report({ name: `hidden, nobody talks, 1/${SLOWER}`, value: quiet, unit: '%' })
  const talked = await share(devtools, () =>
    talk(rooms, room, { from: MESSAGES + AHEAD, count: HIDDEN_S * PER_SECOND, perSecond: PER_SECOND }),
  )
  report({ name: `hidden, ${PER_SECOND} messages a second, 1/${SLOWER}`, value: talked, unit: '%' })
  console.log(`hidden: timers (wanted: one)\n  ${timers.join('\n  ')}`)
  await close()
}
