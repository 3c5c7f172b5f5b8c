/**
 * The name of an inviter on the landing page: a long one is cut, and one from the right turns nothing around
 * it.
 */
import { renameSelf } from '@guildhall/wire/auth/owner.ts'
import { expect, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'

const fixture = useFixture()

test('a long name of the inviter ends in an ellipsis, in one line above the guild', async () => {
  await fixture.server.as('owner').call(renameSelf, { username: 'W'.repeat(30) })
  const { page } = await fixture.open(undefined)
  await page.goto(`/invite/${fixture.server.invite}`)
  const name = page.locator('.invite-inviter')
  await expect(name).toHaveCSS('unicode-bidi', 'isolate')
  await expect.poll(() => name.evaluate((it) => it.scrollWidth > it.clientWidth)).toBe(true)
  const isOneLine = () =>
    name.evaluate((it) => it.clientHeight < 2 * Number.parseFloat(getComputedStyle(it).fontSize))
  await expect.poll(isOneLine).toBe(true)
  const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  await expect.poll(isWide).toBe(false)
})
