/** Answering, jumping to what was answered far back, coming back to the end, and what is pinned. */
import { sql } from 'kysely'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, openHouse } from '../server/src/testing/house.ts'
import type { CastName } from '../server/src/testing/seed.ts'
import { expectAccessible, openBrowser, openPhone, type Phone, picture, type Theme } from './phone.ts'

let house: House
let browser: Browser
const CHANNEL = '夜宵'
const COUNT = 600

beforeAll(async () => {
  house = await openHouse()
  browser = await openBrowser()
  const [guild, channel, author] = [house.guildId, house.channel(CHANNEL), house.person('owner').id]
  await sql`
    with counter as (
      update guild_counter set event_seq = event_seq + ${COUNT} where guild_id = ${guild} returning event_seq
    ), said as (
      select n, event_seq - ${COUNT} + n as seq, 1700000000000 + n * 60000 as at
      from generate_series(1, ${COUNT}) n, counter
    ), logged as (
      insert into event_log (guild_id, seq, kind, body, at) select ${guild}, seq, 'joined_guild', '{}', 0 from said
    )
    insert into message (id, guild_id, channel_id, author_id, seq, kind, content, kmarkdown, create_at)
    select gen_random_uuid(), ${guild}, ${channel}, ${author}, seq, 'kmarkdown', '第 ' || n || ' 句', jsonb_build_object(
      'raw_content', '第 ' || n || ' 句', 'mention_part', '[]'::jsonb, 'mention_role_part', '[]'::jsonb,
      'channel_part', '[]'::jsonb, 'item_part', '[]'::jsonb), at
    from said`.execute(house.database.db)
})

afterAll(async () => {
  await browser?.close()
  await house?.close()
})

async function enter(
  who: CastName,
  theme: Theme = 'light',
  locale: 'zh-CN' | 'en-US' = 'zh-CN',
): Promise<Phone> {
  const phone = await openPhone(browser, house.url, { theme, locale })
  const token = await house.login(who)
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await phone.page.goto(`/channels/${house.guildId}/${house.channel(CHANNEL)}`)
  await phone.page.locator('.composer-input').waitFor()
  return phone
}
const nth = async (n: number): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select id from message where channel_id = ${house.channel(CHANNEL)} and content = ${`第 ${n} 句`}`.execute(
    house.database.db,
  )
  return rows[0]!.id
}

describe('answers', () => {
  it('reply, jump far into the past, read on, and back to the end, where nothing is missing or twice', async () => {
    const phone = await enter('member')
    const { page } = phone
    await page.getByText('第 600 句', { exact: true }).click({ button: 'right' })
    await page.getByRole('button', { name: '回复', exact: true }).click()
    await page.locator('.reply').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('composer-input')
    await page.locator('.composer-input').fill('收到')
    await picture(page, 'reply-bar')
    await expectAccessible(page)
    await page.reload()
    await page.locator('.reply').getByText('第 600 句').waitFor()
    await page.getByRole('button', { name: '发送' }).click()
    await page.locator('button.quote').getByText('第 600 句').waitFor()
    await expect.poll(() => page.locator('.reply').count()).toBe(0)

    const token = await house.login('admin')
    const content = JSON.stringify({ content: '还记得这句吗', quote: await nth(100) })
    await house.call(token, 'POST', `/api/v2/channels/${house.channel(CHANNEL)}/message`, { content })
    await page.locator('button.quote').getByText('第 100 句').click()
    const far = page.locator('.message[data-flash]')
    await far.getByText('第 100 句', { exact: true }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('第 100 句')
    const box = (await far.boundingBox())!
    expect(box.y).toBeGreaterThan(200)
    expect(box.y).toBeLessThan(600)
    expect(await page.getByText('第 600 句', { exact: true }).count()).toBe(0)
    await picture(page, 'far-back')

    // Reading on loads what comes after, and what is seen does not move while it does.
    await page.mouse.move(195, 400)
    for (
      let turns = 0;
      turns < 40 && !(await page.getByText('第 160 句', { exact: true }).isVisible());
      turns += 1
    ) {
      await page.mouse.wheel(0, 500)
      await page.waitForTimeout(120)
    }
    await page.getByText('第 160 句', { exact: true }).waitFor()
    const seen = await page
      .locator('.message-stored .message-words')
      .evaluateAll((all) => all.map((it) => Number(/第 (\d+) 句/.exec(it.textContent ?? '')?.[1])))
    expect(seen).toEqual(seen.map((_, at) => seen[0]! + at))

    const live = JSON.stringify({ content: '刚刚说的' })
    await house.call(token, 'POST', `/api/v2/channels/${house.channel(CHANNEL)}/message`, { content: live })
    const latest = page.getByRole('button', { name: '回到最新消息' })
    await latest.getByText('1 条新消息').waitFor()
    expect(await page.locator('.room-rows').getByText('刚刚说的').count()).toBe(0)
    await latest.click()
    await page.locator('.room-rows').getByText('刚刚说的').waitFor()
    const end = await page
      .locator('.message-stored .message-words')
      .evaluateAll((all) => all.map((it) => it.textContent).slice(-4))
    expect(end).toEqual(['第 600 句', '收到', '还记得这句吗', '刚刚说的'])
    expect(phone.complaints).toEqual([])
    await phone.close()
  })
})

describe('what is pinned', () => {
  it.each(['light', 'dark'] as Theme[])(
    'is listed, gone to, and gone when unpinned elsewhere, in the %s theme',
    async (theme) => {
      const channel = house.channel(CHANNEL)
      const token = await house.login('owner')
      const phone = await enter('admin', theme, theme === 'dark' ? 'en-US' : 'zh-CN')
      const { page } = phone
      const words =
        theme === 'dark'
          ? { pins: 'Pinned messages', none: 'No pinned messages yet' }
          : { pins: '置顶消息', none: '还没有置顶消息' }
      await page.getByRole('button', { name: words.pins }).click()
      await page.getByText(words.none).waitFor()
      await expectAccessible(page)
      for (const n of [200, 300])
        await house.call(token, 'POST', '/api/v3/message/pin', { target_id: channel, msg_id: await nth(n) })
      await expect.poll(() => page.locator('.pin-line').allTextContents()).toEqual(['第 300 句', '第 200 句'])
      await picture(page, `pins-${theme}`)
      await expectAccessible(page)
      await house.call(token, 'POST', '/api/v3/message/unpin', { target_id: channel, msg_id: await nth(300) })
      await expect.poll(() => page.locator('.pin-line').allTextContents()).toEqual(['第 200 句'])
      await page.locator('.pin-jump').click()
      await page.locator('.message[data-flash]').getByText('第 200 句', { exact: true }).waitFor()
      await expectAccessible(page)
      // The reader far back goes on writing, and stands at the end again.
      await page.locator('.composer-input').fill('从过去回来')
      await page.locator('.composer-send').click()
      await page.locator('.message-stored').getByText('从过去回来').last().waitFor()
      await page.getByRole('button', { name: words.pins }).click()
      await page.locator('.pin .icon-button').click()
      await page.getByText(words.none).waitFor()
      expect(phone.complaints).toEqual([])
      await phone.close()
    },
  )
})
