// The scroll benchmark: a room of a hundred thousand mixed messages on a phone with a quarter of this
// machine's speed. Measures the time to reopen it, late frames while scrolling, and memory.

import type { CDPSession, Page } from '@playwright/test'
import { sql } from 'kysely'
import { readWorld } from '../server/src/demo/world.ts'
import { pngOf } from '../server/src/testing/picture.ts'
import { command, inspect } from '../server/src/testing/process.ts'
import { atRest, isThere, restingBox } from './ask.ts'
import { login, type Measured, median, post, say, slowCpu, withMeasured } from './bench/measured.ts'
import { openPhone } from './phone.ts'

const COUNT = Number(process.env.MESSAGES ?? 100_000)
const SLOWER = 4
const OPENINGS = 9
const SWIPES = 24
/** Speed of the finger, px/s. */
const SPEED = 1_600
const SWIPE_MARGIN = 60
/** A frame is late when it takes longer than three frames at 60 Hz, ms. */
const LONG_MS = 50

/** Messages of every kind, in the mix of an active room. */
async function seedRoom({ location, url }: Measured) {
  const world = await inspect(location, readWorld)
  const guild = world.guilds[0]!.id
  const channel = world.channels.find((each) => each.guild_id === guild && each.name === '夜宵')!.id
  const token = await login(url, world.people.owner!)
  const made = await command<{ token: string }>(location, 'bot', 'create', '--name', '报时', '--guild', guild)
  const picture = await pngOf(640, 480, '#2f7f6a')
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(picture)]), 'a.png')
  const image = await post<{ url: string }>(url, token, '/api/v2/assets/file', form)
  const texts = [
    '今晚八点开荒，缺一个奶和两个输出。',
    'ok',
    '**记得**带药水，*不要*迟到 https://example.com/raid?id=42 see you there!',
    '> 昨天谁打的第一？\n是我，~~运气好~~ 技术好 😄',
    '```ts\nconst answer = 42\nconsole.log(answer)\n```\n跑一下这个',
    '很长的一条。'.repeat(40),
  ]
  for (const each of texts) await say(url, token, channel, each)
  await say(url, token, channel, image.url, 2)
  const card = {
    type: 'card',
    theme: 'primary',
    modules: [
      { type: 'header', text: '集合' },
      { type: 'section', text: '今晚八点，老地方。' },
    ],
  }
  await post(url, `Bot ${made.token}`, '/api/v3/message/create', {
    target_id: channel,
    type: 10,
    content: JSON.stringify([card]),
  })
  const multiply = sql`
    with counter as (
      update guild_counter set event_seq = event_seq + ${COUNT} where guild_id = ${guild} returning event_seq
    ), kinds as (
      select *, row_number() over (order by seq) - 1 as place, count(*) over () as kinds
      from message where channel_id = ${channel}
    )
    insert into message (id, guild_id, channel_id, author_id, seq, kind, content, kmarkdown, attachments, create_at)
    select gen_random_uuid(), kinds.guild_id, kinds.channel_id, kinds.author_id, event_seq - ${COUNT} + n, kinds.kind,
      kinds.content, kinds.kmarkdown, kinds.attachments, ${Date.now() - COUNT * 60_000}::bigint + n::bigint * 60000
    from counter, generate_series(1, ${COUNT}) n join kinds on kinds.place = n % kinds.kinds`
  await inspect(location, (db) => multiply.execute(db))
  return { guild, channel, token: await login(url, world.people.member!) }
}

const scrollTo = (page: Page, top: number) =>
  page.evaluate((to) => {
    document.querySelector('[data-part=message-scroll]')!.scrollTop = to
  }, top)

/** Loads the room to its beginning with the page's own requests. */
async function readAll(page: Page): Promise<void> {
  // The page loads older messages at most once a second; its clock is advanced to shorten the wait.
  let now = Date.now()
  const start = page.getByText('这里是频道的开头')
  while (!(await isThere(start))) {
    now += 1_100
    await page.clock.setSystemTime(now)
    await scrollTo(page, 0)
    await page.waitForTimeout(5)
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly ts: number
}
/** The compositor's trace event for a rendered frame; its steps are closer together than two frames, ms. */
const DRAWN = 'MainFrame.Draw'
const STEPS_MS = 8

/**
 * Swipes with one finger. Returns how long each frame was shown, ms, from the browser's trace, and the share
 * of blank samples.
 */
async function swiped(
  page: Page,
  devtools: CDPSession,
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): Promise<{ frames: number[]; blank: number }> {
  const drawn: number[] = []
  devtools.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, ph, ts } of value as unknown as TraceEvent[])
      if (name === DRAWN && ph !== 'E') drawn.push(ts / 1000)
  })
  // How often the middle of the screen shows no row.
  await page.evaluate(() => {
    const seen = { samples: 0, empty: 0 }
    Object.assign(globalThis, { seen })
    const sample = () => {
      seen.samples += 1
      if (!document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('[data-index]'))
        seen.empty += 1
      setTimeout(sample, 100)
    }
    sample()
  })
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['cc', 'benchmark', 'viz'],
    },
  })
  await devtools.send('Input.synthesizeScrollGesture', {
    x: box.x + box.width / 2,
    y: box.y + SWIPE_MARGIN,
    yDistance: box.height - 2 * SWIPE_MARGIN,
    speed: SPEED,
    repeatCount: SWIPES,
    repeatDelayMs: 0,
    gestureSourceType: 'touch',
    preventFling: true,
  })
  const over = new Promise((done) => devtools.once('Tracing.tracingComplete', done))
  await devtools.send('Tracing.end')
  await over
  drawn.sort((a, b) => a - b)
  const seen = await page.evaluate(
    () => (globalThis as unknown as { seen: { samples: number; empty: number } }).seen,
  )
  const began = drawn.filter((at, index) => index === 0 || at - drawn[index - 1]! > STEPS_MS)
  return { frames: began.slice(1).map((at, index) => at - began[index]!), blank: seen.empty / seen.samples }
}

export async function run(): Promise<void> {
  await withMeasured(async (all) => {
    const { browser, url } = all
    const { guild, channel, token } = await seedRoom(all)
    const phone = await openPhone(browser, url)
    const { page } = phone
    await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
    await page.goto(`/channels/${guild}/${channel}`)
    await page.locator('[data-part=message-text]').first().waitFor()
    const devtools = await slowCpu(page, 1)
    const heap = async () => {
      await devtools.send('HeapProfiler.collectGarbage')
      return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1024 / 1024
    }
    const before = await heap()
    await readAll(page)
    console.log(
      `${COUNT} messages read to the first one: heap ${before.toFixed(0)} MB, then ${(await heap()).toFixed(0)} MB (${((((await heap()) - before) * 1024) / COUNT).toFixed(2)} kB a message)`,
    )

    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    const openings: number[] = []
    for (let n = 0; n < OPENINGS; n += 1) {
      await page
        .getByRole('button', { name: '返回' })
        .or(page.getByRole('link', { name: '返回' }))
        .click()
      await page.locator('[data-part=channel]').first().waitFor()
      await page.waitForTimeout(300)
      openings.push(
        await page.evaluate(
          (path) =>
            new Promise<number>((done) => {
              const began = performance.now()
              document.querySelector<HTMLElement>(`a[href$="${path}"]`)!.click()
              const check = () => {
                if (document.querySelector('[data-part=message-text]')) done(performance.now() - began)
                else requestAnimationFrame(check)
              }
              requestAnimationFrame(check)
            }),
          `/${channel}`,
        ),
      )
      await page.waitForTimeout(300)
    }
    console.log(
      `opened again at a ${SLOWER}× slower CPU: median ${median(openings).toFixed(0)} ms, worst ${Math.max(...openings).toFixed(0)} ms (wanted: under 300)`,
    )

    const box = await restingBox(page.locator('[data-part=message-scroll]'))
    await page.locator('[data-part=message-scroll]').evaluate((it) => {
      it.scrollTop = it.scrollHeight / 2
    })
    await page.waitForTimeout(1_000)
    const { frames, blank } = await swiped(page, devtools, box)
    const long = frames.filter((ms) => ms > LONG_MS).length
    const drawn = await atRest(() => page.locator('[data-part=message]').count())
    console.log(
      `swiped at a ${SLOWER}× slower CPU: ${(1000 / mean(frames)).toFixed(1)} frames a second, ${long} of ${frames.length} longer than ${LONG_MS} ms (${((long * 100) / frames.length).toFixed(2)} %; wanted: under 1 %), ${(blank * 100).toFixed(1)} % of samples were blank, ${drawn} messages drawn`,
    )
    await phone.close()
  })
}
