/** From the tap on a channel of the list until its messages can be read, on a fast line. */
import type { Page } from '@playwright/test'
import { type Figures, median, slowCpu, worst } from './measured.ts'
import { openReader, type Rooms } from './rooms.ts'

const ROUNDS = Number(process.env.PHONE_ROUNDS ?? 9)
const SLOWER = [4, 8]
const WANTED_MS = { known: 100, unknown: 300 }
/** Between two steps of the person: what a step loads has come, and what moves has ended. */
const PAUSE_MS = 1_500

/** Taps the channel of this name with a finger; ms until its newest message is in its place on the screen. */
async function open(page: Page, name: string): Promise<number> {
  await page.evaluate(() => {
    const seen = { tapped: 0, read: 0 }
    Object.assign(globalThis, { seen })
    // When the finger left the screen.
    addEventListener('pointerup', (it) => (seen.tapped = it.timeStamp), { once: true, capture: true })
    const isThere = () =>
      [...document.querySelectorAll('[data-part=message-text]')].some((each) => {
        const { top, bottom } = each.getBoundingClientRect()
        return each.textContent?.includes('第 60 条') && top >= 0 && bottom <= innerHeight
      })
    const look = () => {
      // The frame that shows it is drawn after this callback.
      if (isThere()) requestAnimationFrame(() => setTimeout(() => (seen.read = performance.now())))
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await page.locator('[data-part=channel]', { hasText: name }).tap()
  await page.waitForFunction(() => (globalThis as unknown as { seen: { read: number } }).seen.read > 0)
  return page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: { tapped: number; read: number } }
    return seen.read - seen.tapped
  })
}

async function back(page: Page): Promise<void> {
  await page.locator('[data-part=room]').getByRole('button', { name: '返回' }).click()
  await page.locator('[data-part=channel]').first().waitFor()
  await page.waitForTimeout(PAUSE_MS)
}

export async function measureSwitch(rooms: Rooms, { startMeasuring, report }: Figures): Promise<void> {
  const names = Array.from({ length: ROUNDS }, (_, n) => `房间${n + 1}号`)
  for (const name of names) await rooms.newRoom(name)
  for (const slower of SLOWER) {
    const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
    const { page, close } = await openReader(rooms, `/channels/${rooms.guild}`)
    await page.locator('[data-part=channel]').first().waitFor()
    await slowCpu(page, slower)
    // The code of a room is loaded after the list.
    await page.waitForTimeout(PAUSE_MS * slower)
    startMeasuring()
    for (const name of names)
      for (const which of ['unknown', 'known'] as const) {
        times[which].push(await open(page, name))
        await page.waitForTimeout(PAUSE_MS)
        await back(page)
      }
    await close()
    for (const which of ['known', 'unknown'] as const)
      console.log(
        `room switch, ${which}, 1/${slower}: ${median(times[which]).toFixed(0)} ms (worst ${worst(times[which]).toFixed(0)}), wanted below ${WANTED_MS[which]}`,
      )
    report(
      ...(['known', 'unknown'] as const).map((which) => ({
        name: `room switch, ${which} room, 1/${slower} of the speed`,
        value: median(times[which]),
        unit: 'ms' as const,
      })),
    )
  }
}
