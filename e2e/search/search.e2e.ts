/** The search: its page on a phone and at a desk, the search in a room, and the ways between them. */
import type { Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { expectDesk, expectFits } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'
import { goBack } from '../phone.ts'

const fixture = useFixture()
const CHANNEL = '夜宵'
const COUNT = 70

/** Messages of the owner, the newest today, one an hour. */
test.beforeAll(async () => {
  const { guildId, database } = fixture.server
  const [channel, author] = [fixture.server.channel(CHANNEL), fixture.server.person('owner').id]
  const text = sql`case when n = 3 then '凶手(spl)是流星(spl)' else '第 ' || n || ' 颗流星' end`
  await sql`
    with counter as (
      update guild_counter set event_seq = event_seq + ${COUNT} where guild_id = ${guildId} returning event_seq
    ), seeded as (
      select n, event_seq - ${COUNT} + n as seq, ${Date.now()} - (${COUNT} - n) * 3600000::bigint as at, ${text} as words
      from generate_series(1, ${COUNT}) n, counter
    ), logged as (
      insert into event_log (guild_id, seq, kind, body, at) select ${guildId}, seq, 'joined_guild', '{}', 0 from seeded
    )
    insert into message (id, guild_id, channel_id, author_id, seq, kind, content, kmarkdown, create_at)
    select gen_random_uuid(), ${guildId}, ${channel}, ${author}, seq, 'kmarkdown', words, jsonb_build_object(
      'raw_content', replace(words, '(spl)', ''), 'mention_part', '[]'::jsonb, 'mention_role_part', '[]'::jsonb,
      'channel_part', '[]'::jsonb, 'item_part', '[]'::jsonb), at
    from seeded`.execute(database.db)
})

const field = (page: Page) => page.getByRole('combobox', { name: /^(搜索|Search)$/ })
const found = (page: Page) => page.getByRole('main', { name: /^(搜索结果|Results)$/ })
const hits = (page: Page) => found(page).locator('[data-part=hit]')
const room = () => `/channels/${fixture.server.guildId}/${fixture.server.channel(CHANNEL)}`

test('on a phone messages are found from the list of channels, opened, and come back to', async () => {
  const page = await fixture.enter('member', `/channels/${fixture.server.guildId}`)
  await page.getByRole('link', { name: '搜索' }).click()
  await expect(field(page)).toBeFocused()
  await field(page).fill('流星')
  await expect(page.getByText(`${COUNT} 条消息`)).toBeVisible()
  await expect(hits(page).first().locator('mark')).toHaveText('流星')
  const around = page.getByRole('button', { name: /前后文/ })
  await around.nth(1).click()
  await expect(found(page).locator('[data-part=near]')).toHaveText([/第 68 颗流星/, /第 70 颗流星/])
  await expectFits(page)
  await look(page, 'search-phone')
  await hits(page).nth(29).scrollIntoViewIfNeeded()
  await expect.poll(() => hits(page).count()).toBeGreaterThan(30)
  const far = found(page).getByText('第 41 颗')
  await far.scrollIntoViewIfNeeded()
  await far.click()
  await expect(page.locator('[data-flash]')).toContainText('第 41 颗流星')
  const asked: string[] = []
  page.on('request', (it) => it.url().includes('/message/search') && asked.push(it.url()))
  await page.getByRole('button', { name: '返回' }).click()
  await expect(far).toBeInViewport()
  expect(asked).toEqual([])
  await page.getByRole('button', { name: '来自:' }).click()
  await page.getByRole('option').filter({ hasText: '话太多' }).click()
  await expect(page.getByText(/没有找到/)).toBeVisible()
  await expect(page).toHaveURL(/from|%E6%9D%A5%E8%87%AA/)
  await look(page, 'search-none')
  await page.getByRole('button', { name: '清空' }).click()
  await expect(page.getByRole('heading', { name: '最近搜索' })).toBeVisible()
  await look(page, 'search-recent')
})

test('at a desk the switcher and keys lead to the search, whose operators are completed in English', async () => {
  const { page } = await fixture.open('member', { isDesk: true, locale: 'en-US' })
  await page.goto(room())
  await expectDesk(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to' }).fill('流星')
  await page.getByRole('option', { name: 'Search messages for “流星”' }).click()
  await expect(page.getByText(`${COUNT} messages`)).toBeVisible()
  await field(page).press('End')
  await field(page).pressSequentially(' on:toda')
  await expect(page.getByRole('option', { name: 'today' })).toBeVisible()
  await look(page, 'search-desk-options')
  await field(page).press('ArrowDown')
  await field(page).press('Enter')
  await expect(field(page)).toHaveValue('流星 on:today ')
  await expect(page.getByRole('region', { name: 'Today' })).toBeVisible()
  await expect(found(page).locator('section')).toHaveCount(1)
  await field(page).press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-flash]')).toContainText('第 70 颗流星')
  await goBack(page)
  await expect(field(page)).toHaveValue('流星 on:today')
  await look(page, 'search-desk')
})

test('in a room up and down lead from hit to hit, and Back leaves the search', async () => {
  const page = await fixture.enter('member', room(), { isDesk: true })
  await expectDesk(page)
  await page.keyboard.press('Control+f')
  const bar = page.getByRole('searchbox', { name: '搜索消息' })
  await bar.fill('流星')
  await expect(page.getByText('1 / 70')).toBeVisible()
  await expect(page.locator('[data-flash]')).toContainText('第 70 颗流星')
  await expect(bar).toBeFocused()
  await bar.press('Enter')
  await expect(page.locator('[data-flash]')).toContainText('第 69 颗流星')
  await page.getByRole('button', { name: '下一条结果' }).click()
  await expect(page.getByText('1 / 70')).toBeVisible()
  await page.getByRole('button', { name: '下一条结果' }).click()
  await expect(page.getByText('70 / 70')).toBeVisible()
  await expect(page.locator('[data-flash]')).toContainText('第 1 颗流星')
  await look(page, 'search-room')
  await page.getByRole('link', { name: '在搜索页查看全部结果' }).click()
  await expect(page.getByText(`${COUNT} 条消息`)).toBeVisible()
  await expect(page.getByRole('button', { name: '此频道' })).toHaveAttribute('aria-pressed', 'true')
  await goBack(page)
  await expect(bar).toHaveValue('流星')
  await page.getByRole('button', { name: '关闭搜索' }).click()
  await expect(bar).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`${room()}$`))
})
