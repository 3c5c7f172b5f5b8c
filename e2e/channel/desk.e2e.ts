/** Wide and very narrow screens: a desk at 1280 px, and a phone at 200 %. */
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { expectFits, restingBox } from '../ask.ts'
import { openBrowser, openPhone, type Phone, picture } from '../phone.ts'

const LINE_MAX = 760

let server: TestServer
let browser: Browser
let phone: Phone

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})
test.afterEach(() => phone.close())

async function enter(
  who: 'member' | 'muted',
  size: { width: number; height: number },
  locale: 'zh-CN' | 'en-US' = 'zh-CN',
): Promise<Page> {
  phone = await openPhone(browser, server.url, { locale })
  const { page } = phone
  await page.setViewportSize(size)
  const token = await server.login(who)
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await page.goto(`/channels/${server.guildId}/${server.channel('闲聊')}`)
  await page.locator('[data-part=message-text]').first().waitFor()
  await page.locator('[data-part=composer-input]').waitFor()
  return page
}

test('on a desk a line of words has at most 760 px, and words, composer and list stand in one column', async () => {
  await server.as('owner').say(server.channel('闲聊'), '很长的一段话，'.repeat(60))
  const page = await enter('member', { width: 1280, height: 800 })
  const text = await restingBox(page.locator('[data-part=message-text]', { hasText: '很长的一段话' }))
  expect(text!.width).toBeLessThanOrEqual(LINE_MAX)
  expect(text!.width).toBeGreaterThan(LINE_MAX / 2)
  const rows = await restingBox(page.locator('[data-part=message-rows]'))
  const middle = (box: typeof rows) => box!.x + box!.width / 2
  expect(Math.abs(middle(rows) - 640)).toBeLessThan(12)
  const send = await restingBox(page.locator('[data-part=send]'))
  const back = await restingBox(page.getByRole('button', { name: '返回' }))
  expect(send!.x + send!.width).toBeLessThanOrEqual(rows!.x + rows!.width + 12)
  expect(back!.x).toBeGreaterThanOrEqual(rows!.x - 12)
  await picture(page, 'desk-room')
})

test('on a desk a sheet is a dialog in the middle', async () => {
  const page = await enter('member', { width: 1280, height: 800 })
  await page.getByRole('button', { name: '置顶消息' }).click()
  const sheet = page.getByRole('dialog', { name: '置顶消息' })
  await sheet.waitFor()
  await picture(page, 'desk-sheet')
  const box = await restingBox(sheet)
  expect(Math.abs(box!.y + box!.height / 2 - 400)).toBeLessThan(2)
  expect(box!.width).toBeLessThanOrEqual(480)
})

test('at 200 % the field of the composer is wide enough to write in, and nothing is outside of the screen', async () => {
  const page = await enter('member', { width: 195, height: 422 })
  const field = page.locator('[data-part=composer-input]')
  expect((await restingBox(field)).width).toBeGreaterThan(150)
  await field.fill('在路上')
  await picture(page, 'narrow-room')
  await page.locator('[data-part=send]').click()
  await page.getByText('在路上').waitFor()
  await expectFits(page)
})

test('why somebody cannot send is shown whole in English too', async () => {
  const page = await enter('muted', { width: 390, height: 844 }, 'en-US')
  const field = page.locator('[data-part=composer-input]')
  await expect
    .poll(() =>
      field.evaluate((it) => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight),
    )
    .toBe(true)
  expect((await restingBox(field)).height).toBeGreaterThan(60)
  await picture(page, 'muted-english')
})
