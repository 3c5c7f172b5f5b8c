/** The composer on a phone: room for the text, a placeholder on one line, and toasts that cover no field. */
import type { Browser } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { atRest, expectFits, restingBox } from '../ask.ts'
import { openBrowser, openPhone, picture } from '../phone.ts'

let server: TestServer
let browser: Browser

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test('it is one line high in a channel with a long name, gives its width to what is written, and unfolds', async () => {
  const phone = await openPhone(browser, server.url)
  const { page } = phone
  const channel = server.channel('闲聊')
  const name = '一个名字特别特别特别特别特别特别特别长的频道，长到一行放不下'
  await server.appContext.db
    .updateTable('channel')
    .set({ name })
    .where('id', '=', channel as never)
    .execute()
  const token = await server.login('member')
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await page.goto(`/channels/${server.guildId}/${channel}`)
  const box = page.locator('[data-part=composer-input]')
  await box.waitFor()
  await picture(page, 'composer-long-placeholder')
  expect((await restingBox(box)).height).toBe(44)
  expect(await atRest(() => box.evaluate((it) => it.scrollHeight))).toBeLessThanOrEqual(44)
  const unfold = page.locator('[data-part=unfold]')
  const attach = page.getByRole('button', { name: '添加图片或文件' })
  await expect(unfold).toBeHidden()
  await box.fill('今晚八点开荒，缺一个奶和两个输出')
  expect((await restingBox(box)).width).toBeGreaterThanOrEqual(288)
  await expect(attach).toBeHidden()
  await picture(page, 'composer-folded')
  await unfold.tap()
  await attach.waitFor()
  await box.fill('')
  await expect(attach).toBeVisible()
  await expectFits(page)
  expect(phone.complaints).toEqual([])
  await phone.close()
})

test('a toast stands above everything that is typed into', async () => {
  const phone = await openPhone(browser, server.url)
  const { page } = phone
  const token = await server.login('member')
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await page.goto(`/channels/${server.guildId}/${server.channel('公告')}`)
  await page.locator('[data-part=message]').first().waitFor()
  await page
    .locator('[data-part=message-text]')
    .last()
    .click({ button: 'right', position: { x: 4, y: 4 } })
  await page.getByRole('button', { name: '复制', exact: true }).click()
  const toast = page.getByRole('status').filter({ hasText: /复制/ })
  const at = await restingBox(toast.locator('p'))
  expect(at.y + at.height).toBeLessThan(80)
  await phone.close()
})
