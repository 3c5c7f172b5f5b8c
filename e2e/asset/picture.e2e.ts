/**
 * Pictures of a room: copies that fit, placeholders, the original in the viewer, another try; one colour for
 * a guild.
 */
import type { Browser } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { pngOf } from '../../server/src/testing/picture.ts'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { atRest, restingBox } from '../ask.ts'
import { look } from '../look.ts'
import { connects, doubleTap, expectAccessible, openBrowser, openPhone, type Phone } from '../phone.ts'
import { photograph } from '../photograph.ts'

let server: TestServer
let browser: Browser
let photo: Buffer
test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
  photo = await photograph()
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Sends a picture as the owner, the photograph unless another is given; returns its path. */
async function send(channel: string, name: string, picture = photo): Promise<string> {
  const owner = server.as('owner')
  const { url } = await owner.upload(picture, name)
  await owner.say(server.channel(channel), url, { type: 2 })
  return new URL(url).pathname
}

async function enter(channel: string, theme: 'light' | 'dark' = 'light'): Promise<Phone> {
  const phone = await openPhone(browser, server.url, { theme })
  const token = await server.login('member')
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await phone.page.goto(`/channels/${server.guildId}/${server.channel(channel)}`)
  await phone.page.locator('[data-part=composer-input]').waitFor()
  return phone
}

test('a photograph is shown by a copy; its original is loaded when it is zoomed, and saved', async () => {
  const path = await send('夜宵', '合影.jpg')
  const phone = await enter('夜宵')
  const { page } = phone
  const asked: string[] = []
  page.on('request', (it) => {
    const { pathname, search } = new URL(it.url())
    if (pathname === path) asked.push(search)
  })
  const shown = page.getByRole('button', { name: '图片 合影.jpg' })
  const source = () =>
    shown.locator('img').evaluate((it: HTMLImageElement) => new URL(it.currentSrc || location.href).search)
  await expect.poll(source).toBe('?side=800')
  await expect
    .poll(() => shown.locator('img').evaluate((it: HTMLImageElement) => it.naturalWidth > 0))
    .toBe(true)
  await shown.click()
  const viewer = page.getByRole('dialog', { name: '图片 合影.jpg' })
  await viewer.waitFor()
  await expectAccessible(page)
  expect(asked).not.toContain('')
  const box = await restingBox(viewer.locator('img'))
  await doubleTap(page, { x: box.x + box.width / 2, y: box.y + box.height / 2 })
  await expect.poll(() => asked).toContain('')
  await expect
    .poll(() => viewer.locator('img').evaluate((it: HTMLImageElement) => new URL(it.currentSrc).search))
    .toBe('')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    viewer.getByRole('link', { name: '保存原图' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('合影.jpg')
  await phone.close()
})

test('a long screenshot opens at full width from its top, and is read on', async () => {
  await send('夜宵', '长图.png', await pngOf(1080, 12_000))
  const phone = await enter('夜宵')
  const { page } = phone
  await page.getByRole('button', { name: '图片 长图.png' }).click()
  const image = page.getByRole('dialog', { name: '图片 长图.png' }).locator('img')
  const box = await restingBox(image)
  expect([box.x, box.y, box.width].map(Math.round)).toEqual([0, 0, page.viewportSize()!.width])
  await page.keyboard.press('ArrowDown')
  await expect.poll(async () => (await restingBox(image)).y).toBeLessThan(-page.viewportSize()!.height / 2)
  await phone.close()
})

test(`a placeholder is there before the picture, and a broken picture offers another try`, async () => {
  const path = await send('值班室', 'broken.jpg')
  const phone = await openPhone(browser, server.url)
  const token = await server.login('owner')
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  const { page } = phone
  let isBroken = true
  const waiting: (() => void)[] = []
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (!isBroken) return route.continue()
      await new Promise<void>((resolve) => waiting.push(resolve))
      return route.abort()
    },
  )
  const connected = connects(page)
  await page.goto(`/channels/${server.guildId}/${server.channel('值班室')}`)
  const shown = page.getByRole('button', { name: `图片 broken.jpg` })
  await shown.locator('[data-part=placeholder]').waitFor()
  const isDrawn = () =>
    shown
      .locator('canvas')
      .evaluate((it: HTMLCanvasElement) => it.getContext('2d')!.getImageData(5, 5, 1, 1).data[3])
  await expect.poll(isDrawn).toBe(255)
  await expect.poll(() => waiting.length).toBeGreaterThan(0)
  // What failed before the page was connected is asked for again when it is.
  await connected
  const failing = setInterval(() => waiting.splice(0).forEach((go) => void go()), 20)
  const again = page.getByRole('button', { name: /图片加载失败\s*点按重试/ })
  await again.waitFor()
  await look(page)
  clearInterval(failing)
  isBroken = false
  await again.click()
  await expect
    .poll(() => shown.locator('img').evaluate((it: HTMLImageElement) => it.naturalWidth > 0))
    .toBe(true)
  await phone.close()
})

test('a guild and the person who invites have the same colours on the invite and inside', async () => {
  const groundOf = (it: Element) => getComputedStyle(it).backgroundColor
  const phone = await openPhone(browser, server.url)
  await phone.page.goto(`/invite/${server.invite}`)
  const outside = await atRest(() => phone.page.locator('.invite-icon.letters').evaluate(groundOf))
  await phone.close()
  const inside = await enter('夜宵')
  await inside.page.goto(`/channels/${server.guildId}`)
  const guild = inside.page
    .getByRole('navigation', { name: '我的公会' })
    .getByRole('link', { name: server.world.guilds[0]!.name })
  await expect.poll(() => guild.locator('[aria-hidden=true][class*=guild]').evaluate(groundOf)).toBe(outside)
  await inside.close()
})
