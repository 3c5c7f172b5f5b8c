/** The account and the first pages at a desk: what stands beside what, all of it on the screen. */
import { expect, test } from '@playwright/test'
import { expectFits, restingBox } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

const fixture = useFixture()

for (const [width, locale, account, bill, product] of [
  [900, 'en-US', 'My account', 'Bill', /What a guild looks like/],
  [1920, 'zh-CN', '我的账号', '账单', /一个公会的样子/],
] as const)
  test(`at ${width} px the list of the account stands beside its pages, and the landing page in two parts`, async () => {
    const { page } = await fixture.open(undefined, { isDesk: true, locale })
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/')
    const shown = page.getByRole('img', { name: product })
    const [name, beside] = [await restingBox(page.locator('h1')), await restingBox(shown)]
    expect(beside.x).toBeGreaterThanOrEqual(name.x + name.width)
    await look(page, `desk-landing-${width}`)
    await expectFits(page)
    const token = await fixture.server.login('member')
    await page.evaluate((it) => localStorage.setItem('authorization', it), token)
    await page.goto('/account')
    const list = page.getByRole('navigation', { name: account })
    await look(page, `desk-account-${width}`)
    await list.getByRole('link', { name: bill }).click()
    await expect(list.locator('[aria-current]')).toHaveText(bill)
    const title = page.getByRole('heading', { level: 1, name: bill })
    // The list makes room when the page beside it is there.
    const right = await restingBox(title)
    const left = await restingBox(list)
    expect(right.x).toBeGreaterThanOrEqual(left.x + left.width)
    await look(page, `desk-bill-${width}`)
    await expectFits(page)
  })
