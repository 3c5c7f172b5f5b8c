/** Boost packs and redeem codes, as people use them. */
import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectFits } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'
import { expectAccessible } from '../phone.ts'

const fixture = useFixture()

/** How far the middle of a thing is from that of what it lies in, px. */
const distanceFromMiddle = (it: Locator) =>
  it.evaluate((element) => {
    const box = element.getBoundingClientRect()
    const around = element.parentElement!.getBoundingClientRect()
    return Math.abs(box.left + box.width / 2 - around.left - around.width / 2)
  })

test(`packs are used on a guild, whose level line follows`, async () => {
  const page = await fixture.enter('member', '/account/boost')
  await expect(page.getByText('未使用的助力包')).toBeVisible()
  await look(page)
  await page.getByRole('button', { name: '立即使用' }).click()
  await page.getByRole('searchbox', { name: '搜索公会' }).fill('深夜')
  await page.getByRole('button', { name: /深夜电台/ }).click()
  await page.getByRole('button', { name: '增加' }).click()
  await page.getByRole('button', { name: '确认使用' }).click()
  await expect(page.getByText('助力成功')).toBeVisible()
  await page.goto(`/guild/boost/${fixture.server.guildId}`)
  await expect(page.getByRole('progressbar', { name: '等级进度' })).toHaveAttribute('aria-valuetext', /3 级/)
  await look(page)
})

test('outside of the app, where nothing may be sold in a browser, it says to open the app', async () => {
  const page = await fixture.enter('member', '/account/boost')
  await page.getByRole('button', { name: '购买助力包' }).click()
  await expect(page.getByText(/请在 ?APP ?内打开/)).toBeVisible()
  expect(await fixture.server.command<unknown[]>('order list')).toEqual([])
})

/** Labels of the chart that lie on each other, in pairs. */
const overlapping = (page: Page) =>
  page.locator('[data-part=chart-label]').evaluateAll((labels) => {
    const boxes = labels.flatMap((label) => {
      const range = document.createRange()
      range.selectNodeContents(label)
      const { left, right, top, bottom } = range.getBoundingClientRect()
      const cell = label.parentElement!.getBoundingClientRect()
      // What is cut off is not seen.
      const end = getComputedStyle(label).overflowX === 'hidden' ? Math.min(right, cell.right) : right
      return label.textContent ? [{ text: label.textContent, left, right: end, top, bottom }] : []
    })
    return boxes.flatMap((one, at) =>
      boxes
        .slice(at + 1)
        .filter(
          (other) =>
            Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5 &&
            Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2,
        )
        .map((other) => [one.text, other.text]),
    )
  })

test('who manages a guild sees its days, as a table too; who is no member sees neither', async () => {
  const status = `/guild/boost-status/${fixture.server.guildId}`
  const page = await fixture.enter('owner', `/guild/boost/${fixture.server.guildId}`)
  await page.getByRole('link', { name: '助力详情' }).click()
  await expect(page).toHaveURL(new RegExp(status))
  await expect(page.getByRole('button', { name: /今天/ })).toHaveAttribute('aria-pressed', 'true')
  for (const width of [360, 1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expectFits(page)
    await expect.poll(() => overlapping(page)).toEqual([])
  }
  const days = page.getByRole('table', { name: '每天的助力包数量' })
  await expect(days.getByRole('row', { name: /\d/ }).nth(20)).toBeAttached()
  // The oldest packs of the demo end in four days.
  await page.locator('[aria-pressed]').nth(4).click()
  await expect(page.locator('[aria-pressed]').nth(4)).toHaveAttribute('aria-pressed', 'true')
  // A day at the end comes to the middle as well, so that it stays chosen.
  const strip = page.getByRole('toolbar', { name: '日期' })
  const all = strip.getByRole('button', { name: /级/ })
  for (const day of [all.last(), all.first(), all.nth(1)]) {
    await day.click()
    await expect(day).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(() => distanceFromMiddle(day)).toBeLessThan(2)
    await expect(day).toHaveAttribute('aria-pressed', 'true')
  }
  await strip.hover()
  await page.mouse.wheel(10_000, 0)
  await expect(all.last()).toHaveAttribute('aria-pressed', 'true')
  await strip.hover()
  await page.mouse.wheel(-10_000, 0)
  await expect(page.getByRole('button', { name: /今天/ })).toHaveAttribute('aria-pressed', 'true')
  await look(page)
  const other = await fixture.enter('outsider', status)
  await expect(other.getByText('你不在这个公会里')).toBeVisible()
})

test('a code is filled in by its address, redeemed once, and refused the second time', async () => {
  const products = await fixture.server.command<{ id: number; name: string }[]>('product list')
  const month = products.find(({ name }) => name === 'BUFF 月卡')!
  const { codes } = await fixture.server.command<{ codes: string[] }>(
    `coupon create --product ${month.id} --count 1`,
  )
  const page = await fixture.enter('outsider', `/cdk?code=${codes[0]}`)
  const field = page.getByRole('textbox', { name: '请输入兑换码' })
  await expect(field).toHaveValue(codes[0]!.replaceAll('-', ''))
  await expectAccessible(page)
  await page.getByRole('button', { name: '兑换' }).click()
  await expect(
    page.getByRole('alertdialog', { name: '兑换成功' }).getByText('兑换成功，获得 BUFF 月卡'),
  ).toBeVisible()
  await page.getByRole('button', { name: '知道了' }).click()
  await expect(field).toHaveValue('')
  await expect(page.getByRole('button', { name: '兑换' })).toBeDisabled()
  await field.fill(codes[0]!)
  await page.getByRole('button', { name: '兑换' }).click()
  await expect(page.getByText('兑换码已被使用')).toBeVisible()
})
