/**
 * The oldest browsers that the page is for, `browserslist` of the root package: everything newer is taken
 * away from the scripts.
 */
import type { Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { accountPages, shellPages } from '../../wire/src/pages.ts'
import { aboveFloor, takeAway } from '../aboveFloor.ts'
import { type FixtureOptions, useFixture } from '../fixture.ts'
import { openConsole } from '../staff.ts'

const fixture = useFixture([], { PURCHASE_IN_BROWSER: '1', PAY_SANDBOX: '1' })
const NAMES = aboveFloor()

const WECHAT =
  'Mozilla/5.0 (Linux; Android 10) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/86.0.4240.99 Mobile Safari/537.36 MicroMessenger/8.0.30 WeChat/arm64 Language/zh_CN'

/** Calls that the server could not read: those of an old browser are those of a new one. */
const misread: string[] = []
test.afterEach(() => expect(misread.splice(0)).toEqual([]))

async function openOld(who: 'member' | undefined, options: FixtureOptions = {}): Promise<Page> {
  const { page, context } = await fixture.open(who, options)
  page.on('response', (answer) => {
    if (answer.status() === 400) misread.push(answer.url())
  })
  await context.addInitScript(takeAway, NAMES)
  return page
}

/** The page stands: it says something, and not that something went wrong. */
async function expectShown(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(
    page
      .locator('#root')
      .getByText(/\p{Script=Han}{2}/u)
      .first(),
    path,
  ).toBeVisible()
  await expect(page.locator('[aria-busy=true]'), path).toHaveCount(0)
  await expect(page.getByText(/发生错误|加载失败/), path).toHaveCount(0)
}

test('what is taken away is what those browsers lack', async () => {
  expect(NAMES).toEqual(
    expect.arrayContaining(['Array.at', 'Array.findLast', 'AbortSignal.timeout', 'structuredClone']),
  )
  expect(NAMES).not.toContain('Array.map')
  const page = await openOld(undefined)
  await page.goto('/terms')
  // `at` is there again: the page brought its own.
  const native = await page.evaluate(() => [String(Array.prototype.at), typeof structuredClone])
  expect(native[0]).not.toContain('[native code]')
  expect(native[1]).toBe('undefined')
})

test('every page of somebody who is not logged in stands', async () => {
  const page = await openOld(undefined)
  const { invite } = fixture.server
  for (const path of [
    '/',
    '/login',
    '/forgot',
    '/bindmobile',
    '/terms',
    '/privacy',
    '/licenses',
    '/download',
    '/discover',
    '/home',
    `/invite/${invite}`,
    '/pay?id=x',
    '/payment/successful',
    '/go-wild?url=https%3A%2F%2Fexample.com',
    '/nowhere',
  ])
    await expectShown(page, path)
})

test('every page of a member stands, and they talk', async () => {
  const page = await openOld('member')
  const { guildId } = fixture.server
  const room = `/channels/${guildId}/${fixture.server.channel('闲聊')}`
  // Conversations need somebody to talk with, and have the journeys of their noun.
  const addresses = Object.keys({ ...shellPages, ...accountPages }).filter((it) => !it.startsWith('/chats/'))
  for (const address of addresses) {
    const path = address.replace(':guildId', guildId).replace(':channelId', fixture.server.channel('闲聊'))
    await expectShown(page, path)
  }
  await page.goto(room)
  await page.locator('[data-part=composer] textarea').fill('从旧手机发来')
  await page.getByRole('button', { name: '发送', exact: true }).click()
  await expect(page.getByText('从旧手机发来')).toBeVisible()
  await page.getByRole('button', { name: '表情', exact: true }).click()
  await expect(page.getByRole('gridcell', { name: '嘿嘿' })).toBeVisible()
})

test('what WeChat opens stands', async () => {
  const page = await openOld('member', { userAgent: WECHAT })
  for (const path of [
    '/',
    `/invite/${fixture.server.invite}`,
    '/account/buff',
    '/payment/wechat',
    '/channels/',
  ])
    await expectShown(page, path)
})

test('the console of staff stands', async () => {
  const page = await openConsole(fixture, '/staff')
  await page.context().addInitScript(takeAway, NAMES)
  await expectShown(page, '/staff')
  for (const section of [
    'reports',
    'reviews',
    'words',
    'people',
    'guilds',
    'orders',
    'codes',
    'products',
    'numbers',
    'log',
  ])
    await expectShown(page, `/staff/${section}`)
})

for (const [how, options] of [
  ['without scripts', { scripts: false }],
  ['in a browser that is older', {}],
] as const)
  test(`every page says ${how} what it needs`, async () => {
    const { page, context } = await fixture.open(undefined, options)
    await context.addInitScript(() => Reflect.deleteProperty(Promise, 'any'))
    for (const path of ['/', '/login', '/channels/', '/pay', `/invite/${fixture.server.invite}`, '/staff']) {
      await page.goto(path)
      await expect(page.getByText(/需要 iOS \d+ 或 Chrome \d+ 以上/), path).toBeVisible()
    }
  })

test('in others nothing of that is shown', async () => {
  const { page } = await fixture.open(undefined)
  await page.goto('/login')
  await expect(page.getByText(/需要 iOS/)).toBeHidden()
})
