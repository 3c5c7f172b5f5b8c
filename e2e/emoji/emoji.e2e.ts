/** Emoji: the picker, custom emoji of a guild in messages and reactions, and their sizes. */
import { createGuildEmoji, deleteGuildEmoji } from '@guildhall/wire/emoji/manage.ts'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import sharp from 'sharp'
import { fileNamed } from '../../server/src/testing/calls.ts'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { atRest, restingBox } from '../ask.ts'
import { expectAccessible, openBrowser, openPhone, type Phone, picture, type Theme } from '../phone.ts'

let server: TestServer
let browser: Browser
let token: string
let ownId: string

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
  token = await server.login('member')
  const drawn = sharp({ create: { width: 200, height: 120, channels: 4, background: '#3fd39a' } })
  const file = fileNamed(await drawn.png().toBuffer(), 'x.png')
  const made = await server
    .as('owner')
    .call(createGuildEmoji, { guild_id: server.guildId, name: '加油' }, file)
  ownId = made.id
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function enter(theme: Theme, locale: 'zh-CN' | 'en-US'): Promise<Phone> {
  const phone = await openPhone(browser, server.url, { theme, locale })
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await phone.page.goto(`/channels/${server.guildId}/${server.channel('闲聊')}`)
  await phone.page.locator('[data-part=composer-input]').waitFor()
  return phone
}
const draft = (page: Page) => page.locator('[data-part=composer-input]')
const fontOf = (page: Page, content: string) =>
  page
    .locator('[data-part=message] [data-part=message-text]', { hasText: content })
    .last()
    .evaluate((it) => Number.parseFloat(getComputedStyle(it).fontSize))

test('a picked emoji is inserted at the caret, and a message of emoji only is shown large', async () => {
  const phone = await enter('light', 'zh-CN')
  const { page } = phone
  await page.locator('[data-part=composer-input]').fill('晚上见')
  await page
    .locator('[data-part=composer-input]')
    .evaluate((it: HTMLTextAreaElement) => it.setSelectionRange(2, 2))
  await page.locator('[data-part=emoji-button]').tap()
  await page.getByRole('gridcell', { name: '嘿嘿' }).tap()
  await expect(draft(page)).toHaveValue('晚上😀见')
  await page.getByRole('gridcell', { name: '哈哈' }).tap()
  await page.getByRole('button', { name: '删除', exact: true }).tap()
  await expect(draft(page)).toHaveValue('晚上😀见')
  // The composer stays visible above the panel, and the panel ends at the bottom of the page.
  const [composer, dock] = [page.locator('form[data-part=composer]'), page.locator('[data-part=emoji-dock]')]
  const [above, below] = [await restingBox(composer), await restingBox(dock)]
  expect(Math.round(above.y + above.height)).toBe(Math.round(below.y))
  expect(Math.round(below.y + below.height)).toBe(844)
  await expectAccessible(page)
  await picture(page, 'emoji-light')

  await page.locator('[data-part=send]').tap()
  await page.locator('[data-part=message]', { hasText: '晚上😀见' }).waitFor()
  await expect(dock).toHaveCount(1)
  await page.locator('[data-part=emoji-search-input]').fill('庆祝')
  await page.getByRole('gridcell', { name: '拉炮彩带' }).tap()
  await page.locator('[data-part=send]').tap()
  await page.locator('[data-part=message] [data-part=message-text][data-jumbo]', { hasText: '🎉' }).waitFor()
  const [alone, among] = [await fontOf(page, '🎉'), await fontOf(page, '晚上😀见')]
  expect(alone).toBeGreaterThan(2 * among)
  // Tapping the input replaces the panel with the keyboard.
  await page.locator('[data-part=composer-input]').tap()
  await dock.waitFor({ state: 'detached' })
  expect(phone.complaints).toEqual([])
  await phone.close()
})

test('a custom emoji in a draft is deleted, undone, pasted, stored and edited as one unit, and is plain text in code', async () => {
  const phone = await enter('light', 'zh-CN')
  const { page } = phone
  const field = page.locator('[data-part=composer-input]')
  const last = page.locator('[data-part=message]').last()
  const drawn = last.locator('img[data-part=emoji]')
  await page.locator('[data-part=emoji-button]').tap()
  await page.getByRole('gridcell', { name: '加油' }).first().tap()
  await field.tap()
  await page.keyboard.type('a')
  await expect(draft(page)).toHaveValue(':加油:a')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await expect(draft(page)).toHaveValue('')
  await page.keyboard.press('Control+z')
  await expect(draft(page)).toHaveValue(/:加油:/)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+x')
  await expect(draft(page)).toHaveValue('')
  await page.keyboard.type('b')
  await page.keyboard.press('Control+v')
  await page.keyboard.press('Control+v')
  await expect(draft(page)).toHaveValue(/^b[^:]*:加油:[^:]*:加油:[^:]*$/)
  const written = await atRest(() => draft(page).inputValue())
  await expect
    .poll(async () => {
      const tokens = await page.evaluate(() => localStorage.getItem('picks') ?? '')
      return tokens.split(`(emj)加油(emj)[${ownId}]`)
    })
    .toHaveLength(3)
  await page.reload()
  await field.waitFor()
  await expect(draft(page)).toHaveValue(written)
  await page.locator('[data-part=send]').tap()
  await expect(drawn).toHaveCount(2)

  await last.locator('[data-part=message-menu-button]').press('Enter')
  await page.getByRole('button', { name: '编辑' }).tap()
  const edit = page.getByRole('textbox', { name: '编辑消息' })
  await expect(edit).toHaveValue(written.trim())
  await edit.fill(`${written.trim()} :加油: \`:加油:\``)
  await page.getByRole('button', { name: '保存' }).tap()
  await expect(drawn).toHaveCount(3)
  await last.locator('code', { hasText: ':加油:' }).waitFor()

  await field.fill('`@小')
  // Nothing is to open: there is nothing to wait for.
  await page.waitForTimeout(300)
  await expect(page.locator('[role=listbox]')).toHaveCount(0)
  await field.fill('`@小` :加油: 12:30')
  await page.locator('[data-part=send]').tap()
  await last.locator('code', { hasText: '@小' }).waitFor()
  await expect(drawn).toHaveCount(1)
  await expectAccessible(page)
  expect(phone.complaints).toEqual([])
  await phone.close()
})

test('a custom emoji can be picked, sent and reacted with, is at most 50 px large, and shows its name once deleted', async () => {
  const phone = await enter('dark', 'en-US')
  const { page } = phone
  await page.locator('[data-part=emoji-button]').tap()
  await page.getByRole('gridcell', { name: '加油' }).first().tap()
  await expect(draft(page)).toHaveValue(':加油:')
  await page.getByRole('gridcell', { name: '加油' }).first().tap()
  await page.getByRole('button', { name: 'Delete', exact: true }).tap()
  await expect(draft(page)).toHaveValue(':加油:')
  await page.locator('[data-part=send]').tap()
  const row = page.locator('[data-part=message]', { has: page.locator('img[data-part=emoji]') }).last()
  await row.locator('img[data-part=emoji]').waitFor()
  await expectAccessible(page)
  await picture(page, 'emoji-dark')

  await row.locator('[data-part=message-menu-button]').press('Enter')
  await page.locator('[data-part=more-emoji]').tap()
  const sheet = page.getByRole('dialog', { name: 'Reactions' })
  await sheet.locator('[data-at]').first().waitFor()
  await restingBox(sheet)
  await expectAccessible(page)
  // The emoji picked last comes first.
  await sheet.getByRole('gridcell', { name: '加油' }).first().tap()
  await row.locator('[data-part=reaction][aria-pressed=true] img').waitFor()
  // One in the text, one in the reaction.
  const drawn = row.locator('img[data-part=emoji]')
  await expect(drawn).toHaveCount(2)
  for (const img of [drawn.first(), drawn.last()]) {
    await expect.poll(() => img.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0)
    const box = await restingBox(img)
    expect(Math.min(box.width, box.height)).toBeGreaterThan(15)
    expect(Math.max(box.width, box.height)).toBeLessThanOrEqual(50)
  }
  expect(phone.complaints).toEqual([])
  await phone.close()

  await server.as('owner').call(deleteGuildEmoji, { id: ownId })
  const later = await enter('light', 'zh-CN')
  await later.page.locator('[data-part=emoji-name]', { hasText: ':加油:' }).first().waitFor()
  await later.page.locator('[data-part=reaction]', { hasText: ':加油:' }).waitFor()
  await later.close()
})

test('the newest message stays in view while a draft grows to several lines', async () => {
  const phone = await enter('light', 'zh-CN')
  const { page } = phone
  await page.locator('[data-part=message]').last().waitFor()
  await page.locator('[data-part=composer-input]').fill('一\n二\n三')
  await page.locator('[data-part=composer-input]').press('x')
  const shown = async () => {
    const [row, list] = [
      page.locator('[data-part=message]').last(),
      page.locator('[data-part=message-scroll]'),
    ]
    const [a, b] = [await restingBox(row), await restingBox(list)]
    return a.y + a.height <= b.y + b.height + 1
  }
  expect(await shown()).toBe(true)
  await page.locator('[data-part=composer-input]').press('y')
  expect(await shown()).toBe(true)
  await phone.close()
})
