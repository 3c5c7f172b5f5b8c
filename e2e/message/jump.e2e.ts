/**
 * Replies, jumps to a quoted message far back, the return to the end, pinned messages, and unread marks of
 * guilds.
 */

import type { UserId } from '@guildhall/wire/id.ts'
import { pinMessage, unpinMessage } from '@guildhall/wire/message/action.ts'
import { clearUnread } from '@guildhall/wire/message/readMark.ts'
import type { Route } from '@guildhall/wire/route.ts'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { demoGuilds } from '../../server/src/demo/text.ts'
import type { PersonName } from '../../server/src/demo/world.ts'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { openWorldEdits } from '../../server/src/testing/worldEdits.ts'
import { atRest, expectFlash, restingBox } from '../ask.ts'
import { look } from '../look.ts'
import { expectAccessible, openBrowser, openPhone, type Phone, picture } from '../phone.ts'

let server: TestServer
let browser: Browser
const CHANNEL = '夜宵'
const COUNT = 600

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
  const [guild, channel, author] = [server.guildId, server.channel(CHANNEL), server.person('owner').id]
  await sql`
    with counter as (
      update guild_counter set event_seq = event_seq + ${COUNT} where guild_id = ${guild} returning event_seq
    ), seeded as (
      select n, event_seq - ${COUNT} + n as seq, 1700000000000 + n * 60000 as at
      from generate_series(1, ${COUNT}) n, counter
    ), logged as (
      insert into event_log (guild_id, seq, kind, body, at) select ${guild}, seq, 'joined_guild', '{}', 0 from seeded
    )
    insert into message (id, guild_id, channel_id, author_id, seq, kind, content, kmarkdown, create_at)
    select gen_random_uuid(), ${guild}, ${channel}, ${author}, seq, 'kmarkdown', '第 ' || n || ' 句', jsonb_build_object(
      'raw_content', '第 ' || n || ' 句', 'mention_part', '[]'::jsonb, 'mention_role_part', '[]'::jsonb,
      'channel_part', '[]'::jsonb, 'item_part', '[]'::jsonb), at
    from seeded`.execute(server.database.db)
})

test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function openRoom(who: PersonName): Promise<Phone> {
  const phone = await openPhone(browser, server.url)
  const token = await server.login(who)
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await phone.page.goto(`/channels/${server.guildId}/${server.channel(CHANNEL)}`)
  await phone.page.locator('[data-part=composer-input]').waitFor()
  return phone
}
const messageId = async (n: number): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select id from message where channel_id = ${server.channel(CHANNEL)} and content = ${`第 ${n} 句`}`.execute(
    server.database.db,
  )
  return rows[0]!.id
}

test.describe('a reply', () => {
  test('jumps to the quoted message far back, loads newer messages, and returns to the end without gaps or duplicates', async () => {
    const phone = await openRoom('member')
    const { page } = phone
    await page.getByText('第 600 句', { exact: true }).click({ button: 'right' })
    await page.getByRole('button', { name: '回复', exact: true }).click()
    await page.locator('[data-part=reply]').waitFor()
    await expect
      .poll(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset.part))
      .toBe('composer-input')
    await page.locator('[data-part=composer-input]').fill('收到')
    await picture(page, 'reply-bar')
    await expectAccessible(page)
    await page.reload()
    await page.locator('[data-part=reply]').getByText('第 600 句').waitFor()
    await page.getByRole('button', { name: '发送' }).click()
    await page.locator('button[data-part=quote]').getByText('第 600 句').waitFor()
    await expect(page.locator('[data-part=reply]')).toHaveCount(0)

    await server.as('admin').say(server.channel(CHANNEL), '还记得这句吗', { quote: await messageId(100) })
    await expectFlash(page, '第 100 句', () =>
      page.locator('button[data-part=quote]').getByText('第 100 句').click(),
    )
    const far = page.locator('[data-part=message]', {
      has: page.locator('[data-part=message-text]', { hasText: /^第 100 句$/ }),
    })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('第 100 句')
    const box = await restingBox(far)
    expect(box.y).toBeGreaterThan(200)
    expect(box.y).toBeLessThan(600)
    await expect(page.getByText('第 600 句', { exact: true })).toHaveCount(0)
    await picture(page, 'far-back')

    // Scrolling down loads newer messages without moving the visible ones.
    await page.mouse.move(195, 400)
    await expect
      .poll(
        async () => {
          const isShown = await page.getByText('第 160 句', { exact: true }).isVisible()
          if (!isShown) await page.mouse.wheel(0, 500)
          return isShown
        },
        { intervals: [120] },
      )
      .toBe(true)
    const seen = await atRest(() =>
      page
        .locator('[data-part=message] [data-part=message-text]')
        .evaluateAll((all) => all.map((it) => Number(/第 (\d+) 句/.exec(it.textContent ?? '')?.[1]))),
    )
    expect(seen).toEqual(seen.map((_, at) => seen[0]! + at))

    await server.as('admin').say(server.channel(CHANNEL), '刚刚说的')
    const latest = page.getByRole('button', { name: '回到最新消息' })
    await latest.getByText('1 条新消息').waitFor()
    await expect(page.locator('[data-part=message-rows]').getByText('刚刚说的')).toHaveCount(0)
    await latest.click()
    await page.locator('[data-part=message-rows]').getByText('刚刚说的').waitFor()
    await expect
      .poll(() =>
        page
          .locator('[data-part=message] [data-part=message-text]')
          .evaluateAll((all) => all.map((it) => it.textContent).slice(-4)),
      )
      .toEqual(['第 600 句', '收到', '还记得这句吗', '刚刚说的'])
    expect(phone.complaints).toEqual([])
    await phone.close()
  })
})

test.describe('seventy unread messages', () => {
  const bar = (page: Page) => page.locator('[data-part=unread-bar]')

  test('are counted at the top; the bar leads to the first of them, and does not come back', async () => {
    await server.as('admin').call(clearUnread, { channel_id: server.channel(CHANNEL) })
    for (let n = 1; n <= 70; n += 1) await server.as('owner').say(server.channel(CHANNEL), `新的 ${n}`)
    const phone = await openRoom('admin')
    const { page } = phone
    await page.getByText('新的 70', { exact: true }).waitFor()
    await bar(page).getByText('70 条新消息').waitFor()
    await look(page, 'unread-bar')
    // On a slow phone older messages arrive while the list still scrolls to the first unread one.
    const browserSession = await phone.context.newCDPSession(page)
    await browserSession.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await expectFlash(page, '新的 1', () => bar(page).click())
    await page.locator('[data-part=new-divider]').waitFor()
    await expect(bar(page)).toHaveCount(0)
    await picture(page, 'unread-first')
    await page.getByRole('button', { name: '回到最新消息' }).click()
    await page.getByText('新的 70', { exact: true }).waitFor()
    await expect(bar(page)).toHaveCount(0)
    expect(phone.complaints).toEqual([])
    await phone.close()
  })
})

test.describe('a pinned message', () => {
  test('is listed, can be jumped to, and disappears when somebody unpins it', async () => {
    const channel = server.channel(CHANNEL)
    const setPin = async (n: number, route: Route = pinMessage) =>
      server.as('owner').call(route, { target_id: channel, msg_id: await messageId(n) })
    const phone = await openRoom('admin')
    const { page } = phone
    const lines = page.locator('[data-part=pin-text]')
    await page.getByRole('button', { name: '置顶消息' }).click()
    await page.getByText('还没有置顶消息').waitFor()
    await look(page, 'pins-none')
    await setPin(200)
    await setPin(300)
    await expect(lines).toHaveText(['第 300 句', '第 200 句'])
    await look(page, 'pins')
    await setPin(300, unpinMessage)
    await expect(lines).toHaveText(['第 200 句'])
    await expectFlash(page, '第 200 句', () => page.locator('[data-part=pin-jump]').click())
    // Sending from far back returns to the end.
    await page.locator('[data-part=composer-input]').fill('从过去回来')
    await page.locator('[data-part=send]').click()
    await page.locator('[data-part=message]').getByText('从过去回来').waitFor()
    await page.getByRole('button', { name: '置顶消息' }).click()
    await page.getByRole('button', { name: /^取消置顶/ }).click()
    await page.getByText('还没有置顶消息').waitFor()
    expect(phone.complaints).toEqual([])
    await phone.close()
  })
})

test('the rail shows unread messages and mentions of another guild until they are read', async () => {
  const fixture = openWorldEdits(server.database)
  await fixture.newGuild('空公会', server.person('member').id as UserId)
  const phone = await openPhone(browser, server.url)
  const { page } = phone
  const token = await server.login('member')
  const send = (content: string) => server.as('owner').say(server.channel(CHANNEL), content)
  const { main, rules, side } = demoGuilds.demo
  for (const channel_id of [main, rules, side].map((it) => server.channel(it)))
    await server.as('member').call(clearUnread, { channel_id })
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await page.goto(`/channels/${await fixture.guildNamed('空公会')}`)
  const item = page
    .getByRole('listitem')
    .filter({ has: page.locator(`a[href="/channels/${server.guildId}"]`) })
  await item.waitFor()
  await send('有人吗')
  // Unread state of an unfocused guild is delivered once a second.
  await expect(item).toHaveAttribute('data-unread', 'true')
  await send(`(met)${server.person('member').id}(met) 你来`)
  await expect(item.locator('[data-part=badge]')).toHaveText('1')
  await look(page, 'rail')
  await server.as('member').call(clearUnread, { channel_id: server.channel(CHANNEL) })
  await expect(item.locator('[data-part=badge]')).toHaveCount(0)
  expect(phone.complaints).toEqual([])
  await phone.close()
})
