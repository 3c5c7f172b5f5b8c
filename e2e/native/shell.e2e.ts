/**
 * Pages inside of the reference shell, and shells that answer late, wrongly, twice or not at all.
 * docs/native.md.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type FrameLocator, type Page, test } from '@playwright/test'
import { clickAway, expectFits, expectStored } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { expectAccessible, picture } from '../phone.ts'

// The refusal of a foreign frame is what one journey is about.
const fixture = useFixture(['frame-ancestors', 'Refused to display'])

type Opened = { page: Page; inside: FrameLocator }

/**
 * Opens a page in the reference shell; `settings` are those of its form. Nobody is logged in unless there is
 * a token.
 */
async function openShell(
  path: string,
  settings: Record<string, string> = {},
  {
    before,
    ...options
  }: Parameters<typeof fixture.open>[1] & { before?: (page: Page) => Promise<void> } = {},
): Promise<Opened> {
  const { page } = await fixture.open(undefined, { isDesk: true, ...options })
  await before?.(page)
  await page.goto(`/dev/shell?${new URLSearchParams({ path, purchase: 'success', ...settings })}`)
  return { page, inside: page.frameLocator('#frames iframe:not([hidden])') }
}

const bar = (page: Page) => page.locator('[data-part=native-bar]')
const stored = (page: Page, key: string) => page.evaluate((it) => localStorage.getItem(it), key)
const row = (inside: FrameLocator, call: string) => inside.locator(`[data-call=${call}]`)
/** The button that runs a call. */
const runs = (inside: FrameLocator, call: string) =>
  inside.getByRole('button', { name: `测试 ${call}`, exact: true })

test('somebody who is logged in in the app is on the page, in the app’s theme and language', async () => {
  const token = await fixture.server.login('member')
  const { page, inside } = await openShell('/channels/', { token, theme: 'dark', language: 'en-US' })
  await inside.locator('[data-part=user-menu-button]').waitFor()
  await expect(inside.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(inside.locator('html')).toHaveAttribute('lang', 'en')
  await expectStored(page, 'authorization', token)
  await picture(page, 'shell-channels')
})

test('without a token nobody is logged in, and what another person has left is gone', async () => {
  const token = await fixture.server.login('owner')
  const sent: string[] = []
  const { page, inside } = await openShell(
    '/channels/',
    {},
    {
      before: async (it) => {
        await it.goto('/terms')
        await it.evaluate((left) => {
          localStorage.setItem('authorization', left)
          localStorage.setItem('drafts', '{"7":"unsent"}')
        }, token)
        it.on('request', (request) => request.headers().authorization === token && sent.push(request.url()))
      },
    },
  )
  await inside.getByRole('link', { name: '登录' }).first().waitFor()
  await expectStored(page, 'authorization', null)
  await expectStored(page, 'drafts', null)
  expect(sent).toEqual([])
})

test('a logout in the page lasts, also on its next pages, until the app names another login', async () => {
  const token = await fixture.server.login('member')
  const { page, inside } = await openShell('/channels/', { token })
  await inside.locator('[data-part=user-menu-button]').click()
  await inside
    .getByRole('dialog', { name: '我', exact: true })
    .getByRole('button', { name: '退出登录' })
    .click()
  await inside
    .getByRole('alertdialog', { name: '确定要退出登录吗？' })
    .getByRole('button', { name: '退出登录' })
    .click()
  await expectStored(page, 'authorization', null)
  await page.frames()[1]!.evaluate(() => location.assign('/channels/'))
  await inside.getByRole('link', { name: '登录' }).first().waitFor()
  await expectStored(page, 'authorization', null)
  await page.locator('input[name=token]').fill(await fixture.server.login('owner'))
  await page.getByRole('button', { name: '隐藏再显示' }).click()
  await expect.poll(() => stored(page, 'authorization')).not.toBeNull()
})

test('a token that the server refuses ends on the landing page, once', async () => {
  const { page, inside } = await openShell('/channels/', { token: 'dead' })
  await inside.getByRole('link', { name: '登录' }).first().waitFor()
  await expectStored(page, 'authorization', null)
  await page.getByRole('button', { name: '隐藏再显示' }).click()
  await expect(page.locator('#log')).toContainText('"event":"on_webview_show"')
  await expect(page.locator('#log li', { hasText: 'get_app_config' })).toHaveCount(2)
  await inside.getByRole('link', { name: '登录' }).first().waitFor()
})

test('who logs in in the app meanwhile is on the page when it is shown again', async () => {
  const { page, inside } = await openShell('/channels/')
  await inside.getByRole('link', { name: '登录' }).first().waitFor()
  await page.locator('input[name=token]').fill(await fixture.server.login('member'))
  await page.locator('select[name=theme]').selectOption('dark')
  await page.getByRole('button', { name: '隐藏再显示' }).click()
  await expect(inside.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect.poll(() => stored(page, 'authorization')).not.toBeNull()
})

test('another token of the same person keeps the page as it is', async () => {
  const { page, inside } = await openShell('/channels/', { token: await fixture.server.login('member') })
  await inside.locator('[data-part=user-menu-button]').waitFor()
  await expect.poll(() => stored(page, 'auth')).not.toBeNull()
  await page.frames()[1]!.evaluate(() => Object.assign(window, { isKept: true }))
  const next = await fixture.server.login('member')
  await page.locator('input[name=token]').fill(next)
  await page.getByRole('button', { name: '隐藏再显示' }).click()
  await expectStored(page, 'authorization', next)
  await inside.locator('[data-part=user-menu-button]').waitFor()
  await expect.poll(() => page.frames()[1]!.evaluate(() => 'isKept' in window)).toBe(true)
})

test('an accepted invite shows the guild in the app, and a guest is led to the app’s login', async () => {
  const token = await fixture.server.login('member')
  const { page, inside } = await openShell(`/invite/${fixture.server.invite}`, { token })
  await inside.getByRole('button', { name: /接受邀请|进入公会/ }).click()
  await page.getByText(`APP 显示公会 ${fixture.server.guildId}`).waitFor()
  await page.locator('input[name=token]').fill('')
  await page.getByRole('button', { name: '打开', exact: true }).click()
  await inside.getByRole('button', { name: '接受邀请' }).click()
  await expect.poll(() => stored(page, 'pending_join')).toContain(fixture.server.guildId)
})

test('by itself it shows who is logged in their guilds; what opens another page is on the first screen of a phone', async () => {
  for (const [locale, open] of [
    ['zh-CN', '打开'],
    ['en-US', 'Open'],
  ] as const) {
    const page = await fixture.enter('member', '/dev/shell', { locale })
    const inside = page.frameLocator('#frames iframe:not([hidden])')
    await inside.locator('[data-part=user-menu-button]').waitFor()
    await expect(page.getByRole('button', { name: open, exact: true })).toBeInViewport()
    await expectFits(page)
    await expectAccessible(page)
  }
})

test('a slow answer is waited for', async () => {
  const token = await fixture.server.login('member')
  const { page, inside } = await openShell('/channels/', { token, first: 'slow' })
  await inside.getByRole('heading', { name: '正在连接 APP…' }).waitFor()
  await picture(page, 'shell-wait')
  await inside.locator('[data-part=user-menu-button]').waitFor()
})

test('a wrong answer makes a plain page, which asks the app for nothing', async () => {
  const { page, inside } = await openShell('/common/jumpapp', { token: 'T', first: 'wrong' })
  await inside.getByRole('heading', { name: '没有 APP 回应' }).waitFor()
  await expectStored(page, 'authorization', null)
  await expect(page.locator('#log li', { hasText: '"call"' })).toHaveCount(1)
})

test('of a doubled answer the first counts', async () => {
  const token = await fixture.server.login('member')
  const { inside } = await openShell('/common/jumpapp', { token, first: 'doubled', others: 'doubled' })
  await runs(inside, 'buy_produce_vip').click()
  await expect(row(inside, 'buy_produce_vip')).toContainText('通过')
  await expect(row(inside, 'buy_produce_vip')).toContainText('success')
})

test('without an answer the page is a plain one after ten seconds', async () => {
  const { page, inside } = await openShell(
    '/common/jumpapp',
    { first: 'missing' },
    { before: (it) => it.clock.install() },
  )
  await expect(page.locator('#log')).toContainText('get_app_config')
  await page.clock.runFor(500)
  await inside.getByRole('heading', { name: '正在连接 APP…' }).waitFor()
  await page.clock.runFor(3_500)
  await inside.getByText('APP 还没有回应').waitFor()
  await expectAccessible(page)
  await page.clock.runFor(6_500)
  await inside.getByRole('heading', { name: '没有 APP 回应' }).waitFor()
})

test('a call without an answer is red after its time, and the page goes on', async () => {
  const { page, inside } = await openShell(
    '/common/jumpapp',
    { others: 'missing' },
    { before: (it) => it.clock.install() },
  )
  await expect(page.locator('#log')).toContainText('get_app_config')
  await page.clock.runFor(1_000)
  await runs(inside, 'get_page_data').click()
  await expect(row(inside, 'get_page_data')).toContainText('等待回应')
  await page.clock.runFor(5_500)
  await expect(row(inside, 'get_page_data')).toContainText('失败')
  await expect(row(inside, 'get_page_data')).toContainText('timeout')
})

test('a shell author reads every call of the contract, green or red', async () => {
  const token = await fixture.server.login('member')
  const { page, inside } = await openShell('/common/jumpapp', { token, without: 'prize_animate' })
  await inside.getByRole('button', { name: '运行自动测试' }).click()
  for (const call of ['get_app_config', 'get_page_data', 'hide_navigation_bar', 'show_navigation_bar'])
    await expect(row(inside, call)).toContainText('通过')
  await expect(row(inside, 'prize_animate')).toContainText('未提供')
  await expect(row(inside, 'get_app_config')).not.toContainText(token)
  for (const call of [
    'upload_file',
    'buy_produce_boost',
    'buy_produce_golive',
    'present_pop',
    'present_golive',
  ]) {
    await runs(inside, call).click()
    await expect(row(inside, call)).toContainText('通过')
  }
  await page.locator('select[name=purchase]').selectOption('refused')
  await runs(inside, 'buy_produce_vip').click()
  await expect(row(inside, 'buy_produce_vip')).toContainText('付款被拒绝')
  await page.locator('select[name=others]').selectOption('wrong')
  await runs(inside, 'present_pop').click()
  await expect(row(inside, 'present_pop')).toContainText('失败')
  await page.locator('select[name=others]').selectOption('at once')
  await picture(page, 'shell-conformance')
  await expectAccessible(page)

  await bar(page).getByRole('button', { name: '测试' }).click()
  await expect(row(inside, 'on_click_navigation_right')).toContainText('收到 1 次')
  await bar(page).getByRole('button', { name: '返回' }).click()
  await expect(row(inside, 'on_click_navigation_left')).toContainText('收到 1 次')
  await runs(inside, 'new_page').click()
  await expect(page.locator('iframe')).toHaveCount(2)
  await runs(inside, 'get_page_data').click()
  await expect(row(inside, 'get_page_data')).toContainText('conformance')
  await clickAway(
    inside.getByRole('button', { name: '关闭网页' }),
    expect(page.locator('iframe')).toHaveCount(1),
  )
  await expect(row(inside, 'on_webview_show')).toContainText('收到 1 次')
})

test('the navigation bar turns red, and closing leaves to the app', async () => {
  const { page, inside } = await openShell('/common/jumpapp')
  await inside.getByRole('button', { name: '导航栏变红' }).click()
  await expect(bar(page)).toHaveCSS('background-color', 'rgb(198, 43, 58)')
  await clickAway(inside.getByRole('button', { name: '关闭网页' }), page.getByText('页面已关闭').waitFor())
})

test('a screen with a bar of its own has no second one, and the way back of others leads back, then out', async () => {
  const token = await fixture.server.login('member')
  const { page, inside } = await openShell('/channels/', { token })
  await inside.locator('[data-part=user-menu-button]').waitFor()
  await expect(bar(page)).toBeVisible()
  await inside.getByRole('link', { name: '成员列表' }).click()
  await expect(bar(page)).toBeHidden()
  await inside.getByRole('button', { name: '返回' }).click()
  await expect(bar(page)).toBeVisible()
})

test('a forged answer or event from another frame changes nothing', async () => {
  const { page, inside } = await openShell('/common/jumpapp', { others: 'missing' })
  await runs(inside, 'buy_produce_vip').click()
  await expect(row(inside, 'buy_produce_vip')).toContainText('等待回应')
  // A frame beside it, of the same origin: only the framing page is the shell. Then the page itself.
  await page.evaluate(async () => {
    const beside = Object.assign(document.createElement('iframe'), { src: '/terms' })
    const loaded = new Promise((done) => beside.addEventListener('load', done))
    document.body.append(beside)
    await loaded
  })
  for (const frame of page.frames().slice(1))
    await frame.evaluate(async () => {
      const target = window.parent.frames[0]!
      const heard = new Promise((done) =>
        target.addEventListener('message', ({ data }) => data === 'last' && done(0)),
      )
      for (let id = 1; id < 20; id += 1)
        target.postMessage(JSON.stringify({ id, result: { status: 'success' } }), '*')
      target.postMessage(JSON.stringify({ event: 'on_webview_show', data: {} }), '*')
      target.postMessage('last', '*')
      await heard
    })
  await expect(row(inside, 'buy_produce_vip')).toContainText('等待回应')
  await expect(row(inside, 'on_webview_show')).not.toContainText('收到')
})

test('a page of another origin cannot frame any page', async () => {
  const foreign = createServer((_request, reply) => {
    reply.setHeader('content-type', 'text/html')
    reply.end(`<title>x</title><iframe src="${fixture.server.url}/common/jumpapp"></iframe>`)
  })
  await new Promise<void>((done) => foreign.listen(0, '127.0.0.1', done))
  try {
    const { page } = await fixture.open(undefined)
    await page.goto(`http://localhost:${(foreign.address() as AddressInfo).port}/`)
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
  } finally {
    foreign.close()
  }
})
