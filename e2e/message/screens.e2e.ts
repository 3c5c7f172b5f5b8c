/**
 * Every screen in both themes and both languages: passes axe, logs no error, and is saved as a screenshot.
 */
import { addReaction } from '@guildhall/wire/message/action.ts'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { expectFits, restingBox } from '../ask.ts'
import { expectSquare } from '../look.ts'
import { expectAccessible, openBrowser, openPhone, picture, type Theme } from '../phone.ts'

let server: TestServer
let browser: Browser
const tokens = new Map<string, string>()

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
  for (const name of ['member', 'unverified', 'muted', 'outsider'] as const) {
    tokens.set(name, await server.login(name))
  }
})

test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})

interface Screen {
  readonly name: string
  readonly who?: 'member' | 'unverified' | 'muted' | 'outsider'
  readonly path: () => string
  /** Brings the page into the state and waits until it is rendered. */
  readonly until: (page: Page) => Promise<unknown>
  /** The screen is dark in either theme. */
  readonly onlyDark?: boolean
}

const room = (channel: string) => () => `/channels/${server.guildId}/${server.channel(channel)}`
const messageMenu = (page: Page) => page.getByRole('dialog', { name: /的消息$|^Message of/ })
const message = (page: Page) => page.locator('[data-part=message-text]').first().waitFor()

const screens: readonly Screen[] = [
  {
    name: 'invite',
    onlyDark: true,
    path: () => `/invite/${server.invite}`,
    until: (page) => page.getByRole('heading', { name: '深夜电台' }).waitFor(),
  },
  {
    name: 'invite-register',
    onlyDark: true,
    path: () => `/invite/${server.invite}`,
    async until(page) {
      await page.locator('.invite-accept').click()
      await page.locator('input[name=mobile]').waitFor()
      await settled(page)
    },
  },
  {
    name: 'invite-register-wrong',
    onlyDark: true,
    path: () => `/invite/${server.invite}`,
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
  {
    name: 'not-found',
    path: () => '/nowhere',
    until: (page) => page.locator('main[class] h1').waitFor(),
  },
  { name: 'landing', path: () => '/', until: (page) => page.locator('main h1').waitFor() },
  { name: 'login', path: () => '/login', until: (page) => page.locator('input[name=mobile]').waitFor() },
  {
    name: 'login-country',
    path: () => '/login',
    async until(page) {
      await page.locator('form button[aria-haspopup=dialog]').click()
      await page.getByText('+1', { exact: true }).first().waitFor()
      await settled(page)
    },
  },
  {
    name: 'channels',
    who: 'member',
    path: () => `/channels/${server.guildId}`,
    until: (page) => page.locator('[data-part=channel]').first().waitFor(),
  },
  {
    name: 'channels-menu',
    who: 'member',
    path: () => `/channels/${server.guildId}`,
    async until(page) {
      await page.locator('[data-part=user-menu-button]').click()
      await page.getByRole('dialog', { name: /^(我|Me)$/ }).waitFor()
      await settled(page)
    },
  },
  {
    name: 'members',
    who: 'member',
    path: () => `/channels/userlist/${server.guildId}`,
    until: (page) => page.locator('[data-part=member]').first().waitFor(),
  },
  {
    name: 'channels-none',
    who: 'outsider',
    path: () => '/channels/',
    until: (page) => page.locator('[data-part=user-menu-button]').waitFor(),
  },
  { name: 'room', who: 'member', path: room('闲聊'), until: message },
  {
    name: 'room-writing',
    who: 'member',
    path: room('闲聊'),
    async until(page) {
      await message(page)
      await page.locator('[data-part=composer-input]').fill('一行\n两行\n三行\n四行\n五行\n六行')
    },
  },
  {
    name: 'room-reactions',
    who: 'member',
    path: room('闲聊'),
    async until(page) {
      await message(page)
      const row = page.locator('[data-part=message]', { hasText: await reactedTo('👍', '🎉') })
      await row.getByRole('button', { name: /^🎉/ }).waitFor()
      await row.getByRole('button', { name: /^👍/ }).click()
      await row.locator('[data-part=reaction][aria-pressed=true]').waitFor()
    },
  },
  {
    name: 'room-menu',
    who: 'member',
    path: room('闲聊'),
    async until(page) {
      await message(page)
      await hold(page, '[data-part=message] [data-part=message-text] >> nth=-1')
      await settled(page)
      await expect(messageMenu(page).locator('[data-part=quick-emoji]')).toHaveCount(6)
    },
  },
  {
    name: 'room-edit',
    who: 'member',
    path: room('闲聊'),
    async until(page) {
      await page.locator('[data-part=composer-input]').fill('写错了')
      await page.locator('[data-part=send]').click()
      const row = page.locator('[data-part=message]', { hasText: '写错了' }).last()
      await row.waitFor()
      await row.locator('[data-part=message-menu-button]').press('Enter')
      await messageMenu(page)
        .getByRole('button', { name: /^(编辑|Edit)$/ })
        .click()
      await page.locator('[data-part=edit-input]').fill('写对了')
    },
  },
  {
    name: 'room-edited',
    who: 'member',
    path: room('闲聊'),
    async until(page) {
      await page.locator('[data-part=composer-input]').fill('打错')
      await page.locator('[data-part=send]').click()
      const row = page.locator('[data-part=message]', { hasText: '打错' }).last()
      await row.waitFor()
      await row.locator('[data-part=message-menu-button]').press('Enter')
      await messageMenu(page)
        .getByRole('button', { name: /^(编辑|Edit)$/ })
        .click()
      await page.locator('[data-part=edit-input]').fill('改过来了')
      await page.locator('form button[type=submit]', { hasText: /^(保存|Save)$/ }).click()
      const changed = page.locator('[data-part=message]', { hasText: '改过来了' }).last()
      await changed.locator('[data-part=edited]').waitFor()
      await changed.locator('[data-part=message-menu-button]').press('Enter')
      await messageMenu(page).locator('[data-part=danger-item]').click()
      await page
        .getByRole('alertdialog', { name: /^(确定要删除这条消息吗？|Delete this message\?)$/ })
        .waitFor()
      await settled(page)
    },
  },
  {
    name: 'channels-unread',
    who: 'muted',
    path: () => `/channels/${server.guildId}`,
    async until(page) {
      await page.locator('[data-part=channel]').first().waitFor()
      await server.as('member').say(server.channel('闲聊'), '(met)all(met) 开饭了')
      await page.locator('[data-part=channel] [data-part=badge]').waitFor()
    },
  },
  {
    name: 'room-new',
    who: 'muted',
    path: room('闲聊'),
    async until(page) {
      const isRead = page.waitForResponse(/\/messages\/clear/)
      await page.reload()
      await page.locator('[data-part=message-text]').first().waitFor()
      await isRead
      await page.goto('/terms')
      await server.as('member').say(server.channel('闲聊'), '刚刚的新消息')
      await page.goto(room('闲聊')())
      await page.locator('[data-part=new-divider]').waitFor()
    },
  },
  { name: 'room-unverified', who: 'unverified', path: room('闲聊'), until: message },
  { name: 'room-muted', who: 'muted', path: room('闲聊'), until: message },
  {
    name: 'room-empty',
    who: 'member',
    path: room('夜宵'),
    until: (page) => page.locator('[data-part=room-empty]').waitFor(),
  },
]

/** Sends a message with a reaction of somebody else; returns its text. */
async function reactedTo(...emoji: string[]): Promise<string> {
  asked += 1
  const content = `今晚都来吗，第 ${asked} 次问`
  const { id: msg_id } = await server.as('member').say(server.channel('闲聊'), content)
  for (const each of emoji) await server.as('muted').call(addReaction, { msg_id, emoji: each })
  return content
}
let asked = 0

/** A long press: holds a touch until a sheet opens, then ends it. */
async function hold(page: Page, selector: string): Promise<void> {
  const box = await restingBox(page.locator(selector))
  const touches = await page.context().newCDPSession(page)
  const touchPoints = [{ x: box.x + 8, y: box.y + box.height / 2 }]
  await touches.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await messageMenu(page).waitFor()
  await touches.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

/** Waits until the sheet or dialog on top has opened. */
const settled = (page: Page) => restingBox(page.locator('[role=dialog], [role=alertdialog]').last())

const other = { light: 'dark', dark: 'light' } as const

/** The checks of every screen. */
async function expectFine(page: Page, name: string, theme: Theme): Promise<void> {
  await picture(page, name)
  await expectAccessible(page)
  await expectFits(page)
  await expectSquare(page)
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
}

// Each theme is what a page begins with once; the other is then chosen in another tab, for getting to a
// screen takes the longest.
for (const [language, first] of [
  ['zh-CN', 'light'],
  ['en', 'dark'],
] as const)
  for (const screen of screens)
    test(`${screen.name} is accessible and logs no error, in ${language}, in both themes, the ${first} one first`, async () => {
      const theme = screen.onlyDark ? 'dark' : first
      const phone = await openPhone(browser, server.url, {
        theme: first,
        locale: language === 'en' ? 'en-US' : 'zh-CN',
      })
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
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expectFine(page, `${screen.name}-${theme}-${language}`, theme)
      if (!screen.onlyDark) {
        await page.evaluate((it) => {
          localStorage.setItem('theme', it)
          dispatchEvent(new StorageEvent('storage', { key: 'theme' }))
          // The landing page has no script that receives the change.
          document.documentElement.dataset.theme = it
        }, other[theme])
        await expectFine(page, `${screen.name}-${other[theme]}-${language}`, other[theme])
      }
      expect(phone.complaints).toEqual([])
      await phone.close()
    })
