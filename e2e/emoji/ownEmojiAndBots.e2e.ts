/** A guild gets its own emoji and a bot in its settings, on a phone and at a desk. */
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import sharp from 'sharp'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { atRest, expectFits } from '../ask.ts'
import { look } from '../look.ts'
import { openBrowser, openPhone, type Phone } from '../phone.ts'

let server: TestServer
let browser: Browser
let phones: Phone[] = []

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
})
test.afterEach(async () => {
  for (const phone of phones) expect(phone.complaints).toEqual([])
  await Promise.all(phones.map((phone) => phone.close()))
  phones = []
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function open(section: string, options: Parameters<typeof openPhone>[2] = {}): Promise<Page> {
  const phone = await openPhone(browser, server.url, options)
  phones.push(phone)
  const token = await server.login('owner')
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await phone.page.goto(`/guild/settings/${server.guildId}/${section}`)
  return phone.page
}
const drawn = async (name: string, background: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 200, height: 120, channels: 4, background } })
    .png()
    .toBuffer(),
})

test('several emoji are added at once, one is cropped, another screen sees them, and one is renamed and deleted', async () => {
  const desk = await open('emoji', { isDesk: true, locale: 'en-US' })
  await expect(desk.getByText('Add emoji', { exact: true })).toBeVisible()
  const page = await open('emoji')
  await page
    .getByLabel('添加表情')
    .first()
    .setInputFiles([await drawn('加油 1.png', '#3fd39a'), await drawn('x.png', '#c62b3a')])
  await expect(page.getByLabel('名称（加油 1.png）')).toHaveValue('加油-1')
  await page.getByRole('button', { name: '裁剪 加油-1' }).tap()
  await expect(page.getByRole('dialog', { name: '裁剪' })).toBeVisible()
  await look(page, 'own-emoji-crop')
  await page.getByRole('dialog', { name: '裁剪' }).getByRole('button', { name: '完成' }).tap()
  await page.getByRole('button', { name: '上传 2 个表情' }).tap()
  await expect(page.getByText('名称为 2 到 32 个文字、数字或短横线', { exact: true })).toBeVisible()
  await look(page, 'own-emoji-adding', 'page')
  await expectFits(page)
  await page.getByLabel('名称（x.png）').fill('红色')
  await page.getByRole('button', { name: '上传 1 个表情' }).tap()
  const own = page.getByRole('list', { name: '公会表情' })
  await expect(own.getByRole('listitem').filter({ hasText: '加油-1' })).toBeVisible()
  await expect(desk.getByRole('listitem').filter({ hasText: '红色' })).toBeVisible()
  await look(desk, 'own-emoji-desk')
  await expectFits(desk)

  await page.getByRole('button', { name: '重命名 红色' }).tap()
  await page.getByLabel('名称', { exact: true }).fill('番茄')
  await look(page, 'own-emoji-naming', 'page')
  await page.getByRole('button', { name: '保存' }).tap()
  await expect(own.getByRole('listitem').filter({ hasText: '番茄' })).toBeVisible()
  await page.getByRole('button', { name: '删除 番茄' }).tap()
  await page
    .getByRole('alertdialog', { name: '删除表情「番茄」？' })
    .getByRole('button', { name: '删除' })
    .tap()
  await expect(own.getByRole('listitem').filter({ hasText: '番茄' })).toHaveCount(0)
  await look(page, 'own-emoji')
})

test('a bot is made, its token is shown once and renewed, and it is deleted', async () => {
  const desk = await open('bots', { isDesk: true, locale: 'en-US' })
  await expect(desk.getByRole('button', { name: 'New bot' })).toBeVisible()
  const page = await open('bots')
  await page.getByRole('button', { name: '新建机器人' }).tap()
  await page.getByLabel('名称').fill('迎宾')
  await look(page, 'bots-new')
  await page.getByRole('button', { name: '创建', exact: true }).tap()
  const token = page.getByRole('status', { name: '令牌' })
  await expect(token).toHaveText(/.{20}/)
  const first = await atRest(() => token.innerText())
  await look(page, 'bots-token')
  await page.getByRole('button', { name: '完成' }).tap()
  await expect(page.getByRole('listitem').filter({ hasText: '角色：迎宾' })).toBeVisible()
  await expect(desk.getByRole('listitem').filter({ hasText: '迎宾' })).toBeVisible()
  await look(desk, 'bots-desk')
  await look(page, 'bots', 'page')
  await expectFits(page)

  await page.getByRole('button', { name: '管理 迎宾' }).tap()
  await look(page, 'bots-manage')
  await page.getByRole('button', { name: '更新令牌' }).tap()
  await page
    .getByRole('alertdialog', { name: '更新「迎宾」的令牌？' })
    .getByRole('button', { name: '更新令牌' })
    .tap()
  await expect(token).toHaveText(/.{20}/)
  await expect(token).not.toHaveText(first)
  await page.getByRole('button', { name: '完成' }).tap()
  await page.getByRole('button', { name: '管理 迎宾' }).tap()
  await page.getByRole('button', { name: '删除机器人' }).tap()
  await page
    .getByRole('alertdialog', { name: '删除机器人「迎宾」？' })
    .getByRole('button', { name: '删除机器人' })
    .tap()
  await expect(page.getByText('迎宾#')).toHaveCount(0)
  await expect(desk.getByText('迎宾#')).toHaveCount(0)
})
