/**
 * The native app beside the page: opened, downloaded or left out, in each environment. chat.md §4,
 * commerce.md §2.
 */
import { type Browser, expect, type Page, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { look } from '../look.ts'
import { expectAccessible, openBrowser, openPhone, type Phone, type Theme } from '../phone.ts'

const AGENTS = {
  safari:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  iosChrome:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0.6478.35 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  wechat:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.50.2701(0x28003253) WeChat/arm64 NetType/WIFI Language/zh_CN',
} as const
const STORE = 'https://store.example'
const APP = { APP_SCHEME: 'hall', APP_IOS_URL: `${STORE}/ios`, APP_ANDROID_URL: `${STORE}/android` }
const MASK = '请点击右上角，选择「在浏览器中打开」'

let withApp: TestServer
let without: TestServer
let browser: Browser
const phones: Phone[] = []

test.beforeAll(async () => {
  withApp = await openTestServer({
    ...APP,
    APP_LINK_IOS: 'ABCDE12345.com.example.hall',
  })
  without = await openTestServer()
  browser = await openBrowser()
})
test.afterAll(async () => {
  await browser?.close()
  await withApp?.close()
  await without?.close()
})
test.afterEach(async () => {
  // A browser without the app, or without a tap, says that it does not launch it.
  const complaints = phones
    .flatMap((phone) => phone.complaints)
    .filter((it) => !/(?:Failed|Not allowed) to launch 'hall:/.test(it))
  for (const phone of phones.splice(0)) await phone.close()
  expect(complaints).toEqual([])
})

interface Seat {
  readonly page: Page
  /** Where the page wanted to go outside of this site, in order. */
  readonly left: string[]
}

/** A phone with a browser at a path of a server. */
async function open(
  server: TestServer,
  agent: keyof typeof AGENTS | 'desk',
  path: string,
  { isLoggedIn = false, theme = 'light' as Theme } = {},
): Promise<Seat> {
  const phone = await openPhone(browser, server.url, {
    theme,
    ...(agent === 'desk' ? { isDesk: true } : { userAgent: AGENTS[agent] }),
  })
  phones.push(phone)
  const { page, context } = phone
  await context.route(`${STORE}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>store</title><p>store' }),
  )
  if (isLoggedIn) {
    const token = await server.login('owner')
    await context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  }
  const left: string[] = []
  const session = await context.newCDPSession(page)
  await session.send('Page.enable')
  session.on('Page.frameRequestedNavigation', ({ url }) => {
    if (!url.startsWith(server.url)) left.push(url)
  })
  await page.goto(path)
  return { page, left }
}

const accept = (page: Page) => page.getByRole('button', { name: '接受邀请' }).click()
const pathOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search

test.describe('the accept button of an invite', () => {
  test('without an app goes on in the browser', async () => {
    for (const agent of ['safari', 'iosChrome', 'android', 'desk'] as const) {
      const { page, left } = await open(without, agent, `/invite/${without.invite}`)
      await accept(page)
      await expect(page.getByRole('button', { name: '注册并加入' })).toBeVisible()
      await expect(page.getByRole('button', { name: '不打开 APP，在网页中加入' })).toHaveCount(0)
      expect(left).toEqual([])
    }
  })

  test('is not lost when it is tapped before the scripts are there', async () => {
    const phone = await openPhone(browser, without.url, { userAgent: AGENTS.android })
    phones.push(phone)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await phone.page.route('**/assets/InviteScreen-*.js', async (route) => {
      await held
      await route.continue()
    })
    await phone.page.goto(`/invite/${without.invite}`)
    await accept(phone.page)
    release()
    await expect(phone.page.getByRole('button', { name: '注册并加入' })).toBeVisible()
  })

  test('in a chat app points out of it, and goes on there when asked', async () => {
    for (const server of [withApp, without]) {
      const { page, left } = await open(server, 'wechat', `/invite/${server.invite}`)
      await accept(page)
      await expect(page.getByText(MASK)).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('button', { name: '在此继续' }).click()
      await expect(page.getByRole('button', { name: '注册并加入' })).toBeVisible()
      expect(left).toEqual([])
    }
  })

  test('in Safari leads to the page that opens the app, and from there back to the web', async () => {
    const { page, left } = await open(withApp, 'safari', `/invite/${withApp.invite}`)
    await expect(page.getByRole('button', { name: '不打开 APP，在网页中加入' })).toBeVisible()
    await expectAccessible(page)
    await accept(page)
    await expect(page.getByRole('button', { name: '打开 APP', exact: true })).toBeVisible()
    await expect.poll(() => pathOf(page)).toBe(`/oia/invite/${withApp.invite}`)
    await expectAccessible(page)
    await page.getByRole('link', { name: '在浏览器中继续' }).click()
    await expect(page.getByRole('button', { name: '注册并加入' })).toBeVisible()
    expect(left).toEqual([])
  })

  test('elsewhere opens the app, and the store after it', async () => {
    for (const [agent, store] of [
      ['iosChrome', 'ios'],
      ['android', 'android'],
    ] as const) {
      const { page, left } = await open(withApp, agent, `/invite/${withApp.invite}`)
      await accept(page)
      await expect(page).toHaveURL(`${STORE}/${store}`)
      await expect.poll(() => left).toEqual([`hall://invite/${withApp.invite}`, `${STORE}/${store}`])
    }
  })

  test('does not lead to the store when the app opened', async () => {
    const { page, left } = await open(withApp, 'android', `/invite/${withApp.invite}`)
    await page.clock.install()
    await accept(page)
    await page.clock.runFor(200)
    await expect.poll(() => left).toEqual([`hall://invite/${withApp.invite}`])
    await page.evaluate(() => dispatchEvent(new Event('pagehide')))
    await page.clock.runFor(10_000)
    await expect(page.getByRole('button', { name: '接受邀请' })).not.toHaveAttribute('aria-disabled', 'true')
    expect(left).toEqual([`hall://invite/${withApp.invite}`])
  })

  test('joins whoever is logged in, also where there is an app', async () => {
    for (const agent of ['safari', 'android', 'wechat'] as const) {
      const { page, left } = await open(withApp, agent, `/invite/${withApp.invite}`, { isLoggedIn: true })
      await page.getByRole('button', { name: '进入公会' }).click()
      await page.waitForURL(/\/channels\/\d+/)
      expect(left).toEqual([])
    }
  })
})

test.describe('the channel list', () => {
  test('without an app has no tip, and the dialog of a voice channel only closes', async () => {
    const { page, left } = await open(without, 'android', `/channels/${without.guildId}`, {
      isLoggedIn: true,
    })
    const voice = page.locator('[data-part=channel][data-closed]').first()
    await voice.click()
    const dialog = page.getByRole('alertdialog', { name: '提醒' })
    await expect(dialog).toContainText('网页暂不支持语音频道')
    await expect(dialog.locator('button')).toHaveText(['知道了'])
    await expectAccessible(page)
    await dialog.getByRole('button', { name: '知道了' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('button', { name: '打开 APP', exact: true })).toHaveCount(0)
    expect(left).toEqual([])
  })

  test(`with one has a tip that opens it, and a voice channel opens it with its dialog`, async () => {
    const { page, left } = await open(withApp, 'android', `/channels/${withApp.guildId}`, {
      isLoggedIn: true,
    })
    await expect(page.getByRole('button', { name: '打开 APP', exact: true })).toBeVisible()
    await look(page, 'app-tip')
    await page.locator('[data-part=channel][data-closed]').first().click()
    const dialog = page.getByRole('alertdialog', { name: '提醒' })
    await expect(dialog).toBeVisible()
    // The app is tried without a further tap.
    await expect(page).toHaveURL(`${STORE}/android`)
    await expect
      .poll(() => left)
      .toEqual([
        expect.stringMatching(new RegExp(`^hall://channels/${withApp.guildId}/\\d+$`)),
        `${STORE}/android`,
      ])
  })
})

test.describe('the landing page', () => {
  test('without an app offers no download', async () => {
    for (const agent of ['safari', 'android', 'wechat', 'desk'] as const) {
      const { page } = await open(without, agent, '/')
      await expect(page.getByRole('link', { name: '登录' })).toBeVisible()
      await expect(page.getByText('下载 APP')).toHaveCount(0)
    }
  })

  test('downloads by platform and environment', async () => {
    for (const [agent, store] of [
      ['safari', 'ios'],
      ['android', 'android'],
    ] as const) {
      const { page, left } = await open(withApp, agent, '/')
      await page.getByRole('button', { name: '下载 APP' }).click()
      await expect(page).toHaveURL(`${STORE}/${store}`)
      await expect.poll(() => left).toEqual([`${STORE}/${store}`])
    }
    const chat = await open(withApp, 'wechat', '/')
    await chat.page.getByRole('button', { name: '下载 APP' }).click()
    await expect(chat.page.getByText(MASK)).toBeVisible()
    expect(chat.left).toEqual([])
    const desk = await open(withApp, 'desk', '/')
    await desk.page.getByRole('link', { name: '下载 APP' }).click()
    await expect(desk.page.getByRole('img', { name: 'iOS 下载二维码' })).toBeVisible()
    await expectAccessible(desk.page)
  })
})

test.describe('the download redirect', () => {
  test('opens the store, and Back from it leads on instead of there again', async () => {
    const { page, left } = await open(withApp, 'android', '/download?from=/terms')
    await expect(page).toHaveURL(`${STORE}/android`)
    await page.goBack()
    await expect(page.getByRole('heading', { name: '用户协议' })).toBeVisible()
    await expect.poll(() => left).toEqual([`${STORE}/android`])
  })

  test('leads on after a second when the browser stays', async () => {
    const { page } = await open(withApp, 'android', '/terms')
    // A store that the system opens leaves the page where it is.
    await page.context().route(`${STORE}/**`, (route) => route.fulfill({ status: 204 }))
    await page.goto('/download?from=/terms')
    await expect(page.getByRole('heading', { name: '用户协议' })).toBeVisible()
    await expect.poll(() => pathOf(page)).toBe('/terms')
  })

  test('never leads to another site', async () => {
    for (const from of [
      'https://evil.example/',
      '//evil.example',
      '/%5Cevil.example',
      'javascript:alert(1)',
    ]) {
      const { page, left } = await open(withApp, 'desk', `/download?from=${encodeURIComponent(from)}`)
      await expect(page.getByRole('link', { name: '在浏览器中继续' })).toHaveAttribute('href', '/')
      expect(left).toEqual([])
    }
  })

  test('is no dead end without an app', async () => {
    for (const agent of ['android', 'desk'] as const) {
      const { page } = await open(without, agent, '/download?from=/terms')
      await expect(page.getByRole('heading', { name: '暂时没有可下载的 APP' })).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: '在浏览器中继续' }).click()
      await expect(page.getByRole('heading', { name: '用户协议' })).toBeVisible()
    }
  })
})

test.describe('a link that needs the app', () => {
  test('opens it, and the store after 1.4 s', async () => {
    const { page, left } = await open(withApp, 'android', `/app/invite/${withApp.invite}`)
    await expect(page).toHaveURL(`${STORE}/android`)
    await expect.poll(() => left).toEqual([`hall://invite/${withApp.invite}`, `${STORE}/android`])
  })

  test('leads to the location itself without an app, and on a desk', async () => {
    for (const [server, agent] of [
      [without, 'android'],
      [withApp, 'desk'],
    ] as const) {
      const { page, left } = await open(server, agent, `/app/invite/${server.invite}`)
      await expect(page.getByRole('button', { name: '接受邀请' })).toBeVisible()
      expect(left).toEqual([])
    }
  })
})

test('the page that opens the app, in both themes', async () => {
  const { page } = await open(withApp, 'safari', `/oia?invite=${withApp.invite}`)
  await expect(page.getByRole('link', { name: '下载 APP' })).toBeVisible()
  await look(page, 'oia')
  const guild = await open(withApp, 'safari', `/oia?guild=${withApp.guildId}`, { isLoggedIn: true })
  await expect(guild.page.getByRole('heading', { level: 1 })).toHaveText(withApp.world.guilds[0]!.name)
  const nothing = await open(withApp, 'safari', '/oia?guild=x')
  await nothing.page.getByRole('button', { name: '打开 APP', exact: true }).click()
  await expect(nothing.page.getByText('没有服务器 ID')).toBeVisible()
  expect(nothing.left).toEqual([])
})

test('phones learn which addresses open the app', async () => {
  const read = (server: TestServer, name: string) =>
    fetch(`${server.url}/.well-known/${name}`, { redirect: 'manual' })
  const apple = await read(withApp, 'apple-app-site-association')
  expect([apple.status, apple.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect((await apple.json()).applinks.details[0].appIDs).toEqual(['ABCDE12345.com.example.hall'])
  expect((await read(withApp, 'assetlinks.json')).status).toBe(404)
  expect((await read(without, 'apple-app-site-association')).status).toBe(404)
})
