/** What only a browser shows of the keys in lists, of the right button, and of several messages at a desk. */
import { expect, type Page, test } from '@playwright/test'
import { expectDesk, restingBox } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

const fixture = useFixture()

async function enter(): Promise<Page> {
  const { page } = await fixture.open('member', { isDesk: true })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`/channels/${fixture.server.guildId}/${fixture.server.channel('闲聊')}`)
  await page.locator('[data-part=message-text]').first().waitFor()
  await expect(page.locator('[data-part=composer-input]')).toBeFocused()
  await expectDesk(page)
  return page
}

const focused = (page: Page) => page.locator(':focus')

test('few presses of Tab lead from the channels to the composer; in the list keys move, also where rows are drawn anew', async () => {
  const owner = fixture.server.as('owner')
  for (let each = 1; each <= 45; each++) await owner.say(fixture.server.channel('闲聊'), `第 ${each} 句`)
  const page = await enter()
  await page.getByRole('link', { name: '文字频道 闲聊' }).focus()
  const stops: (string | null)[] = []
  while (stops.length < 14 && stops.at(-1) !== 'composer-input') {
    await page.keyboard.press('Tab')
    stops.push(await page.evaluate(() => document.activeElement?.getAttribute('data-part') ?? null))
  }
  expect(stops).toContain('message')
  expect(stops.length).toBeLessThan(12)
  const row = (n: number) => page.locator('[data-part=message]', { hasText: new RegExp(`第 ${n} 句`) })
  await row(45).focus()
  await page.keyboard.press('ArrowUp')
  await expect(row(44)).toBeFocused()
  await expect(row(44)).toHaveAttribute('aria-label', /^小满 .*第 44 句/)
  await look(page, 'desk-row-focused')
  // What is older comes while the row is scrolled away.
  const { promise: isAway, resolve: away } = Promise.withResolvers<void>()
  await page.route(/messages\?.*msgid=/, (route) => isAway.then(() => route.continue()))
  const older = page.waitForResponse(/messages\?.*msgid=/)
  for (let each = 0; each < 34; each++) await page.keyboard.press('ArrowUp')
  await expect(row(10)).toBeFocused()
  await expect(row(10)).toBeInViewport()
  // It is scrolled away and comes back.
  const scroller = page.locator('[data-part=message-scroll]')
  const fromEnd = await scroller.evaluate((it) => it.scrollHeight - it.scrollTop)
  await scroller.evaluate((it) => it.scrollTo(0, it.scrollHeight))
  await expect(row(10)).toHaveCount(0)
  away()
  await older
  await scroller.evaluate((it, height) => it.scrollTo(0, it.scrollHeight - height), fromEnd)
  await expect(row(10)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(row(11)).toBeFocused()
  await page.keyboard.press('End')
  await expect(row(45)).toBeFocused()
  await page.keyboard.press('PageUp')
  await expect(page.locator('[data-part=message]:focus')).not.toContainText('第 45 句')
  await page.keyboard.press('End')
  await expect(row(45)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: '小满 的消息' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row(45)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(focused(page)).toHaveRole('button')
  await page.keyboard.press('ArrowLeft')
  await expect(row(45)).toBeFocused()
})

test('several messages are chosen by Shift, with keys and with the mouse, and deleted after one question', async () => {
  const member = fixture.server.as('member')
  for (const words of ['删一', '删二', '删三', '删四'])
    await member.say(fixture.server.channel('夜宵'), words)
  const page = await enter()
  await page.getByRole('link', { name: '文字频道 夜宵' }).click()
  const row = (words: string) => page.locator('[data-part=message]', { hasText: words })
  await row('删四').focus()
  await page.keyboard.press('Shift+ArrowUp')
  await expect(page.getByText('已选择 2 条')).toBeVisible()
  await expect(row('删三')).toBeFocused()
  await row('删一')
    .locator('[data-part=choose-mark]')
    .click({ modifiers: ['Shift'] })
  await expect(page.getByText('已选择 4 条')).toBeVisible()
  await look(page, 'desk-chosen')
  await page.getByRole('toolbar', { name: '已选择的消息' }).getByRole('button', { name: '删除' }).click()
  await page
    .getByRole('alertdialog', { name: '确定要删除这 4 条消息吗？' })
    .getByRole('button', { name: '删除' })
    .click()
  await expect(row('删一')).toHaveCount(0)
  await expect(row('删四')).toHaveCount(0)
  await expect(page.locator('[data-part=choose-mark]')).toHaveCount(0)
})

test('the right button opens our menu at the pointer; with Shift, on selected text and in a field it is the browser’s', async () => {
  await fixture.server.as('owner').say(fixture.server.channel('闲聊'), '给右键的')
  const page = await enter()
  const ours = page.locator('[role=dialog]')
  const words = page.locator('[data-part=message-text]', { hasText: '给右键的' })
  await words.click({ button: 'right', modifiers: ['Shift'] })
  await expect(ours).toHaveCount(0)
  await words.selectText()
  await words.click({ button: 'right' })
  await expect(ours).toHaveCount(0)
  await page.locator('[data-part=composer-input]').click({ button: 'right' })
  await expect(ours).toHaveCount(0)
  await page.evaluate(() => getSelection()?.removeAllRanges())
  for (const [target, name] of [
    [words, '小满 的消息'],
    [page.getByRole('link', { name: '文字频道 闲聊' }), '闲聊'],
    [page.getByRole('link', { name: /^深夜电台/ }), '深夜电台'],
    [page.locator('[data-part=face]').last(), '成员资料'],
    [page.locator('[data-part=member]').first(), '成员资料'],
  ] as const) {
    await target.click({ button: 'right' })
    const menu = page.getByRole('dialog', { name })
    await expect(menu).toBeVisible()
    const [at, box] = [await restingBox(target), await restingBox(menu)]
    const y = at.y + at.height / 2
    // It hangs from the pointer, or stands on it.
    expect(Math.min(Math.abs(box.y - y), Math.abs(box.y + box.height - y))).toBeLessThan(2)
    await page.keyboard.press('Escape')
    await expect(menu).toHaveCount(0)
  }
})
