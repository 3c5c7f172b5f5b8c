/**
 * Writing, sending, scrolling and emoji at an eighth of the speed: the longest frame, and what input waits.
 */
import type { CDPSession, Page } from '@playwright/test'
import { restingBox } from '../ask.ts'
import { type Figures, median, slowCpu, worst } from './measured.ts'
import { LONG_MS, type Recorded, startRecording, stopRecording } from './recorder.ts'
import { openReader, type Rooms, textOf } from './rooms.ts'

const ROUNDS = Number(process.env.PHONE_ROUNDS ?? 5)
const SLOWER = 8
const SENTENCE = 'raid tonight at eight, bring potions'
/** Between two keys, ms: a quick thumb. */
const KEY_MS = 150
const FLINGS = 8
/** Of the finger, px/s. */
const FLING_SPEED = 3_000
const FLING_PX = 500
const PAUSE_MS = 2_000
/** For what a phone loads after the first screen of a room, ms. */
const TOOLS_MS = 6_000

type Step = (page: Page, devtools: CDPSession, n: number) => Promise<unknown>

const input = (page: Page) => page.locator('textarea[data-part=composer-input]')

/** In the order in which a person does them. */
const STEPS: Readonly<Record<string, Step>> = {
  'first letter': async (page) => {
    await input(page).tap()
    await page.keyboard.press('w')
  },
  typing: (page) => page.keyboard.type(SENTENCE, { delay: KEY_MS }),
  sending: (page) => page.locator('[data-part=send]').tap(),
  'emoji, first time': (page) => openEmoji(page),
  'emoji, again': async (page) => {
    await page.locator('[data-part=emoji-button]').tap()
    await page.locator('[data-part=emoji-dock]').waitFor({ state: 'detached' })
    await page.waitForTimeout(PAUSE_MS)
    await openEmoji(page)
  },
  flings: async (page, devtools) => {
    const { x, y, width, height } = await restingBox(page.locator('[data-part=message-scroll]'))
    for (let n = 0; n < FLINGS; n += 1)
      await devtools.send('Input.synthesizeScrollGesture', {
        x: x + width / 2,
        y: y + (height - FLING_PX) / 2,
        yDistance: n < FLINGS / 2 ? FLING_PX : -FLING_PX,
        speed: FLING_SPEED,
        gestureSourceType: 'touch',
        preventFling: false,
      })
  },
}

async function openEmoji(page: Page): Promise<void> {
  await page.locator('[data-part=emoji-button]').tap()
  await page.locator('[data-part=emoji-dock] [role=gridcell]').first().waitFor()
}

export async function measureHands(rooms: Rooms, { startMeasuring, report }: Figures): Promise<void> {
  const seen = new Map<string, Recorded[]>(Object.keys(STEPS).map((name) => [name, []]))
  startMeasuring()
  for (let n = 0; n < ROUNDS; n += 1) {
    const { page, close } = await openReader(rooms, `/channels/${rooms.guild}/${rooms.long}`)
    await page.getByText(textOf(600).slice(0, 8)).first().waitFor()
    const devtools = await slowCpu(page, SLOWER)
    await page.waitForTimeout(TOOLS_MS)
    for (const [name, step] of Object.entries(STEPS)) {
      await startRecording(page)
      await step(page, devtools, n)
      await page.waitForTimeout(PAUSE_MS)
      seen.get(name)!.push(await stopRecording(page))
    }
    await close()
  }
  const rows = [...seen].map(([name, rounds]) => {
    const longest = rounds.map((it) => it.longest)
    const inputs = rounds.map((it) => worst(it.inputs))
    const late = rounds.reduce((sum, it) => sum + it.late, 0)
    console.log(
      `${name.padEnd(18)} longest frame ${both(longest)} ms, ${late} above ${LONG_MS}; input to paint, the slowest of each round ${both(inputs)} ms`,
    )
    return [
      { name: `${name}, longest frame, 1/${SLOWER}`, value: median(longest), unit: 'ms' as const },
      { name: `${name}, slowest input to paint, 1/${SLOWER}`, value: median(inputs), unit: 'ms' as const },
    ]
  })
  report(...rows.flat())
}

const both = (values: readonly number[]) => `${median(values).toFixed(0)} (${worst(values).toFixed(0)})`
