/** A room with ten thousand messages: all can be read in order, and only the visible ones are rendered. */

import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { atRest } from '../ask.ts'
import { openBrowser, openPhone, type Phone } from '../phone.ts'

const COUNT = 10_000

let server: TestServer
let browser: Browser
let phone: Phone
let page: Page

test.beforeAll(async () => {
  server = await openTestServer()
  const channel = server.channel('夜宵')
  // Messages of up to four lines by three people, a minute apart.
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

/** The numbers of the rendered messages, top to bottom. */
const drawn = () =>
  page
    .locator('[data-part=message-text]')
    .evaluateAll((all) => all.map((it) => Number(/^第 (\d+) 条/.exec(it.textContent ?? '')?.[1])))

/** The first message whose top edge is visible, and its distance from the top of the window, px. */
const anchor = () =>
  page.evaluate(() => {
    const box = document.querySelector('[data-part=message-scroll]')!.getBoundingClientRect()
    for (const text of document.querySelectorAll('[data-part=message-text]')) {
      const { top } = text.getBoundingClientRect()
      if (top >= box.top && top < box.bottom) return { text: text.textContent ?? '', top: Math.round(top) }
    }
    return null
  })

const scrollTo = (top: number) =>
  page.evaluate((to) => {
    document.querySelector('[data-part=message-scroll]')!.scrollTop = to
  }, top)

test.describe('a room of ten thousand messages', () => {
  test('opens at the newest message', async () => {
    await expect.poll(async () => (await drawn()).at(-1)).toBe(COUNT)
  })

  test('does not move the visible messages when older ones load above', async () => {
    // The list rests at its end.
    await atRest(anchor)
    const asked = page.waitForResponse(/\/messages\?/)
    await scrollTo(900)
    // No message is visible until the rows there are rendered.
    await expect.poll(async () => (await anchor())?.text).toBeTruthy()
    const before = await anchor()
    await (await asked).finished()
    const after = await atRest(anchor)
    expect(after?.text).toBe(before?.text)
    expect(Math.abs((after?.top ?? 0) - (before?.top ?? 0))).toBeLessThanOrEqual(2)
  })

  test('can be scrolled to its first message, each once and in order, with few rendered at a time', async () => {
    let lowest = COUNT
    let most = 0
    // The page loads older messages at most once a second; its clock is advanced to shorten the wait.
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

  test('returns to the newest message by a tap, past none of those between', async () => {
    await page.evaluate(() => {
      const passed: number[] = []
      Object.assign(window, { passed })
      new MutationObserver(() => {
        for (const text of document.querySelectorAll('[data-part=message-text]'))
          passed.push(Number(/^第 (\d+) 条/.exec(text.textContent ?? '')?.[1]))
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
    })
    await page.getByRole('button', { name: '回到最新消息' }).click()
    await expect.poll(async () => (await drawn()).at(-1)).toBe(COUNT)
    const passed = await page.evaluate(() => (window as unknown as { passed: number[] }).passed)
    expect(passed).toContain(COUNT)
    expect(passed.filter((number) => number > 2_000 && number < COUNT - 2_000)).toEqual([])
    expect(phone.complaints).toEqual([])
  })
})
