/** A conversation of twenty messages a second in the open room, at an eighth of the speed. */
import type { Page } from '@playwright/test'
import { type Figures, say, slowCpu, until } from './measured.ts'
import { LONG_MS, metricsOf, startRecording, stopRecording } from './recorder.ts'
import { openReader, type Rooms, textOf } from './rooms.ts'

const SECONDS = Number(process.env.PHONE_TALK_SECONDS ?? 600)
const PER_SECOND = 20
const SLOWER = 8
const SETTLES_MS = 5_000

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

/** Notes the number of each message that is drawn from now on. */
const noteDrawn = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const drawn = new Set<number>()
    Object.assign(globalThis, { drawn })
    const note = (node: Node) => {
      const texts = node instanceof Element ? node.querySelectorAll('[data-part=message-text]') : []
      for (const { textContent } of texts) drawn.add(Number(/^第 (\d+) 条/.exec(textContent ?? '')?.[1]))
    }
    new MutationObserver((all) => {
      for (const { addedNodes } of all) addedNodes.forEach(note)
    }).observe(document.querySelector('[data-part=message-rows]')!, { childList: true, subtree: true })
  })

/** The numbers of the messages in the document, from above. */
export const numbersOn = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-part=message-text]')].map((it) =>
      Number(/^第 (\d+) 条/.exec(it.textContent ?? '')?.[1]),
    ),
  )

export async function measureTalk(rooms: Rooms, { startMeasuring, report }: Figures): Promise<void> {
  const room = await rooms.newRoom('热闹')
  const { page, close } = await openReader(rooms, `/channels/${rooms.guild}/${room}`)
  await page.getByText('第 60 条').first().waitFor()
  await page.waitForTimeout(SETTLES_MS)
  const devtools = await slowCpu(page, SLOWER)
  await devtools.send('Performance.enable')
  await noteDrawn(page)
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
  const missing = await page.evaluate(
    ([first, end]) => {
      const { drawn } = globalThis as unknown as { drawn: Set<number> }
      return Array.from({ length: end - first + 1 }, (_, n) => first + n).filter((n) => !drawn.has(n)).length
    },
    [from, last] as const,
  )
  const numbers = await numbersOn(page)
  const isOrdered = numbers.every((n, at) => at === 0 || n === numbers[at - 1]! + 1)
  console.log(
    `talk, ${PER_SECOND} a second for ${SECONDS} s: longest frame ${longest.toFixed(0)} ms, ${late} above ${LONG_MS} (wanted: none); ${missing} of ${count} not drawn, ${isOrdered ? 'in order' : `OUT OF ORDER: ${numbers}`}; a message costs ${each('TaskDuration').toFixed(1)} ms, of it script ${each('ScriptDuration').toFixed(1)}, styles ${each('RecalcStyleDuration').toFixed(1)}, layout ${each('LayoutDuration').toFixed(1)}; ${((after.RecalcStyleCount! - before.RecalcStyleCount!) / count).toFixed(1)} style and ${((after.LayoutCount! - before.LayoutCount!) / count).toFixed(1)} layout passes`,
  )
  report({ name: `talk, longest frame, 1/${SLOWER}`, value: longest, unit: 'ms' })
  report({ name: `talk, a message, 1/${SLOWER}`, value: each('TaskDuration'), unit: 'ms' })
  await close()
}
