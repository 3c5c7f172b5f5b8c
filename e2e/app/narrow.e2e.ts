/** Every page on the narrowest phone that is common, in both languages: no label breaks. */
import { expect, type Page, test } from '@playwright/test'
import { accountPages, shellPages } from '../../wire/src/pages.ts'
import { useFixture } from '../fixture.ts'
import { expectOneLine } from '../look.ts'
import { openConsole } from '../staff.ts'

const fixture = useFixture([], { PURCHASE_IN_BROWSER: '1', PAY_SANDBOX: '1' })

const NARROW = { width: 360, height: 780 }

/** A page waits more than it works: so many are opened at the same time. */
const TABS = 8

/** The page is there, and nothing stands in place of what is still loading. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForFunction(
    () =>
      document.querySelector('main, [role=main]') &&
      !document.querySelector('[aria-busy=true], [class*=Skeleton_], [role=status]:has([class*=Spinner_])'),
  )
}

/** Where packages are sold: the chosen one decides the sum on the button, and whether it can be given. */
const SHOP: readonly string[] = ['/account/buff', '/account/golive']

/** English is the longer language; Chinese, too, has labels that are longer than their button. */
async function expectLabelsFit(first: Page, paths: readonly string[]): Promise<void> {
  const tabs = [first]
  while (tabs.length < TABS) tabs.push(await first.context().newPage())
  for (const tab of tabs) await tab.setViewportSize(NARROW)
  for (const locale of ['en', 'zh-CN']) {
    await first.evaluate((it) => localStorage.setItem('locale', it), locale)
    const left = [...paths]
    const askAll = async (tab: Page) => {
      for (let path = left.shift(); path !== undefined; path = left.shift()) {
        await open(tab, path)
        await expectOneLine(tab, `${path} in ${locale}`)
        if (!SHOP.includes(path)) continue
        for (const choice of ['first', 'last'] as const) {
          await tab.locator('[data-part=package]')[choice]().click()
          await expectOneLine(tab, `${path} in ${locale}, ${choice} package`)
        }
      }
    }
    await Promise.all(tabs.map(askAll))
  }
}

test('labels fit for somebody who is not logged in', async () => {
  const { page } = await fixture.open(undefined)
  await page.goto('/')
  await expectLabelsFit(page, [
    '/',
    '/login',
    '/forgot',
    '/bindmobile',
    '/terms',
    '/licenses',
    '/download',
    '/discover',
    '/home',
    `/invite/${fixture.server.invite}`,
    '/pay?id=x',
    '/payment/wechat',
    '/payment/successful',
    '/go-wild?url=https%3A%2F%2Fexample.com',
    '/common/jumpapp',
    '/buff-refund-info',
    '/nowhere',
  ])
})

test('labels fit for the owner of a guild', async () => {
  const { guildId } = fixture.server
  const page = await fixture.enter('owner', `/guild/settings/${guildId}`)
  const sections = page.locator('main a[href*="/guild/settings/"]')
  await expect(sections.first()).toBeVisible()
  const paths = await sections.evaluateAll((all) => all.map((it) => it.getAttribute('href') ?? ''))
  const pages = Object.keys({ ...shellPages, ...accountPages })
    // Conversations need somebody to talk with, and look like rooms.
    .filter((it) => !it.startsWith('/chats/') && !it.includes(':section'))
    .map((it) => it.replace(':guildId', guildId).replace(':channelId', fixture.server.channel('闲聊')))
  await expectLabelsFit(page, [...new Set([...pages, ...paths])])
})

test('labels fit for staff', async () => {
  const page = await openConsole(fixture, '/staff', { isDesk: false, locale: 'en-US' })
  const paths = ['reports', 'reviews', 'words', 'people', 'guilds', 'orders', 'codes', 'products', 'log']
  await expectLabelsFit(page, ['/staff', ...paths.map((it) => `/staff/${it}`)])
})
