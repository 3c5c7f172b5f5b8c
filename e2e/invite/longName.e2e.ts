/** The name of an inviter on the landing page: a long one is cut, and one from the right turns nothing around it. */
import { renameSelf } from '@guildhall/wire/auth/owner.ts'
import type { Browser } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { openBrowser, openPhone } from '../phone.ts'

let server: TestServer
let browser: Browser

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test('a long name of the inviter ends in an ellipsis, in one line above the guild', async () => {
  await server.as('owner').call(renameSelf, { username: 'W'.repeat(30) })
  const phone = await openPhone(browser, server.url)
  await phone.page.goto(`/invite/${server.invite}`)
  const name = phone.page.locator('.invite-inviter')
  await expect(name).toHaveCSS('unicode-bidi', 'isolate')
  await expect.poll(() => name.evaluate((it) => it.scrollWidth > it.clientWidth)).toBe(true)
  const isOneLine = () =>
    name.evaluate((it) => it.clientHeight < 2 * Number.parseFloat(getComputedStyle(it).fontSize))
  await expect.poll(isOneLine).toBe(true)
  const isWide = () => phone.page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  await expect.poll(isWide).toBe(false)
  await phone.close()
})
