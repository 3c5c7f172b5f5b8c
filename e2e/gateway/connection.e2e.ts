/** A phone's connection under faults: no network, a restarted server, a suspended tab. */

import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { pngOf } from '../../server/src/testing/picture.ts'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { expectTools, keptIn } from '../ask.ts'
import { type Network, openNetwork } from '../network.ts'
import { openBrowser, openPhone, type Phone } from '../phone.ts'

let server: TestServer
let browser: Browser
let network: Network
const phones: Phone[] = []

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
  network = await openNetwork(server.url)
})

test.afterAll(async () => {
  await browser?.close()
  await network?.close()
  await server?.close()
})

test.afterEach(async () => {
  // The browser reports sockets that cannot be opened; these journeys break them on purpose.
  const complaints = phones.flatMap((phone) => phone.complaints).filter((it) => !it.includes('WebSocket'))
  for (const phone of phones.splice(0)) await phone.close()
  expect(complaints).toEqual([])
})

const room = () => `/channels/${server.guildId}/${server.channel('夜宵')}`
const composer = (page: Page) => page.getByPlaceholder('发送消息到')
const messageWith = (page: Page, text: string) => page.locator('[data-part=message-text]', { hasText: text })

/** Opens the room for somebody of the demo world. `ownClock`: the test controls the page's clock. */
async function openRoom(
  name: Parameters<TestServer['login']>[0],
  url = server.url,
  ownClock = false,
): Promise<Phone> {
  const phone = await openPhone(browser, url)
  phones.push(phone)
  const token = await server.login(name)
  await phone.context.addInitScript((it) => {
    if (location.protocol === 'http:') localStorage.setItem('authorization', it)
  }, token)
  if (ownClock) await phone.page.clock.install()
  await phone.page.goto(room())
  await composer(phone.page).waitFor()
  return phone
}

async function sendText(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await page.getByRole('button', { name: '发送', exact: true }).click()
}

/** The stored contents that begin with `prefix`, in order. */
async function stored(prefix: string): Promise<string[]> {
  const { rows } = await sql<{ content: string }>`
    select content from message where content like ${`${prefix}%`} order by seq`.execute(server.database.db)
  return rows.map((row) => row.content)
}

/** The texts on screen that begin with `prefix`, top to bottom. */
const shown = (page: Page, prefix: string) =>
  page.locator('[data-part=message-text]').filter({ hasText: new RegExp(`^\\s*${prefix}`) })

test('messages written offline survive closing the page, and are sent once and in order when the network is back', async () => {
  const friend = await openRoom('member')
  const away = await openRoom('admin', network.url)
  network.cut()
  await away.page.getByText(/网络已断开|正在重新连接|正在连接/).waitFor()
  const texts = [1, 2, 3].map((n) => `离线 ${n}`)
  for (const each of texts) await sendText(away.page, each)
  await expect(away.page.getByText('等待网络')).toHaveCount(3)
  await expect.poll(() => keptIn(away.page, 'unsent')).toBe(3)
  // The page is closed; only what it stored in the browser remains.
  await away.page.goto('about:blank')
  expect(await stored('离线')).toEqual([])

  network.mend()
  const [page, second] = [away.page, await away.context.newPage()]
  await Promise.all([page.goto(room()), second.goto(room())])
  await expect.poll(() => stored('离线')).toEqual(texts)
  for (const each of [page, second, friend.page]) await expect(shown(each, '离线')).toHaveText(texts)
  await expect(page.getByText('等待网络')).toHaveCount(0)
})

test('an unacknowledged message is still queued after a reload', async () => {
  const { page } = await openRoom('admin')
  await page.route('**/message', (route) => route.abort())
  await sendText(page, '出不去 1')
  await sendText(page, '出不去 2')
  await expect(page.getByText('等待网络')).toHaveCount(2)
  await expect.poll(() => keptIn(page, 'unsent')).toBe(2)
  await page.reload()
  await expect(shown(page, '出不去')).toHaveText(['出不去 1', '出不去 2'])
  expect(await stored('出不去')).toEqual([])
  await page.unroute('**/message')
  await expect.poll(() => stored('出不去')).toEqual(['出不去 1', '出不去 2'])
  await expect(shown(page, '出不去')).toHaveText(['出不去 1', '出不去 2'])
})

test('what a closed tab left unsent is shown and sent by the other tab of the same browser', async () => {
  const { page, context } = await openRoom('admin', network.url)
  const second = await context.newPage()
  await second.goto(room())
  await composer(second).waitFor()
  // Attempts to connect at the start count too: after five a page only tries every minute.
  for (const each of [page, second])
    await each.locator('[role=status][data-face=connected]').waitFor({ state: 'attached' })
  network.cut()
  await second.getByText(/网络已断开|正在重新连接/).waitFor()
  await sendText(second, '留下的 1')
  await sendText(second, '留下的 2')
  await expect(second.getByText('等待网络')).toHaveCount(2)
  await expect.poll(() => keptIn(second, 'unsent')).toBe(2)
  await second.close()
  network.mend()
  await expect.poll(() => stored('留下的')).toEqual(['留下的 1', '留下的 2'])
  await expect(shown(page, '留下的')).toHaveText(['留下的 1', '留下的 2'])
  await expect(page.getByText('等待网络')).toHaveCount(0)
})

test('unsent messages are deleted on logout', async () => {
  const { page } = await openRoom('admin')
  await page.route('**/message', (route) => route.abort())
  await sendText(page, '不发了')
  await page.getByText('等待网络').waitFor()
  await page.goto('/channels/')
  await page.getByRole('button', { name: '我的菜单' }).click()
  await page
    .getByRole('dialog', { name: '我', exact: true })
    .getByRole('button', { name: '退出登录' })
    .click()
  await page
    .getByRole('alertdialog', { name: '确定要退出登录吗？' })
    .getByRole('button', { name: '退出登录' })
    .click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.unroute('**/message')
  await expect
    .poll(() => page.evaluate(async () => (await indexedDB.databases()).map((it) => it.name)))
    .toEqual([])
  expect(await stored('不发了')).toEqual([])
})

test('a server restart loses no message and no draft, and reloads no page', async () => {
  const pages = [(await openRoom('member')).page, (await openRoom('admin')).page] as const
  await sendText(pages[0], '重启 1')
  await messageWith(pages[1], '重启 1').waitFor()
  await composer(pages[1]).fill('写到一半')
  const loads = pages.map((page) => {
    const seen = { count: 0 }
    page.on('load', () => {
      seen.count += 1
    })
    return seen
  })

  await server.stop()
  await pages[0].getByText(/网络已断开|正在重新连接/).waitFor()
  await sendText(pages[0], '重启 2')
  await sendText(pages[0], '重启 3')
  await pages[0].getByText('等待网络').first().waitFor()
  await server.start()

  const texts = ['重启 1', '重启 2', '重启 3']
  await expect.poll(() => stored('重启')).toEqual(texts)
  for (const page of pages) await expect(shown(page, '重启')).toHaveText(texts)
  await expect(composer(pages[1])).toHaveValue('写到一半')
  await composer(pages[1]).fill('')
  expect(loads.map((it) => it.count)).toEqual([0, 0])
})

test('a phone whose connection died while it was suspended receives the missed messages soon after it resumes', async () => {
  const friend = await openRoom('member')
  const away = await openRoom('admin', network.url, true)
  await sendText(friend.page, '睡前')
  await messageWith(away.page, '睡前').waitFor()
  // Neither end is notified that the connection is dead.
  network.stall()
  await sendText(friend.page, '睡着时 1')
  await sendText(friend.page, '睡着时 2')
  await expect.poll(() => stored('睡着时')).toHaveLength(2)
  // Skips minutes in which no timer of the page runs; afterwards its time advances only in the steps below. A
  // page that mistakes the suspension for a missed pong would need twelve seconds.
  await away.page.clock.pauseAt(Date.now() + 4.5 * 60_000)
  let steps = 0
  await expect
    .poll(
      async () => {
        const count = await shown(away.page, '睡着时').count()
        if (count === 0 && steps < 16) {
          await away.page.clock.runFor(500)
          steps += 1
        }
        return count
      },
      // The network needs real time.
      { intervals: [250] },
    )
    .toBeGreaterThan(0)
  // What comes while the page draws is applied after it.
  await away.page.clock.resume()
  await expect(shown(away.page, '睡着时')).toHaveText(['睡着时 1', '睡着时 2'])
})

test('an upload that carries nothing any more ends after half a minute, and is offered again', async () => {
  const { page } = await openRoom('member', network.url, true)
  // What is still being loaded would be left on the few connections that the browser has.
  await expectTools(page)
  await page.getByRole('button', { name: '文字格式' }).waitFor()
  network.swallow()
  const file = { name: '隧道.txt', mimeType: 'text/plain', buffer: Buffer.from('隧道') }
  await page.locator('input[data-attach]').setInputFiles(file)
  const chip = page.locator('[data-part=attachment]')
  // All of it left, and no answer comes. Any progress starts the half minute again.
  await page.getByRole('progressbar', { name: '隧道.txt，正在上传 100%' }).waitFor()
  network.mend()
  await page.clock.fastForward(31_000)
  await expect(chip).toHaveAttribute('data-state', 'failed')
  // The browser keeps other connections that died in the black hole, and would try each.
  network.cut()
  network.mend()
  await page.getByRole('button', { name: '重新上传 隧道.txt' }).click()
  await expect(chip).toHaveAttribute('data-state', 'done')
  await chip.getByRole('button', { name: '移除 隧道.txt' }).click()
})

test('what is opened for the first time without a network leaves the room as it is, and opens when it is back', async () => {
  const { page } = await openRoom('member', network.url)
  network.cut()
  await page.getByText(/网络已断开|正在重新连接/).waitFor()
  await composer(page).fill('还在')
  // The browser asks for the script of the sheet, which cannot be loaded.
  const failed = page.waitForEvent('requestfailed')
  await page.getByRole('button', { name: '置顶消息' }).click()
  await failed
  // Nothing is to happen: there is nothing to wait for.
  await page.waitForTimeout(1_000)
  await expect(composer(page)).toHaveValue('还在')
  await expect(page.getByText(/网络已断开|正在重新连接/)).toBeVisible()
  network.mend()
  await page.getByRole('dialog', { name: '置顶消息' }).waitFor()
  await page.keyboard.press('Escape')
  await composer(page).fill('')
})

test('files that were on their way when the network silently went do not keep a page from sending when it is back', async () => {
  const { page } = await openRoom('member', network.url, true)
  await expectTools(page)
  network.swallow()
  // As many as a browser asks a server for at the same time.
  const asked = Array.from({ length: 6 }, (_, n) => page.waitForRequest(`**/assets/${n}.png`))
  await page.evaluate(() => {
    for (let n = 0; n < 6; n += 1) new Image().src = `/assets/${n}.png`
  })
  await Promise.all(asked)
  network.mend()
  await sendText(page, '隧道之后')
  await expect
    .poll(
      async () => {
        await page.clock.runFor(1_000)
        return stored('隧道之后')
      },
      // The network needs real time.
      { intervals: [250] },
    )
    .toEqual(['隧道之后'])
  await page.clock.resume()
  await expect(shown(page, '隧道之后')).toHaveText(['隧道之后'])
})

test('a picture that could not be loaded comes by itself when the network is back', async () => {
  const { page } = await openRoom('member', network.url)
  const owner = server.as('owner')
  const { url } = await owner.upload(await pngOf(300, 200), '断网.png')
  const { pathname } = new URL(url)
  await page.route(
    (it) => it.pathname === pathname,
    (route) => route.abort(),
  )
  await owner.say(server.channel('夜宵'), url, { type: 2 })
  await page.getByRole('button', { name: /图片加载失败/ }).waitFor()
  await page.unrouteAll()
  network.cut()
  await page.getByText(/网络已断开|正在重新连接/).waitFor()
  network.mend()
  const picture = page.getByRole('button', { name: '图片 断网.png' }).locator('img')
  await expect.poll(() => picture.evaluate((it: HTMLImageElement) => it.naturalWidth > 0)).toBe(true)
})

test('the network going away is shown at once; where the browser does not notice its return, a tap does', async () => {
  const { page } = await openRoom('member', network.url)
  network.cut()
  await page.evaluate(() => dispatchEvent(new Event('offline')))
  const retry = page.locator('[role=status][data-face]').getByRole('button', { name: '重试' })
  await retry.waitFor()
  await expect(page.getByText('网络已断开')).toBeVisible()
  network.mend()
  await retry.click()
  await expect(page.getByText('网络已断开')).toHaveCount(0)
  await sendText(page, '回来了')
  await messageWith(page, '回来了').waitFor()
})
