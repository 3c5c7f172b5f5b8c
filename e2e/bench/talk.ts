/** A conversation of twenty messages a second in the open room, at an eighth of the speed. */
import type { Page } from '@playwright/test'
import { type Figures, say, slowCpu, until } from './measured.ts'
import { LONG_MS, metricsOf, startRecording, stopRecording } from './recorder.ts'
import { openReader, type Rooms, textOf } from './rooms.ts'

const SECONDS = Number(process.env.PHONE_TALK_SECONDS ?? 600)
const PER_SECOND = 20
const SLOWER = 8
const SETTLES_MS = 5_000
/** So many of the newest are looked for at the end. */
const READ_BACK = 300

/** Says `count` numbered messages, so many a second, each when it is due; null: as fast as they are taken. */
export async function talk(
  { url, talkers }: Rooms,
  channel: string,
  { from, count, perSecond }: { from: number; count: number; perSecond: number | null },
): Promise<void> {
  const began = performance.now()
  const sends: Promise<unknown>[] = []
  for (let n = from; n < from + count; n += 1) {
    const due = perSecond === null ? 0 : began + ((n - from) * 1_000) / perSecond
    if (due > performance.now()) await new Promise((now) => setTimeout(now, due - performance.now()))
    const sent = say(url, talkers[n % talkers.length]!, channel, textOf(n))
    if (perSecond === null) await sent
    sends.push(sent)
  }
  await Promise.all(sends)
}

/** The numbers of the messages in the document, from above. */
export const numbersOn = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-part=message-text]')].map((it) =>
      Number(/^第 (\d+) 条/.exec(it.textContent ?? '')?.[1]),
    ),
  )

/** The numbers of at least so many messages of a room, the newest first, read by scrolling up. */
async function readBack(page: Page, count: number): Promise<number[]> {
  const found = new Set<number>()
  while (found.size < count) {
    for (const n of (await numbersOn(page)).toReversed()) found.add(n)
    await page.evaluate(() => document.querySelector('[data-part=message-scroll]')!.scrollBy(0, -400))
    await page.waitForTimeout(50)
  }
  return [...found]
}

export async function measureTalk(rooms: Rooms, { startMeasuring, report }: Figures): Promise<void> {
  const room = await rooms.newRoom('热闹')
  const { page, close } = await openReader(rooms, `/channels/${rooms.guild}/${room}`)
  await page.getByText('第 60 条').first().waitFor()
  await page.waitForTimeout(SETTLES_MS)
  const devtools = await slowCpu(page, SLOWER)
  await devtools.send('Performance.enable')
  startMeasuring()
  await startRecording(page)
  const before = await metricsOf(devtools)
  const [from, count] = [61, SECONDS * PER_SECOND]
  await talk(rooms, room, { from, count, perSecond: PER_SECOND })
  const last = from + count - 1
  await until(async () => (await numbersOn(page)).at(-1) === last)
  const after = await metricsOf(devtools)
  const { longest, late } = await stopRecording(page)
  const each = (name: string) => ((after[name]! - before[name]!) * 1_000) / count
  await slowCpu(page, 1)
  const numbers = await readBack(page, READ_BACK)
  const isOrdered = numbers.every((n, at) => n === last - at)
  console.log(
    `talk, ${PER_SECOND} a second for ${SECONDS} s: longest frame ${longest.toFixed(0)} ms, ${late} above ${LONG_MS} (wanted: none); the last ${numbers.length} ${isOrdered ? 'are there in order' : `ARE NOT THERE IN ORDER: ${numbers}`}; a message costs ${each('TaskDuration').toFixed(1)} ms, of it script ${each('ScriptDuration').toFixed(1)}, styles ${each('RecalcStyleDuration').toFixed(1)}, layout ${each('LayoutDuration').toFixed(1)}; ${((after.RecalcStyleCount! - before.RecalcStyleCount!) / count).toFixed(1)} style and ${((after.LayoutCount! - before.LayoutCount!) / count).toFixed(1)} layout passes`,
  )
  report({ name: `talk, longest frame, 1/${SLOWER}`, value: longest, unit: 'ms' })
  report({ name: `talk, a message, 1/${SLOWER}`, value: each('TaskDuration'), unit: 'ms' })
  await close()
}
