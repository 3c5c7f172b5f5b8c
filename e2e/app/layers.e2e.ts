/** Back and Escape close what is on top of a screen, and nothing below it. */
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { atRest, restingBox } from '../ask.ts'
import { goBack, openBrowser, openPhone, type Phone } from '../phone.ts'

let server: TestServer
let browser: Browser
const phones: Phone[] = []

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
})

test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test.afterEach(async () => {
  const complaints = phones.flatMap((phone) => phone.complaints)
  for (const phone of phones.splice(0)) await phone.close()
  expect(complaints).toEqual([])
})

async function openPage(who?: Parameters<TestServer['login']>[0]): Promise<Page> {
  const phone = await openPhone(browser, server.url)
  phones.push(phone)
  if (who) {
    const token = await server.login(who)
    await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  }
  return phone.page
}

const listUrl = () => `/channels/${server.guildId}`
const roomUrl = () => `${listUrl()}/${server.channel('闲聊')}`

/** A phone in a room that was opened from the channel list. */
async function openRoom(): Promise<Page> {
  const page = await openPage('member')
  await page.goto('/')
  await page.goto(listUrl())
  await page.getByRole('link', { name: /闲聊/ }).click()
  await page.locator('[data-part=message-text]').first().waitFor()
  // A screen that is mounted again loses these marks.
  await page.locator('[data-part=composer-input]').evaluate((it) => it.setAttribute('data-same', ''))
  return page
}

const pins = (page: Page) => page.getByRole('button', { name: '置顶消息' })
const sheet = (page: Page) => page.getByRole('dialog', { name: '置顶消息' })
const menu = (page: Page) => page.getByRole('dialog', { name: '我', exact: true })
const joining = (page: Page) => page.getByRole('dialog', { name: '加入「深夜电台」' })
const countries = (page: Page) => page.getByRole('dialog', { name: '国家或地区' })
const path = (page: Page) => new URL(page.url()).pathname

async function expectSameRoom(page: Page): Promise<void> {
  await expect.poll(() => path(page)).toBe(roomUrl())
  await expect(page.locator('[data-same]')).toBeVisible()
}

async function expectList(page: Page): Promise<void> {
  await page.waitForURL(`**${listUrl()}`)
  await page.locator('[data-part=channel]').first().waitFor()
}

test('Back closes a sheet and keeps the room and its place; the next Back leaves the room', async () => {
  const page = await openRoom()
  const list = page.locator('[data-part=message-scroll]')
  await list.evaluate((it) => it.scrollBy(0, -200))
  const before = await atRest(() => list.evaluate((it) => it.scrollTop))
  await pins(page).click()
  await sheet(page).waitFor()
  await goBack(page)
  await expect(sheet(page)).toHaveCount(0)
  await expectSameRoom(page)
  await expect.poll(() => list.evaluate((it) => it.scrollTop)).toBe(before)
  await expect(pins(page)).toBeFocused()
  await goBack(page)
  await expectList(page)
})

test('after a sheet was closed by its button, one Back leaves the room', async () => {
  const page = await openRoom()
  for (let n = 0; n < 2; n += 1) {
    await pins(page).click()
    await sheet(page).getByRole('button', { name: '关闭' }).click()
    await expect(sheet(page)).toHaveCount(0)
  }
  await expectSameRoom(page)
  await goBack(page)
  await expectList(page)
})

test('Back pressed twice quickly closes the sheet and leaves the room, no more', async () => {
  const page = await openRoom()
  await pins(page).click()
  await sheet(page).waitFor()
  await page.evaluate(() => {
    history.back()
    setTimeout(() => history.back(), 5)
  })
  await expectList(page)
})

test('a room that was reloaded under a sheet is left by one Back', async () => {
  const page = await openRoom()
  await pins(page).click()
  await sheet(page).waitFor()
  await page.reload()
  await page.locator('[data-part=message-text]').first().waitFor()
  await expect(sheet(page)).toHaveCount(0)
  await goBack(page)
  await expectList(page)
})

test('the emoji panel takes Back; Escape closes the sheet above it and not the panel', async () => {
  const page = await openRoom()
  await page.locator('[data-part=emoji-button]').click()
  await page.locator('[data-part=emoji-dock]').waitFor()
  await pins(page).click()
  await sheet(page).waitFor()
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toHaveCount(0)
  await expect(page.locator('[data-part=emoji-dock]')).toBeVisible()
  await goBack(page)
  await expect(page.locator('[data-part=emoji-dock]')).toHaveCount(0)
  await expectSameRoom(page)
  await goBack(page)
  await expectList(page)
})

test('on the invite, which has no router, two sheets close one by one, and a link out of a sheet leads back to the invite', async () => {
  const page = await openPage()
  await page.goto('/terms')
  await page.goto(`/invite/${server.invite}`)
  await page.getByRole('button', { name: '接受邀请' }).click()
  await page.getByRole('button', { name: /国家或地区/ }).click()
  await expect(countries(page)).toBeVisible()
  await expect(joining(page)).toHaveCount(1)
  await goBack(page)
  await expect(countries(page)).toHaveCount(0)
  await expect(joining(page)).toBeVisible()
  await page.getByRole('button', { name: '已有账号？用密码登录' }).click()
  await page.waitForURL('**/login')
  await page.getByRole('heading', { name: '登录', exact: true }).waitFor()
  await goBack(page)
  await page.getByRole('button', { name: '接受邀请' }).waitFor()
  await goBack(page)
  await page.waitForURL('**/terms')
})

test('after joining, Back does not return to the invite, whether by registering or by logging in', async () => {
  const openInvite = async () => {
    const page = await openPage()
    await page.goto('/terms')
    await page.goto(`/invite/${server.invite}`)
    await page.getByRole('button', { name: '接受邀请' }).click()
    return page
  }
  const code = async (page: Page, mobile: string) => {
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
    await expect(page.getByLabel('验证码', { exact: true })).toBeFocused()
    await page.getByLabel('验证码', { exact: true }).fill(await server.codeFor(mobile))
  }
  const registering = await openInvite()
  await registering.getByRole('button', { name: '注册并加入' }).click()
  await expect(registering.getByLabel('手机号码')).toBeFocused()
  await registering.getByLabel('手机号码').fill('13800001111')
  await code(registering, '13800001111')
  await registering.getByRole('button', { name: '注册并加入' }).click()
  await registering.getByPlaceholder('发送消息到').waitFor()
  await goBack(registering)
  await registering.waitForURL('**/terms')

  const loggingIn = await openInvite()
  await loggingIn.getByRole('button', { name: '已有账号？用密码登录' }).click()
  await loggingIn.getByRole('tab', { name: '验证码登录' }).click()
  // The sheet behind has a label that begins with these words.
  await loggingIn.getByLabel('手机号', { exact: true }).fill('13800001112')
  await code(loggingIn, '13800001112')
  await loggingIn.getByRole('button', { name: '登录', exact: true }).click()
  await loggingIn.locator('[data-part=channel]').first().waitFor()
  await goBack(loggingIn)
  await loggingIn.waitForURL('**/terms')
})

test('the number survives a reload while its countdown does', async () => {
  const page = await openPage()
  await page.goto('/login')
  await page.getByLabel('手机号').fill('13800001113')
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  await page.reload()
  await expect(page.getByLabel('手机号')).toHaveValue('13800001113')
})

test('the header leads back to the list where it was left, and without a list before it takes its place', async () => {
  const page = await openRoom()
  await expect(page).toHaveTitle(/#闲聊 · 深夜电台$/)
  await page.getByRole('button', { name: '返回' }).click()
  await expectList(page)
  await goBack(page)
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto(roomUrl())
  await page.getByRole('button', { name: '返回' }).click()
  await expectList(page)
  await goBack(page)
  await page.waitForURL((url) => url.pathname === '/')
})

test('pages that do not exist say so with 404 and lead on', async () => {
  const page = await openPage()
  for (const path of ['/nowhere', '/nowhere/at/all']) {
    const answer = await page.goto(path)
    expect([path, answer?.status()]).toEqual([path, 404])
    await page.getByRole('heading', { name: '页面不存在' }).waitFor()
  }
  await page.getByRole('link', { name: '回到首页' }).click()
  await page.waitForURL((url) => url.pathname === '/')
})

test('a room that may not be viewed leads away and says why', async () => {
  const page = await openPage('outsider')
  await page.goto(roomUrl())
  await page.waitForURL((url) => url.pathname === '/')
  await page.getByText('无法进入该频道').waitFor()
})

test('a sheet follows the finger by its whole surface and closes when it is pulled far', async () => {
  const page = await openPage('member')
  await page.goto(listUrl())
  await page.locator('[data-part=user-menu-button]').click()
  await menu(page).waitFor()
  const cdp = await page.context().newCDPSession(page)
  const box = await restingBox(menu(page))
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', by: number) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: y + by }] })
  const pull = async (px: number) => {
    await touch('touchStart', 0)
    for (let by = 0; by <= px; by += 20) await touch('touchMove', by)
    await touch('touchEnd', px)
  }
  await pull(60)
  await restingBox(menu(page))
  await expect(menu(page)).toHaveCount(1)
  await pull(160)
  await expect(menu(page)).toHaveCount(0)
})

for (const [width, height] of [
  [640, 320],
  [568, 320],
  [320, 480],
  [195, 422],
] as const)
  test(`at ${width}x${height} the invite and its sheet have their buttons in sight`, async () => {
    const page = await openPage()
    await page.setViewportSize({ width, height })
    await page.goto(`/invite/${server.invite}`)
    await expect(page.getByRole('button', { name: '接受邀请' })).toBeInViewport({ ratio: 1 })
    await page.getByRole('button', { name: '接受邀请' }).click()
    const submit = page.getByRole('button', { name: '注册并加入' })
    await expect(submit).toBeInViewport({ ratio: 1 })
    for (const name of ['手机号码', '验证码'])
      await expect(page.getByRole('textbox', { name, exact: true })).toBeInViewport({ ratio: 1 })
    const sheetBox = await restingBox(joining(page))
    const button = await restingBox(submit)
    expect(button.x + button.width).toBeLessThanOrEqual(sheetBox.x + sheetBox.width)
  })

test('an English page draws Chinese names with the simplified Chinese font', async () => {
  const phone = await openPhone(browser, server.url, { locale: 'en-US' })
  phones.push(phone)
  await phone.page.goto('/login')
  await phone.page.getByRole('tab', { name: 'Code login' }).waitFor()
  await expect(phone.page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(phone.page.getByRole('tab', { name: 'Password login' })).toHaveCSS(
    '-webkit-locale',
    '"zh-Hans"',
  )
})
