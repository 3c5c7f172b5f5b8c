/**
 * One's own picture and name: choosing, cropping, saving, removing; and what others see of it without loading
 * anything again.
 */
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import sharp from 'sharp'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { atRest } from '../ask.ts'
import { look } from '../look.ts'
import { openBrowser, openPhone, type Phone, picture, type Theme } from '../phone.ts'

let server: TestServer
let browser: Browser
const phones: Phone[] = []
const CHANNEL = '闲聊'

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})
test.afterEach(async () => {
  // What records a failed test reads pictures again, which the page's policy refuses.
  const complaints = phones
    .flatMap((phone) => phone.complaints)
    .filter((it) => !it.startsWith("Connecting to 'blob:"))
  for (const phone of phones.splice(0)) await phone.close()
  expect(complaints).toEqual([])
})

async function open(
  who: Parameters<TestServer['login']>[0],
  path: string,
  options: { theme?: Theme; locale?: 'zh-CN' | 'en-US' } = {},
): Promise<Page> {
  const phone = await openPhone(browser, server.url, options)
  phones.push(phone)
  const token = await server.login(who)
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await phone.page.goto(path)
  return phone.page
}

/** A picture as a phone takes it: upright only by what the camera noted. */
const photo = async () => ({
  name: '照片.jpg',
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background: '#c0392b' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer(),
})
const choose = async (page: Page, file: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.locator('input[type=file]').setInputFiles(file)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
/** The picture beside the last message with this text; null: the letter of the name. */
const addressOf = (page: Page, text: string): Promise<string | null> =>
  page
    .locator('[data-part=message]', { hasText: text })
    .last()
    .evaluate((row) => row.querySelector('img')?.getAttribute('src') ?? null)

test('what is no picture is refused, and the page offers another try', async () => {
  const page = await open('member', '/account/avatar')
  await choose(page, { name: '假的.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await expect(page.getByText('无法打开这个文件，请选择图片')).toBeVisible()
  await choose(page, { name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: Buffer.from('no picture') })
  await expect(page.getByText('当前浏览器无法打开 HEIC 图片，请先转换成 JPG')).toBeVisible()
  await choose(page, await photo())
  await expect(page.getByRole('heading', { name: '移动和缩放' })).toBeVisible()
  await expect(page.getByText('当前浏览器无法打开 HEIC 图片')).toHaveCount(0)
})

test('a picture is moved and zoomed by keys; an upload that breaks is tried again', async () => {
  const page = await open('admin', '/account/avatar')
  await choose(page, await photo())
  const area = page.getByRole('application', { name: /图片位置/ })
  await area.waitFor()
  await area.focus()
  for (let n = 0; n < 3; n += 1) await page.keyboard.press('ArrowUp')
  await page.getByRole('slider', { name: '缩放' }).fill('2')
  await expect(page.getByRole('slider', { name: '缩放' })).toHaveAttribute('aria-valuetext', '200%')
  await page.route('**/assets/file', (route) => route.abort())
  await press(page, '保存')
  await page.getByRole('button', { name: '重试', exact: true }).waitFor()
  await page.unroute('**/assets/file')
  await press(page, '重试')
  await expect(page.getByText('头像已更新')).toBeVisible()
  await expect(page.getByRole('heading', { name: '我的账号' })).toBeVisible()
  const src = await atRest(() => page.locator('a[href="/account/avatar"] img').first().getAttribute('src'))
  const saved = await sharp(
    Buffer.from(await (await fetch(new URL(src ?? '', server.url))).arrayBuffer()),
  ).metadata()
  expect(saved.width).toBe(saved.height)
  expect(saved.width).toBeLessThanOrEqual(512)
})

test('others see a new picture, a new name and the removal without loading anything again, and so after a reload', async () => {
  const room = `/channels/${server.guildId}/${server.channel(CHANNEL)}`
  const friend = await open('owner', room)
  await server.as('member').say(server.channel(CHANNEL), '看看我的新样子')
  await friend.getByText('看看我的新样子', { exact: true }).waitFor()
  const before = await atRest(() => addressOf(friend, '看看我的新样子'))
  let loads = 0
  friend.on('framenavigated', () => {
    loads += 1
  })

  const page = await open('member', '/account')
  await page.getByRole('link', { name: '头像', exact: true }).click()
  await choose(page, await photo())
  await page.getByRole('slider', { name: '缩放' }).waitFor()
  await picture(page, 'avatar-crop')
  await press(page, '保存')
  await expect(page.getByRole('heading', { name: '我的账号' })).toBeVisible()
  await expect.poll(() => addressOf(friend, '看看我的新样子')).not.toBe(before)
  const shown = await atRest(() => addressOf(friend, '看看我的新样子'))
  expect(shown).toContain('/assets/')

  await page.getByRole('link', { name: /用户名/ }).click()
  await page.getByLabel('用户名', { exact: true }).fill('换了名字')
  await press(page, '保存')
  const row = friend.locator('[data-part=message]', { hasText: '看看我的新样子' }).last()
  await expect(row.getByText('换了名字')).toBeVisible()
  expect(loads).toBe(0)
  await friend.reload()
  await friend.getByText('看看我的新样子', { exact: true }).waitFor()
  await expect(row.getByText('换了名字')).toBeVisible()
  await expect.poll(() => addressOf(friend, '看看我的新样子')).toBe(shown)

  await page.getByRole('link', { name: '头像', exact: true }).click()
  await press(page, '移除头像')
  await page
    .getByRole('alertdialog', { name: '确定要移除头像吗？' })
    .getByRole('button', { name: '移除头像', exact: true })
    .click()
  await expect(page.getByText('头像已移除')).toBeVisible()
  await expect.poll(() => addressOf(friend, '看看我的新样子')).not.toBe(shown)
})

test('a ring that a member of BUFF chooses is around their face for others at once, whose card says since when', async () => {
  await server.command(`buff give --user ${server.idOf('admin')} --days 30`)
  const room = `/channels/${server.guildId}/${server.channel(CHANNEL)}`
  const friend = await open('owner', room)
  await server.as('admin').say(server.channel(CHANNEL), '戴上试试')
  const row = friend.locator('[data-part=message]', { hasText: '戴上试试' }).last()
  await row.waitFor()
  const ring = () =>
    row
      .locator('[data-part=face] > span')
      .evaluate((face) => getComputedStyle(face, '::after').backgroundImage.split('(')[0])
  expect(await atRest(ring, (it) => it !== undefined)).toBe('none')

  const page = await open('admin', '/account/buff')
  await page.locator('[data-part=frames]').getByText('青玉').click()
  await expect(page.locator('[data-part=frames]')).toContainText('已保存')
  await look(page, 'buff-frames', 'page')
  await expect.poll(ring).toBe('conic-gradient')
  await picture(friend, 'buff-frame-room')
  await row.locator('[data-part=face]').click()
  const card = friend.getByRole('dialog', { name: '成员资料' })
  await expect(card.getByText(/^BUFF 会员 · \d{4}年\d{1,2}月起$/)).toBeVisible()
  await look(friend, 'buff-card')
  await page.goto('/account/avatar')
  await expect(page.getByRole('radio', { name: '青玉' })).toBeChecked()
})

for (const locale of ['zh-CN', 'en-US'] as const)
  test(`the picture’s page and its cropping are accessible, in ${locale}`, async () => {
    const page = await open('muted', '/account/avatar', { locale })
    await page.locator('input[type=file]').waitFor({ state: 'attached' })
    await look(page, `avatar-${locale}`)
    await choose(page, await photo())
    await page.getByRole('slider', { name: /^(缩放|Zoom)$/ }).waitFor()
    await look(page, `avatar-crop-${locale}`)
  })
