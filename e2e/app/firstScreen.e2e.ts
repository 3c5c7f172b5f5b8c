/** The first second: what a page shows before its scripts, before the network, and without it. */
import { myInviteCodes } from '@guildhall/wire/invite/referral.ts'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { pngOf } from '../../server/src/testing/picture.ts'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { atRest, keptIn, restingBox } from '../ask.ts'
import { expectAccessible, openBrowser, openPhone, type Phone, picture } from '../phone.ts'

let server: TestServer
let browser: Browser
let room: string
const phones: Phone[] = []

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
  room = `/channels/${server.guildId}/${server.channel('夜宵')}`
  await say('今晚八点，老地方见')
})

test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test.afterEach(async () => {
  for (const phone of phones.splice(0)) await phone.close()
})

const say = (text: string) => server.as('owner').say(server.channel('夜宵'), text)

/** A phone with a member logged in, or with nobody. */
async function phone(options: Parameters<typeof openPhone>[2] & { isMember?: boolean } = {}): Promise<Phone> {
  const opened = await openPhone(browser, server.url, options)
  phones.push(opened)
  if (options.isMember ?? true) {
    const token = await server.login('member')
    await opened.context.addInitScript((it) => {
      if (!localStorage.getItem('given')) localStorage.setItem('authorization', it)
      localStorage.setItem('given', '1')
    }, token)
  }
  return opened
}

const newest = (page: Page) => page.locator('[data-part=message-text]', { hasText: '今晚八点，老地方见' })
const isSaved = async (page: Page) => Math.min(await keptIn(page, 'pages'), await keptIn(page, 'answers'))

/** A phone that has shown the room and keeps it. */
async function readRoom(): Promise<Phone> {
  const opened = await phone()
  await opened.page.goto(room)
  await newest(opened.page).waitFor()
  await expect.poll(() => isSaved(opened.page)).toBeGreaterThan(0)
  return opened
}

/** Counts how far what is shown moves, from the first paint on. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const it = globalThis as unknown as { shift: number }
    it.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) it.shift += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    // What the page leaves for a second or two later is not of its first screen, however long that takes
    // here.
    const wait = globalThis.setTimeout
    Object.assign(globalThis, {
      setTimeout: (work: () => void, ms = 0, ...rest: []) => (ms < 1_000 ? wait(work, ms, ...rest) : 0),
    })
  })
const shiftOf = (page: Page) =>
  atRest(() => page.evaluate(() => (globalThis as unknown as { shift: number }).shift))

/**
 * The page has put its own elements in the place of those that the server drew: Preact keeps its tree
 * there.
 */
const isDrawnByPage = () => '__k' in document.querySelector('#root')!

test('without scripts the room shows its skeleton, in both themes', async () => {
  const { page } = await phone({ scripts: false, isMember: false })
  for (const [path, name] of [
    [room, 'first-room'],
    [`/channels/${server.guildId}`, 'first-channels'],
    ['/login', 'first-login'],
  ] as const) {
    await page.goto(path)
    const shown = page.locator('#root span[class*=Skeleton_skeleton]:visible')
    await expect(shown.nth(4)).toBeAttached()
    expect((await restingBox(shown.first())).height).toBeGreaterThan(4)
    await picture(page, name)
  }
})

test('a cold room asks for each thing once, shifts nothing, and loads nothing that its page does not name', async () => {
  const { page } = await phone()
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/') || pathname.startsWith('/assets/')) asked.push(pathname + search)
  })
  await watchShifts(page)
  // The gateway stays closed: after a first connection the room is requested again.
  await page.routeWebSocket(/gateway/, () => undefined)
  await page.goto(room)
  await newest(page).waitFor()
  const named = await page.evaluate(
    () => JSON.parse(document.getElementById('preloads')!.textContent!) as string[],
  )
  const calls = () => asked.filter((path) => path.startsWith('/api/') && !path.includes('/clear')).toSorted()
  await expect
    .poll(calls)
    .toEqual(
      [
        '/api/v2/user/user-state',
        `/api/v2/guilds/${server.guildId}`,
        `/api/v2/messages/unread?guild_id=${server.guildId}`,
        `/api/v2/channels/${server.channel('夜宵')}/messages`,
      ].toSorted(),
    )
  const scripts = asked.filter((path) => path.endsWith('.js'))
  expect(scripts.filter((path) => !named.includes(path))).toEqual([])
  expect(new Set(scripts).size).toBe(scripts.length)
  expect(asked.filter((path) => path.endsWith('.css'))).toEqual([])
  expect(await shiftOf(page)).toBeLessThan(0.01)
})

test('a cold list of channels has its face and the last words in places that were kept, at a phone and a desk', async () => {
  for (const isDesk of [false, true]) {
    const { page } = await phone({ isDesk })
    await watchShifts(page)
    await page.routeWebSocket(/gateway/, () => undefined)
    await page.goto(`/channels/${server.guildId}`)
    await expect(page.getByRole('link', { name: '文字频道 夜宵' })).toHaveAccessibleDescription(/^小满：/)
    await expect(page.getByRole('link', { name: '成员列表 1 人在线' })).toBeVisible()
    await expect(page.getByRole('link', { name: /^\d 级 .* 助力公会$/ })).toBeVisible()
    expect(await shiftOf(page)).toBeLessThan(0.01)
  }
})

test('a room that was open is readable while no call is answered, and says that it connects', async () => {
  const { page, context } = await readRoom()
  await page.close()
  const again = await context.newPage()
  await again.route('**/api/**', () => undefined)
  await again.goto(room)
  await newest(again).waitFor()
  await expect(again.getByText('正在连接…')).toBeVisible()
  await expectAccessible(again)
  await picture(again, 'device-room')
  await again.goto(`/channels/${server.guildId}`)
  await expect(again.locator('[data-part=channel]', { hasText: '夜宵' })).toBeVisible()
})

const snapshotIn = (page: Page) => page.evaluate(() => localStorage.getItem('snapshot'))

/** A phone or a desk that has shown the room and keeps what it looks like. */
async function lookAtRoom(isDesk: boolean) {
  const opened = await phone({ isDesk })
  await opened.page.goto(room)
  await newest(opened.page).waitFor()
  await expect.poll(() => snapshotIn(opened.page)).toContain('老地方见')
  return opened
}

test('a room that was open last is readable before any script has come, to whom it was shown alone', async () => {
  for (const isDesk of [false, true]) {
    const { page, context } = await lookAtRoom(isDesk)
    const snapshot = (await snapshotIn(page))!
    await page.close()
    const before = await context.newPage()
    await before.route('**/assets/*.js', () => undefined)
    await before.goto(room, { waitUntil: 'commit' })
    await expect(newest(before)).toBeInViewport()
    await expect(before.locator('#root')).toHaveAttribute('inert')
    await picture(before, `snapshot-room-${isDesk ? 'desk' : 'phone'}`)
    await before.close()

    const other = await context.newPage()
    await other.route('**/assets/*.js', () => undefined)
    await other.goto('/login', { waitUntil: 'commit' })
    await other.evaluate((it) => {
      localStorage.setItem('auth', JSON.stringify({ id: '1' }))
      localStorage.setItem('snapshot', it)
    }, snapshot)
    await other.goto(room, { waitUntil: 'commit' })
    await expect(other.locator('#root [class*=Skeleton_skeleton]').first()).toBeAttached()
    await expect(newest(other)).toHaveCount(0)
    await other.close()
  }
})

test('the page takes the place of what was shown before its scripts, and nothing moves', async () => {
  for (const isDesk of [false, true]) {
    const { page, context } = await lookAtRoom(isDesk)
    await page.close()
    const again = await context.newPage()
    await watchShifts(again)
    await again.goto(room)
    await expect.poll(() => again.evaluate(isDrawnByPage)).toBe(true)
    await expect(newest(again)).toBeInViewport()
    await expect(again.locator('#root')).not.toHaveAttribute('inert')
    await expect(again.locator('[data-part=composer-input]')).toBeEditable()
    expect(await shiftOf(again)).toBeLessThan(0.01)
    await expectAccessible(again)
  }
})

test('what a stranger sees first is drawn by the server, and stays where it is when the page draws it', async () => {
  const { items } = await server.as('owner').call(myInviteCodes)
  for (const [path, name, drawn] of [
    ['/', 'start', '.start-picture'],
    [`/invite/${server.invite}`, 'invite', '.invite-accept'],
    [`/user-invite/${items[0]!.code}`, 'user-invite', '.invite-face'],
  ] as const)
    for (const isDesk of [false, true]) {
      const still = await phone({ scripts: false, isMember: false, isDesk })
      await still.page.goto(path)
      await expect(still.page.locator(drawn)).toBeVisible()
      await picture(still.page, `served-${name}-${isDesk ? 'desk' : 'phone'}`)
      const { page } = await phone({ isMember: false, isDesk })
      await watchShifts(page)
      await page.goto(path)
      await expect.poll(() => page.evaluate(isDrawnByPage)).toBe(true)
      expect(await shiftOf(page)).toBeLessThan(0.01)
      await expectAccessible(page)
    }
})

test('an invite shows the pictures of its guild, and its words stay readable on them', async () => {
  const upload = async (width: number, height: number, colour: string) =>
    (await server.as('owner').upload(await pngOf(width, height, colour), 'a.png')).url
  const [icon, banner] = [await upload(256, 256, '#ff9933'), await upload(1280, 720, '#ffe3c2')]
  const { page } = await phone({ isMember: false })
  for (const [name, look] of [
    ['icon', { icon, banner: '' }],
    ['banner', { icon, banner }],
  ] as const) {
    await server.database.db.updateTable('guild').set(look).where('id', '=', server.guildId).execute()
    await page.goto(`/invite/${server.invite}`)
    const shown = page.locator(name === 'icon' ? '.invite-backdrop' : '.invite-banner')
    await expect.poll(() => shown.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0)
    await expectAccessible(page)
    await picture(page, `invite-${name}`)
  }
})

test('what the device shows is brought up to date as soon as the network answers', async () => {
  const { page, context } = await readRoom()
  await page.close()
  await say('改到九点')
  const again = await context.newPage()
  await again.goto(room)
  await expect(again.locator('[data-part=message-text]', { hasText: '改到九点' })).toBeVisible()
})

test('a logout leaves nothing on the device', async () => {
  const { page } = await readRoom()
  await page.goto(`/channels/${server.guildId}`)
  await page.locator('[data-part=user-menu-button]').click()
  await page
    .getByRole('dialog', { name: '我', exact: true })
    .getByRole('button', { name: '退出登录' })
    .click()
  await page
    .getByRole('alertdialog', { name: '确定要退出登录吗？' })
    .getByRole('button', { name: '退出登录' })
    .click()
  await page.waitForURL((url) => url.pathname === '/')
  await expect.poll(() => isSaved(page)).toBe(0)
})

test('a member who was removed sees nothing of the guild once the network answers', async () => {
  const { page, context } = await readRoom()
  await page.close()
  const again = await context.newPage()
  for (const path of [`**/api/v2/guilds/${server.guildId}`, '**/api/v2/channels/*/messages*'])
    await again.route(path, (route) =>
      route.fulfill({ status: 403, json: { code: 403, message: '', error: 'forbidden' } }),
    )
  await again.goto(room)
  // To `/`, or to the guild, which is refused as well: it depends on which answer comes first.
  await again.waitForURL((url) => url.pathname !== room)
  await expect(newest(again)).toHaveCount(0)
  await expect(again.getByRole('heading', { name: server.world.guilds[0]!.name })).toHaveCount(0)
  await expect.poll(() => isSaved(again)).toBe(0)
  expect(await snapshotIn(again)).toBeNull()
})

test('a page whose script is gone after a deploy loads the newer page, once', async () => {
  const { page } = await phone({ isMember: false })
  let isGone = true
  let loads = 0
  page.on('domcontentloaded', () => {
    loads += 1
  })
  await page.route('**/assets/DocumentScreen-*.js', (route) =>
    isGone ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await page.route('**/terms', async (route) => {
    if (loads > 0) isGone = false
    await route.continue()
  })
  await page.goto('/terms')
  await expect(page.getByRole('heading', { name: '用户协议', level: 1 })).toBeVisible()
  expect(loads).toBe(2)
})

test('a page that cannot load a script without a network stays', async () => {
  const { page } = await phone()
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/GuildsPage'))
  await page.route('**/assets/GuildsPage-*.js', (route) => route.abort())
  await page.route(
    (url) => url.pathname === '/',
    (route) => route.abort(),
  )
  await page.goto(room)
  await newest(page).waitFor()
  await failed
  await expect(newest(page)).toBeVisible()
  expect(loads).toBe(1)
})

test('a room that was opened after a login is kept like any other', async () => {
  const { page } = await phone({ isMember: false })
  const { mobile, password } = server.person('member')
  await page.goto(room)
  await page.waitForURL(/\/login/)
  await page.getByRole('tab', { name: '密码登录' }).click()
  await page.getByLabel('手机号', { exact: true }).fill(mobile)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await newest(page).waitFor()
  await expect.poll(() => isSaved(page)).toBeGreaterThan(0)
})
