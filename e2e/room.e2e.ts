/** A room with ten thousand messages: all of them can be read, in order, and only those in sight are drawn. */

import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'
import { openBrowser, openPhone, type Phone } from './phone.ts'

const COUNT = 10_000

let server: TestServer
let browser: Browser
let phone: Phone
let page: Page

test.beforeAll(async () => {
  server = await openTestServer()
  const channel = server.channel('夜宵')
  // A quarter of a line to four lines each, by three people, a minute apart.
  await sql`
    with counter as (
      update guild_counter set event_seq = event_seq + ${COUNT} where guild_id = ${server.guildId} returning event_seq
    )
    insert into message (id, guild_id, channel_id, author_id, seq, kind, content, kmarkdown, create_at)
    select gen_random_uuid(), ${server.guildId}, ${channel},
      (array[${server.person('owner').id}, ${server.person('admin').id}, ${server.person('member').id}]::bigint[])[1 + n / 3 % 3],
      event_seq - ${COUNT} + n, 'kmarkdown', '第 ' || n || ' 条' || repeat('，说点什么', n * 7 % 17),
      '{"raw_content":"","mention_part":[],"mention_role_part":[],"channel_part":[],"item_part":[]}',
      ${Date.now() - COUNT * 60_000}::bigint + n * 60000
    from counter, generate_series(1, ${COUNT}) n`.execute(server.database.db)
  browser = await openBrowser()
  phone = await openPhone(browser, server.url)
  page = phone.page
  const token = await server.login('member')
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await page.goto(`/channels/${server.guildId}/${channel}`)
  await page.getByText(`第 ${COUNT} 条`, { exact: false }).waitFor()
})

test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** The numbers of the messages that are drawn, top to bottom. */
const drawn = () =>
  page
    .locator('[data-part=message-text]')
    .allInnerTexts()
    .then((all) => all.map((words) => Number(/^第 (\d+) 条/.exec(words)?.[1])))

/** The first message that is wholly in sight, and how far from the top it stands, px. */
const anchor = () =>
  page.evaluate(() => {
    const box = document.querySelector('[data-part=message-scroll]')!.getBoundingClientRect()
    for (const words of document.querySelectorAll('[data-part=message-text]')) {
      const { top } = words.getBoundingClientRect()
      if (top >= box.top && top < box.bottom) return { words: words.textContent ?? '', top: Math.round(top) }
    }
    return null
  })

const scrollTo = (top: number) =>
  page.evaluate((to) => {
    document.querySelector('[data-part=message-scroll]')!.scrollTop = to
  }, top)

test.describe('a room of ten thousand messages', () => {
  test('opens at the newest', async () => {
    expect((await drawn()).at(-1)).toBe(COUNT)
  })

  test('keeps what is being read where it is when older ones come in above', async () => {
    // A reader looks before scrolling: the list has come to rest at its end.
    await page.waitForTimeout(500)
    const asked = page.waitForResponse(/\/messages\?/)
    await scrollTo(900)
    // Until the rows there are drawn nothing stands in sight.
    await expect.poll(async () => (await anchor())?.words).toBeTruthy()
    const before = await anchor()
    await asked
    await page.waitForTimeout(300)
    const after = await anchor()
    expect(after?.words).toBe(before?.words)
    expect(Math.abs((after?.top ?? 0) - (before?.top ?? 0))).toBeLessThanOrEqual(2)
  })

  test('can be read to its very first message, each once and in order, while few are drawn at a time', async () => {
    let lowest = COUNT
    let most = 0
    // The page asks for older ones at most once a second; its clock is moved on, so that this takes less than that.
    let now = Date.now()
    while (lowest > 1) {
      now += 1_100
      await page.clock.setSystemTime(now)
      await scrollTo(0)
      const numbers = await drawn()
      most = Math.max(most, numbers.length)
      for (let at = 1; at < numbers.length; at += 1) expect(numbers[at]).toBe(numbers[at - 1]! + 1)
      lowest = Math.min(lowest, numbers[0] ?? lowest)
    }
    expect(most).toBeLessThan(120)
    await page.getByText('这里是频道的开头').waitFor()
  })

  test('goes back to the newest at a tap', async () => {
    await page.getByRole('button', { name: '回到最新消息' }).click()
    await expect.poll(async () => (await drawn()).at(-1)).toBe(COUNT)
    expect(phone.complaints).toEqual([])
  })
})
