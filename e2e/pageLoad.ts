// The page benchmark: how long the screens take to appear on a phone, and a room at a desk, with a quarter of
// this machine's speed, at 1.44 Mbit/s with 150 ms and with 560 ms a request (latency as the browser's own
// tools emulate it: per request, without handshakes).

import type { Browser, BrowserContext, Page } from '@playwright/test'
import { readWorld } from '../server/src/demo/world.ts'
import { command, inspect } from '../server/src/testing/process.ts'
import {
  type Figures,
  login,
  type Measured,
  median,
  say,
  slowCpu,
  withMeasured,
  worst,
} from './bench/measured.ts'
import { openPhone } from './phone.ts'

const RUNS = Number(process.env.PAGE_RUNS ?? 5)
const RUNS_SHORT = 3
const ONLY = process.env.PAGE_ONLY
const SLOWER = 4
const BYTES_PER_S = (1.44 * 1_000_000) / 8
const LATENCIES_MS = [150, 560]
const MESSAGES = 60
/** How long somebody stays in a warm room at least, ms: it is kept meanwhile. */
const STAYS_MS = 8_000
/** How long the page may go on loading after its screen is complete, before layout shifts are read, ms. */
const SETTLING_MS = 1_500

interface Seen {
  /** ms since the navigation began; null: did not happen. */
  readonly paint: number | null
  readonly largest: number | null
  readonly ready: number | null
  /** Cumulative layout shift. */
  readonly shift: number
}

interface Screen {
  readonly name: string
  readonly path: string
  /** What has to be on screen for `ready`. */
  readonly ready: { readonly selector: string; readonly text: string }
  readonly token: string | null
  readonly warm: boolean
  readonly isDesk?: boolean
  readonly wanted: string
}

/**
 * Runs in the page, before its own scripts: records paints, layout shifts, and the first frame that shows
 * what is awaited.
 */
function watch({ selector, text }: Screen['ready']): void {
  const seen = { paint: null, largest: null, ready: null, shift: 0 } as Record<string, number | null>
  Object.assign(globalThis, { seen })
  const observe = (type: string, handle: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(handle)).observe({ type, buffered: true })
  observe('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') seen.paint = entry.startTime
  })
  observe('largest-contentful-paint', (entry) => {
    seen.largest = entry.startTime
  })
  observe('layout-shift', (entry) => {
    const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
    if (!shift.hadRecentInput) seen.shift = (seen.shift ?? 0) + shift.value
  })
  const isShown = (element: Element) => {
    const { top, bottom, height } = element.getBoundingClientRect()
    return height > 0 && top >= 0 && bottom <= innerHeight
  }
  const look = () => {
    const shown = [...document.querySelectorAll(selector)].some(
      (each) => each.textContent?.includes(text) && isShown(each),
    )
    // The frame that shows it is drawn after this callback.
    if (shown) requestAnimationFrame(() => setTimeout(() => (seen.ready = performance.now())))
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

async function slowDown(page: Page, latency: number): Promise<void> {
  const devtools = await slowCpu(page, SLOWER)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: BYTES_PER_S,
    uploadThroughput: BYTES_PER_S,
  })
}

async function visit(
  context: BrowserContext,
  screen: Screen,
  latency: number,
  staysMs = SETTLING_MS,
): Promise<Seen> {
  const page = await context.newPage()
  await page.addInitScript(watch, screen.ready)
  await slowDown(page, latency)
  await page.goto(screen.path, { waitUntil: 'commit' })
  await page.waitForFunction(() => (globalThis as unknown as { seen: Seen }).seen.ready !== null)
  await page.waitForTimeout(staysMs)
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen)
  await page.close()
  return seen
}

async function measure(browser: Browser, url: string, screen: Screen, latency: number): Promise<Seen> {
  const phone = await openPhone(browser, url, { isDesk: screen.isDesk ?? false })
  try {
    const { token } = screen
    if (token !== null)
      await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
    await phone.page.close()
    if (screen.warm) await visit(phone.context, screen, 0, STAYS_MS)
    return await visit(phone.context, screen, latency)
  } finally {
    await phone.close()
  }
}

const seconds = (ms: number) => (ms / 1000).toFixed(2)

/** Fills a room with short texts; the last one is what has to be read. */
async function seedRoom({ location, url }: Measured) {
  const world = await inspect(location, readWorld)
  const guild = world.guilds[0]!.id
  const channel = world.channels.find((each) => each.guild_id === guild && each.name === '夜宵')!.id
  const token = await login(url, world.people.owner!)
  for (let n = 1; n <= MESSAGES; n += 1) {
    const content = `第 ${n} 条：今晚八点开荒，缺一个奶和两个输出。${'记得带药水。'.repeat(n % 4)}`
    await say(url, token, channel, content)
  }
  const made = await command<{ url: string }>(location, 'invite', 'create', '--guild', guild)
  return { guild, channel, token: await login(url, world.people.member!), invite: made.url }
}

/** From the tap on "register" to a readable room, on a fast line; ms. */
async function registered(browser: Browser, url: string, invite: string, n: number): Promise<number> {
  const phone = await openPhone(browser, url)
  const { page } = phone
  try {
    const mobile = String(13_700_000_000 + n)
    await page.goto(new URL(invite).pathname)
    await page.getByRole('button', { name: '接受邀请' }).click()
    await page.getByLabel('手机号码').fill(mobile)
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
    const sent = (await (await fetch(`${url}/dev/outbox?mobile=${mobile}`)).json()) as { code: string }[]
    await page.getByLabel('验证码', { exact: true }).fill(sent[0]!.code)
    await slowCpu(page, SLOWER)
    await page.evaluate(() => {
      const button = [...document.querySelectorAll('button')].find((it) => it.textContent === '注册并加入')!
      button.addEventListener('click', () => Object.assign(globalThis, { tapped: performance.now() }))
      const look = () => {
        if (document.querySelector('[data-part=message-text], [data-part=message-scroll]'))
          setTimeout(() => Object.assign(globalThis, { there: performance.now() }))
        else requestAnimationFrame(look)
      }
      look()
    })
    await page.getByRole('button', { name: '注册并加入' }).click()
    await page.waitForFunction(() => (globalThis as unknown as { there?: number }).there !== undefined)
    return await page.evaluate(() => {
      const it = globalThis as unknown as { there: number; tapped: number }
      return it.there - it.tapped
    })
  } finally {
    await phone.close()
  }
}

/** All screens and networks in ten minutes, or those of 150 ms in four. */
export async function run(isShort: boolean, { report, startMeasuring }: Figures): Promise<void> {
  const runs = isShort ? RUNS_SHORT : RUNS
  await withMeasured(async (all) => {
    const { browser, url } = all
    const { guild, channel, token, invite } = await seedRoom(all)
    const room = { path: `/channels/${guild}/${channel}`, token }
    const newest = { selector: '[data-part=message-text]', text: `第 ${MESSAGES} 条` }
    const screens: Screen[] = [
      {
        name: 'invite, cold',
        path: new URL(invite).pathname,
        token: null,
        warm: false,
        ready: { selector: 'button', text: '接受邀请' },
        wanted: 'LCP 1.0 s at 150 ms',
      },
      {
        name: 'login, cold',
        path: '/login',
        token: null,
        warm: false,
        ready: { selector: 'button', text: '登录' },
        wanted: '',
      },
      {
        name: 'channels, cold',
        path: `/channels/${guild}`,
        token,
        warm: false,
        ready: { selector: '[data-part=channel]', text: '夜宵' },
        wanted: '',
      },
      { name: 'room, cold', ...room, warm: false, ready: newest, wanted: '2.5 s at 150 ms, 4.0 s at 560 ms' },
      { name: 'room, warm', ...room, warm: true, ready: newest, wanted: '0.8 s at 150 ms, 1.2 s at 560 ms' },
      { name: 'desk room, cold', ...room, isDesk: true, warm: false, ready: newest, wanted: '' },
      { name: 'desk room, warm', ...room, isDesk: true, warm: true, ready: newest, wanted: '' },
    ]
    for (const screen of screens) {
      if (ONLY && !screen.name.startsWith(ONLY)) continue
      for (const latency of isShort ? LATENCIES_MS.slice(0, 1) : LATENCIES_MS) {
        const seen: Seen[] = []
        startMeasuring()
        for (let n = 0; n < runs; n += 1) seen.push(await measure(browser, url, screen, latency))
        const of = (key: keyof Seen) => seen.map((each) => each[key])
        const both = (key: keyof Seen) => `${seconds(median(of(key)))} (${seconds(worst(of(key)))})`
        console.log(
          `${screen.name.padEnd(15)} ${latency} ms: paint ${both('paint')}, largest ${both('largest')}, readable ${both('ready')} s, CLS ${worst(of('shift')).toFixed(3)}${screen.wanted && `  (wanted: ${screen.wanted})`}`,
        )
        report({
          name: `${screen.name}, ${latency} ms, readable after`,
          value: median(of('ready')) / 1_000,
          unit: 's',
        })
      }
    }
    if (ONLY && !'register'.startsWith(ONLY)) return
    const taps: number[] = []
    startMeasuring()
    for (let n = 0; n < runs; n += 1) taps.push(await registered(browser, url, invite, n))
    console.log(
      `register tap to room, fast line: ${seconds(median(taps))} (${seconds(worst(taps))}) s  (wanted: 0.4 s)`,
    )
    report({ name: 'register tap to room, fast line', value: median(taps) / 1_000, unit: 's' })
  })
}
