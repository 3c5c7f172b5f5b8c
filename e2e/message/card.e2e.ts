/**
 * Cards of a bot in a real room: every kind is checked by axe and saved as a screenshot, and buttons are
 * pressed.
 */

import { updateMessage } from '@guildhall/wire/message/action.ts'
import { createMessage } from '@guildhall/wire/message/message.ts'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import sharp from 'sharp'
import type { Person } from '../../server/src/testing/calls.ts'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { cardsOf } from '../../web/src/testing/cards.ts'
import { expectFits, restingBox } from '../ask.ts'
import { expectAccessible, openBrowser, openPhone, type Phone, picture, type Theme } from '../phone.ts'

/** Cards that a bot can no longer send; they are written to the database directly. */
const STORED = ['ended', 'missing', 'broken']

let server: TestServer
let browser: Browser
/** The bot that sends the cards, with the value of its Authorization header. */
let bot: Person & { readonly id: string }
let token: string
let all: Readonly<Record<string, unknown>>
const channel = () => server.channel('夜宵')
/** Kind of card → id of its message. */
const sent = new Map<string, string>()

test.beforeAll(async () => {
  server = await openTestServer()
  const made = await server.command<{ id: string; token: string }>(
    `bot create --name 报时 --guild ${server.guildId}`,
  )
  bot = { ...server.as({ bot: made.token }), id: made.id }
  token = await server.login('member')
  all = cardsOf({
    picture: await upload(await painted(480, 360), 'a.png'),
    tall: await upload(await painted(300, 420), 'b.png'),
    file: await upload(Buffer.from('%PDF-1.7 text'), 'a.pdf'),
    audio: await upload(Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0'), Buffer.alloc(400)]), 'a.mp3'),
    video: await upload(
      Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp42'), Buffer.alloc(400)]),
      'a.mp4',
    ),
    code: server.invite,
    now: Date.now(),
  })
  for (const [name, cards] of Object.entries(all)) sent.set(name, await send(name, cards))
  browser = await openBrowser()
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const painted = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2f7f6a' } })
    .composite([
      { input: { create: { width: width / 2, height: height / 2, channels: 3, background: '#f2d16b' } } },
    ])
    .png()
    .toBuffer()

const upload = async (content: Buffer, name: string) => (await bot.upload(content, name)).url

async function send(name: string, cards: unknown): Promise<string> {
  const isStored = STORED.includes(name)
  const content = JSON.stringify(isStored ? [{ type: 'card', modules: [] }] : cards)
  const { msg_id: msgId } = await bot.call(createMessage, { target_id: channel(), type: 10, content })
  if (isStored)
    await sql`update message set content = ${JSON.stringify(cards)} where id = ${msgId}`.execute(
      server.database.db,
    )
  return msgId
}

async function open(theme: Theme, language: 'zh-CN' | 'en'): Promise<Phone> {
  const phone = await openPhone(browser, server.url, { theme, locale: language === 'en' ? 'en-US' : 'zh-CN' })
  await phone.context.addInitScript(
    ([authorization, locale]) => {
      localStorage.setItem('authorization', authorization)
      localStorage.setItem('locale', locale)
    },
    [token, language] as const,
  )
  await phone.page.goto(`/channels/${server.guildId}/${channel()}`)
  await phone.page.locator('[data-unsupported]').last().waitFor()
  return phone
}

/** Scrolls to the message of a kind of card. */
async function show(page: Page, name: string): Promise<void> {
  const index = [...sent.keys()].indexOf(name)
  const row = page
    .locator('[data-part=message]')
    .filter({ has: page.locator(`[data-message="${sent.get(name)}"]`) })
  // Rows out of view are not rendered: scroll up until this one is.
  await expect
    .poll(
      async () => {
        const count = await row.count()
        if (count === 0)
          await page.locator('[data-part=message-scroll]').evaluate((box) => box.scrollBy(0, -300))
        return count
      },
      { message: `${name}, ${index}`, intervals: [30] },
    )
    .toBe(1)
  await row.evaluate((it) => it.scrollIntoView({ block: 'start' }))
  await restingBox(row)
}

// The gallery covers every theme and language; one combination is enough here.
test.describe('in a room', () => {
  test('every card is accessible and logs no error', async () => {
    const [theme, language] = ['dark', 'zh-CN'] as const
    const phone = await open(theme, language)
    const { page } = phone
    for (const name of [...sent.keys()].reverse()) {
      await show(page, name)
      await picture(page, `card-${name}-${theme}-${language}`)
      await expectAccessible(page)
      await expectFits(page)
    }
    expect(phone.complaints).toEqual([])
    await phone.close()
  })
})

test.describe('a card', () => {
  test('reports a pressed button to its author only', async () => {
    const phone = await open('light', 'zh-CN')
    await show(phone.page, 'buttons')
    await phone.page.getByRole('button', { name: '不参加' }).click()
    await phone.page.getByText('已提交').waitFor()
    const { rows } = await sql<{ user_id: string; value: string }>`
      select user_id::text, body->>'value' as value from person_event_log where kind = 'message_btn_click'`.execute(
      server.database.db,
    )
    expect(rows).toEqual([{ user_id: bot.id, value: 'no' }])
    await phone.close()
  })

  test('is replaced on screen when it is edited', async () => {
    const phone = await open('light', 'zh-CN')
    const { page } = phone
    const id = await send('late', [{ type: 'card', modules: ['先这样'] }])
    await page.getByText('先这样', { exact: true }).waitFor()
    await bot.call(updateMessage, {
      msg_id: id,
      content: JSON.stringify([{ type: 'card', modules: ['改好了'] }]),
    })
    await page.getByText('改好了', { exact: true }).waitFor()
    await expect(page.getByText('先这样', { exact: true })).toHaveCount(0)
    await phone.close()
  })

  test('keeps its position when it is expanded', async () => {
    const phone = await open('light', 'zh-CN')
    const { page } = phone
    await show(page, 'folded')
    const cards = page.locator(`[data-message="${sent.get('folded')}"]`)
    const before = await restingBox(cards)
    expect(before.height).toBeLessThan(460)
    await cards.getByRole('button', { name: '展开' }).click()
    const after = await restingBox(cards)
    expect(after.height).toBeGreaterThan(before.height)
    expect(Math.abs(after.y - before.y)).toBeLessThanOrEqual(2)
    await phone.close()
  })

  test('reserves its height before its code is loaded, so that the messages below do not move', async () => {
    await server.as('member').say(channel(), '最后一句')
    const phone = await openPhone(browser, server.url)
    const { page } = phone
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/Cards-[^/]*\.js/, async (route) => {
      await released
      await route.continue()
    })
    await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
    await page.goto(`/channels/${server.guildId}/${channel()}`)
    const last = page.locator('[data-part=message-text]', { hasText: '最后一句' }).last()
    await last.waitFor()
    await page.locator('[data-part=card-placeholder]').last().waitFor()
    const before = await restingBox(last)
    release()
    await page.locator('[data-part=cards]').last().waitFor()
    await expect(page.locator('[data-part=card-placeholder]')).toHaveCount(0)
    expect(Math.abs((await restingBox(last)).y - before.y)).toBeLessThanOrEqual(2)
    expect(phone.complaints).toEqual([])
    await phone.close()
  })

  test('is shown for an invite link in a message of a person', async () => {
    const phone = await open('dark', 'zh-CN')
    const { page } = phone
    await server.as('member').say(channel(), `来 ${server.url}/invite/${server.invite} 玩`)
    await page.getByText('你发送了一个邀请').last().waitFor()
    await page
      .locator('[data-part=invite-card][data-state=loaded]')
      .last()
      .getByRole('button', { name: '进入' })
      .waitFor()
    await picture(page, 'card-invite-link')
    expect(phone.complaints).toEqual([])
    await phone.close()
  })
})
