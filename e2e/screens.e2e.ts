/** Every screen, in both themes and both languages: nothing axe objects to, nothing the page complains of, a picture kept. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, openHouse } from '../server/src/testing/house.ts'
import { expectAccessible, openBrowser, openPhone, picture, type Theme } from './phone.ts'

let house: House
let browser: Browser
const tokens = new Map<string, string>()

beforeAll(async () => {
  house = await openHouse()
  browser = await openBrowser()
  for (const name of ['member', 'unverified', 'muted', 'outsider'] as const) {
    tokens.set(name, await house.login(name))
  }
})

afterAll(async () => {
  await browser?.close()
  await house?.close()
})

interface Screen {
  readonly name: string
  readonly who?: 'member' | 'unverified' | 'muted' | 'outsider'
  readonly path: () => string
  /** Brings the page into the state and waits until it is drawn. */
  readonly until: (page: Page) => Promise<unknown>
  /** The landing is dark whatever was chosen. */
  readonly onlyDark?: boolean
}

const room = (channel: string) => () => `/channels/${house.guildId}/${house.channel(channel)}`
const message = (page: Page) => page.locator('.message-words').first().waitFor()

const screens: readonly Screen[] = [
  {
    name: 'invite',
    onlyDark: true,
    path: () => `/invite/${house.invite}`,
    until: (page) => page.getByRole('heading', { name: '深夜电台' }).waitFor(),
  },
  {
    name: 'invite-register',
    onlyDark: true,
    path: () => `/invite/${house.invite}`,
    async until(page) {
      await page.locator('.invite-accept').click()
      await page.locator('input[name=mobile]').waitFor()
      await settled(page)
    },
  },
  {
    name: 'invite-register-wrong',
    onlyDark: true,
    path: () => `/invite/${house.invite}`,
    async until(page) {
      await page.locator('.invite-accept').click()
      await page.locator('input[name=mobile]').fill('123')
      await page.locator('form button[type=submit]').click()
      await page.locator('[aria-invalid=true]').first().waitFor()
      await settled(page)
    },
  },
  {
    name: 'invite-invalid',
    onlyDark: true,
    path: () => '/invite/nobody1',
    until: (page) => page.locator('.invite[data-state=invalid]').waitFor(),
  },
  { name: 'landing', path: () => '/', until: (page) => page.getByRole('main').waitFor() },
  { name: 'login', path: () => '/login', until: (page) => page.locator('input[name=mobile]').waitFor() },
  {
    name: 'login-country',
    path: () => '/login',
    async until(page) {
      await page.locator('.field-prefix').click()
      await page.getByText('+1', { exact: true }).first().waitFor()
      await settled(page)
    },
  },
  {
    name: 'channels',
    who: 'member',
    path: () => `/channels/${house.guildId}`,
    until: (page) => page.locator('.leaf').first().waitFor(),
  },
  {
    name: 'channels-menu',
    who: 'member',
    path: () => `/channels/${house.guildId}`,
    async until(page) {
      await page.locator('.rail-me').click()
      await page.getByRole('dialog').waitFor()
      await settled(page)
    },
  },
  {
    name: 'channels-voice',
    who: 'member',
    path: () => `/channels/${house.guildId}`,
    async until(page) {
      await page.locator('button.leaf').click()
      await page.getByRole('alertdialog').waitFor()
      await settled(page)
    },
  },
  {
    name: 'channels-none',
    who: 'outsider',
    path: () => '/channels/',
    until: (page) => page.locator('.rail-me').waitFor(),
  },
  { name: 'room', who: 'member', path: room('闲聊'), until: message },
  {
    name: 'room-writing',
    who: 'member',
    path: room('闲聊'),
    async until(page) {
      await message(page)
      await page.locator('.composer-input').fill('一行\n两行\n三行\n四行\n五行\n六行')
    },
  },
  { name: 'room-unverified', who: 'unverified', path: room('闲聊'), until: message },
  { name: 'room-muted', who: 'muted', path: room('闲聊'), until: message },
  {
    name: 'room-empty',
    who: 'member',
    path: room('夜宵'),
    until: (page) => page.locator('.room-empty').waitFor(),
  },
]

/** Sheets and dialogs have stopped moving. */
const settled = (page: Page) => page.waitForTimeout(500)

describe.each(['light', 'dark'] as Theme[])('in the %s theme', (theme) => {
  it.each(screens.filter((screen) => theme === 'dark' || !screen.onlyDark))(
    '$name is accessible and quiet, in Chinese and in English',
    async (screen) => {
      for (const language of ['zh-CN', 'en'] as const) {
        const locale = language === 'en' ? 'en-US' : 'zh-CN'
        const phone = await openPhone(browser, house.url, { theme, locale })
        const { page } = phone
        await phone.context.addInitScript(
          ([token, chosen]) => {
            if (token) localStorage.setItem('authorization', token)
            localStorage.setItem('locale', chosen)
          },
          [screen.who ? tokens.get(screen.who)! : '', language] as const,
        )
        await page.goto(screen.path())
        await screen.until(page)
        await picture(page, `${screen.name}-${theme}-${language}`)
        await expectAccessible(page)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
        expect(await page.locator('html').getAttribute('data-theme')).toBe(theme)
        expect(await page.locator('html').getAttribute('lang')).toBe(language)
        expect(phone.complaints).toEqual([])
        await phone.close()
      }
    },
  )
})
