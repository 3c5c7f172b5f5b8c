/** What happens to a line in a pocket: no network, a server that is restarted, a tab that was asleep. */

import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'
import { type Network, openNetwork } from './network.ts'
import { openBrowser, openPhone, type Phone } from './phone.ts'

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
  // A socket that cannot be opened is reported by the browser; that it breaks is what these journeys are about.
  const complaints = phones.flatMap((phone) => phone.complaints).filter((it) => !it.includes('WebSocket'))
  for (const phone of phones.splice(0)) await phone.close()
  expect(complaints).toEqual([])
})

const room = () => `/channels/${server.guildId}/${server.channel('夜宵')}`
const composer = (page: Page) => page.getByPlaceholder('发送消息到')
const said = (page: Page, words: string) => page.locator('[data-part=message-text]', { hasText: words })

/** Somebody of the cast in the room; with a clock of their own, time can jump for them. */
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

async function say(page: Page, words: string): Promise<void> {
  await composer(page).fill(words)
  await page.getByRole('button', { name: '发送', exact: true }).click()
}

/** What is in the database, in order. */
async function stored(prefix: string): Promise<string[]> {
  const { rows } = await sql<{ content: string }>`
    select content from message where content like ${`${prefix}%`} order by seq`.execute(server.database.db)
  return rows.map((row) => row.content)
}

/** The words on screen that begin with `prefix`, top to bottom. */
const shown = (page: Page, prefix: string): Promise<string[]> =>
  page
    .locator('[data-part=message-text]')
    .allInnerTexts()
    .then((all) => all.map((words) => words.trim()).filter((words) => words.startsWith(prefix)))

test('words written without a network outlive the page, and go out once and in order when it is back', async () => {
  const friend = await openRoom('member')
  const away = await openRoom('admin', network.url)
  network.cut()
  await away.page.getByText(/网络已断开|正在重新连接/).waitFor()
  const words = [1, 2, 3].map((n) => `离线 ${n}`)
  for (const each of words) await say(away.page, each)
  await expect.poll(() => away.page.getByText('等待网络').count()).toBe(3)
  // The page is gone: nothing of it is left but what the browser keeps.
  await away.page.goto('about:blank')
  expect(await stored('离线')).toEqual([])

  network.mend()
  const [page, second] = [away.page, await away.context.newPage()]
  await Promise.all([page.goto(room()), second.goto(room())])
  await expect.poll(() => stored('离线')).toEqual(words)
  for (const each of [page, second, friend.page]) await expect.poll(() => shown(each, '离线')).toEqual(words)
  await expect.poll(() => page.getByText('等待网络').count()).toBe(0)
})

test('a message the server does not get an answer through for is still there after a reload', async () => {
  const { page } = await openRoom('admin')
  await page.route('**/message', (route) => route.abort())
  await say(page, '出不去 1')
  await say(page, '出不去 2')
  await expect.poll(() => page.getByText('等待网络').count()).toBe(2)
  await page.reload()
  await expect.poll(() => shown(page, '出不去')).toEqual(['出不去 1', '出不去 2'])
  expect(await stored('出不去')).toEqual([])
  await page.unroute('**/message')
  await expect.poll(() => stored('出不去')).toEqual(['出不去 1', '出不去 2'])
  await expect.poll(() => shown(page, '出不去')).toEqual(['出不去 1', '出不去 2'])
})

test('unsent words are gone with the person who logs out', async () => {
  const { page } = await openRoom('admin')
  await page.route('**/message', (route) => route.abort())
  await say(page, '不发了')
  await page.getByText('等待网络').waitFor()
  await page.goto('/channels/')
  await page.getByRole('button', { name: '我的菜单' }).click()
  await page.getByText('退出登录').click()
  await page.getByRole('button', { name: '退出登录' }).last().click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.unroute('**/message')
  await expect
    .poll(() => page.evaluate(async () => (await indexedDB.databases()).map((it) => it.name)))
    .toEqual([])
  expect(await stored('不发了')).toEqual([])
})

test('a server restarted in the middle of a conversation costs nobody a word, their place or their draft', async () => {
  const pages = [(await openRoom('member')).page, (await openRoom('admin')).page] as const
  await say(pages[0], '重启 1')
  await said(pages[1], '重启 1').waitFor()
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
  await say(pages[0], '重启 2')
  await say(pages[0], '重启 3')
  await pages[0].getByText('等待网络').first().waitFor()
  await server.start()

  const words = ['重启 1', '重启 2', '重启 3']
  await expect.poll(() => stored('重启')).toEqual(words)
  for (const page of pages) await expect.poll(() => shown(page, '重启')).toEqual(words)
  expect(await composer(pages[1]).inputValue()).toBe('写到一半')
  await composer(pages[1]).fill('')
  expect(loads.map((it) => it.count)).toEqual([0, 0])
})

test('a phone that slept while its line died hears what it missed soon after it is woken', async () => {
  const friend = await openRoom('member')
  const away = await openRoom('admin', network.url, true)
  await say(friend.page, '睡前')
  await said(away.page, '睡前').waitFor()
  // Neither end is told that the line is dead.
  network.stall()
  await say(friend.page, '睡着时 1')
  await say(friend.page, '睡着时 2')
  await expect.poll(() => stored('睡着时')).toHaveLength(2)
  // Minutes in which no timer of the page ran. From here on the page's time passes only in the steps below. A page that
  // takes the sleep for a missed pong needs twelve seconds of it.
  await away.page.clock.pauseAt(Date.now() + 4.5 * 60_000)
  for (let steps = 0; steps < 16 && (await shown(away.page, '睡着时')).length === 0; steps += 1) {
    await away.page.clock.runFor(500)
    // The network takes its own time.
    await away.page.waitForTimeout(250)
  }
  await expect.poll(() => shown(away.page, '睡着时')).toEqual(['睡着时 1', '睡着时 2'])
})
