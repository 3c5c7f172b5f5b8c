/** Wide and very narrow screens: a desk at 1280 px, and a phone at 200 %. */
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { expectDesk, expectFits, restingBox } from '../ask.ts'
import { look } from '../look.ts'
import { openBrowser, openPhone, type Phone, picture } from '../phone.ts'

const LINE_MAX = 760
/** How long a bar that is loaded takes to show itself at most, ms. */
const SHOWS_MS = 1000

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
  phone = await openPhone(browser, server.url, { locale, isDesk: size.width >= 900 })
  const { page } = phone
  await page.setViewportSize(size)
  const token = await server.login(who)
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await page.goto(`/channels/${server.guildId}/${server.channel('闲聊')}`)
  await page.locator('[data-part=message-text]').first().waitFor()
  await page.locator('[data-part=composer-input]').waitFor()
  return page
}

test('on a desk a line of words has at most 760 px, at the left of its column', async () => {
  await server.as('owner').say(server.channel('闲聊'), '很长的一段话，'.repeat(60))
  const page = await enter('member', { width: 1920, height: 1080 })
  const text = await restingBox(page.locator('[data-part=message-text]', { hasText: '很长的一段话' }))
  expect(text.width).toBeLessThanOrEqual(LINE_MAX)
  expect(text.width).toBeGreaterThan(LINE_MAX / 2)
  const channels = await restingBox(page.getByRole('navigation', { name: '频道' }))
  const rows = await restingBox(page.locator('[data-part=message-rows]'))
  expect(rows.x - (channels.x + channels.width)).toBeLessThan(12)
  await expectFits(page)
})

test('on a desk rail, channels, room and members stand beside each other, and stay as they are left', async () => {
  for (const width of [1280, 1920]) {
    const page = await enter('member', { width, height: 800 })
    const boxes = await Promise.all(
      [
        page.getByRole('navigation', { name: '我的公会' }),
        page.getByRole('navigation', { name: '频道' }),
        page.locator('[data-part=composer-input]'),
        page.getByRole('complementary', { name: '成员列表' }),
      ].map(restingBox),
    )
    const lefts = boxes.map(({ x }) => x)
    expect(lefts).toEqual(lefts.toSorted((a, b) => a - b))
    await expect(page.getByRole('button', { name: '返回' })).toHaveCount(0)
    await look(page, `desk-room-${width}`)
    await expectFits(page)
    await phone.close()
  }
  const page = await enter('member', { width: 1280, height: 800 })
  await page.getByRole('button', { name: '成员列表' }).click()
  const members = page.getByRole('complementary', { name: '成员列表' })
  await expect(members).toHaveCount(0)
  const edge = page.getByRole('separator', { name: '频道栏的宽度' })
  const { x, y } = await restingBox(edge)
  await page.mouse.move(x + 4, y + 300)
  await page.mouse.down()
  await page.mouse.move(x + 44, y + 300)
  await page.mouse.up()
  await expect(edge).toHaveAttribute('aria-valuenow', '280')
  // Another channel, another page, and back: the rail is there all the time.
  await page.getByRole('link', { name: '文字频道 夜宵' }).click()
  await expect(page.getByRole('heading', { name: '夜宵', exact: true })).toBeVisible()
  await page.getByRole('link', { name: '私信', exact: true }).click()
  await expect(page.getByRole('heading', { name: '私信', exact: true })).toBeVisible()
  await page.getByRole('link', { name: /^深夜电台/ }).click()
  await expect(page.getByRole('heading', { name: '夜宵', exact: true })).toBeVisible()
  await expect(page.getByRole('separator', { name: '频道栏的宽度' })).toHaveAttribute('aria-valuenow', '280')
  await expect(members).toHaveCount(0)
})

test('with keys alone one writes, edits, replies, changes the room and the column', async () => {
  const page = await enter('member', { width: 1280, height: 800 })
  const field = page.locator('[data-part=composer-input]')
  await expect(field).toBeFocused()
  await expectDesk(page)
  await page.keyboard.type('按键说的')
  await page.keyboard.press('Enter')
  const said = page.locator('[data-part=message]', { hasText: '按键说的' })
  await expect(said).toHaveCount(1)
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('textbox', { name: '编辑消息' })).toBeFocused()
  await page.keyboard.type('，改过')
  await page.keyboard.press('Enter')
  await expect(said).toContainText('按键说的，改过')
  await expect(field).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: '编辑消息' })).toHaveCount(0)
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.getByRole('heading', { name: '夜宵', exact: true })).toBeVisible()
  await expect(field).toBeFocused()
  await page.keyboard.press('F6')
  await expect(page.getByRole('searchbox', { name: '搜索成员' })).toBeFocused()
  await page.keyboard.press('Shift+F6')
  await expect(field).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: '跳转' })).toBeFocused()
  await page.keyboard.type('xianliao')
  await expect(page.getByRole('option', { selected: true })).toContainText('闲聊')
  await look(page, 'desk-switcher')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '闲聊', exact: true })).toBeVisible()
  await expect(field).toBeFocused()
  await page.keyboard.press('Control+/')
  await expect(page.getByRole('dialog', { name: '键盘快捷键' })).toBeVisible()
  await look(page, 'desk-keys')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: '键盘快捷键' })).toHaveCount(0)
})

test('with a mouse a message has a bar, a double click replies, and menus open at the pointer', async () => {
  await server.as('owner').say(server.channel('闲聊'), '给鼠标的')
  const page = await enter('member', { width: 1280, height: 800 })
  const row = page.locator('[data-part=message]', { hasText: '给鼠标的' })
  const bar = page.getByRole('toolbar', { name: '小满 的消息' })
  // The bar comes after the room, and shows itself once the mouse moves.
  await expect(async () => {
    await page.mouse.move(0, 0)
    await row.hover()
    await expect(bar).toBeVisible({ timeout: SHOWS_MS })
  }).toPass()
  // The row below comes under the mouse that rests.
  await server.as('admin').say(server.channel('闲聊'), '又一条')
  await expect(page.getByRole('toolbar', { name: '阿澈 的消息' })).toBeVisible()
  await row.hover()
  await bar.getByRole('button', { name: '回复' }).click()
  await expect(page.locator('[data-part=reply]')).toContainText('给鼠标的')
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-part=reply]')).toHaveCount(0)
  const box = await restingBox(row)
  await page.mouse.dblclick(box.x + 500, box.y + box.height / 2)
  await expect(page.locator('[data-part=reply]')).toContainText('给鼠标的')
  // What is replied to stands above the field, and the rows have moved up.
  const moved = await restingBox(row)
  await page.mouse.click(moved.x + 400, moved.y + 10, { button: 'right' })
  const menu = page.getByRole('dialog', { name: '小满 的消息' })
  await expect.poll(async () => Math.round((await restingBox(menu)).x - box.x)).toBe(400)
  await look(page, 'desk-message-menu')
})

test('at 900 px the members wait behind their button', async () => {
  const page = await enter('member', { width: 900, height: 800 })
  const members = page.getByRole('complementary', { name: '成员列表' })
  await expect(page.getByRole('button', { name: '成员列表' })).toHaveAttribute('aria-pressed', 'false')
  await expect(members).toHaveCount(0)
  await look(page, 'desk-room-900')
  await expectFits(page)
  await page.setViewportSize({ width: 899, height: 800 })
  await expect(page.getByRole('button', { name: '返回' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: '我的公会' })).toHaveCount(0)
})

test('on a desk a sheet that is no menu is a dialog in the middle', async () => {
  const page = await enter('member', { width: 1280, height: 800 })
  await page.keyboard.press('Control+/')
  const sheet = page.getByRole('dialog', { name: '键盘快捷键' })
  await sheet.waitFor()
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
