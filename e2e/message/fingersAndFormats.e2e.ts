/**
 * Real fingers on messages and pictures, and formats in the composer: what scrolls, what is swiped, where the
 * selection is, and what undo brings back.
 */
import { expect, type Page, test } from '@playwright/test'
import { pngOf } from '../../server/src/testing/picture.ts'
import { atRest, expectFits, expectTools, restingBox } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'
import { doubleTap, goBack } from '../phone.ts'

const fixture = useFixture()
const room = (channel: string) => `/channels/${fixture.server.guildId}/${fixture.server.channel(channel)}`
const field = (page: Page) => page.locator('[data-part=composer-input]')
const formats = (page: Page) => page.getByRole('button', { name: '文字格式' })

/** Sends pictures of these sizes as the owner. */
async function sendPictures(channel: string, ...sizes: (readonly [string, number, number])[]) {
  const owner = fixture.server.as('owner')
  for (const [name, width, height] of sizes) {
    const { url } = await owner.upload(await pngOf(width, height), name)
    await owner.say(fixture.server.channel(channel), url, { type: 2 })
  }
}

/** One finger from a point by so many px, in steps. */
async function drag(page: Page, from: { x: number; y: number }, by: { x: number; y: number }) {
  const devtools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part: number) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: from.x + by.x * part, y: from.y + by.y * part }],
    })
  await touch('touchStart', 0)
  for (let step = 1; step <= 10; step++) await touch('touchMove', step / 10)
  await touch('touchEnd', 1)
  await devtools.detach()
}

test('at a desk the keys and the bar format what is chosen, undo takes it back, and emoji are found by name', async () => {
  const page = await fixture.enter('member', room('闲聊'), { isDesk: true })
  await formats(page).waitFor()
  const box = field(page)
  await box.fill('今晚七点')
  await box.selectText()
  await page.keyboard.press('Control+b')
  await expect(box).toHaveValue('**今晚七点**')
  await page.keyboard.press('Control+z')
  await expect(box).toHaveValue('今晚七点')
  await formats(page).click()
  await box.selectText()
  await page.getByRole('button', { name: '剧透' }).click()
  await expect(box).toHaveValue('(spl)今晚七点(spl)')
  await expect(box).toBeFocused()
  await page.getByRole('region', { name: '预览' }).waitFor()
  await box.fill('')
  await box.pressSequentially('走 :火箭')
  await page.getByRole('option', { name: '火箭', exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await expect(box).toHaveValue('走 🚀')
  await page.keyboard.press('Enter')
  await page.locator('[data-part=message-text]').filter({ hasText: '走 🚀' }).waitFor()
  await page.reload()
  await expect(page.getByRole('toolbar', { name: '文字格式' })).toBeVisible()
})

test('on a phone a menu that is opened before the tools of the room have come stays while they come', async () => {
  const page = await fixture.enter('member', room('闲聊'))
  await page.locator('[data-part=message] button[aria-label]').last().press('Enter')
  await page.getByRole('dialog', { name: /的消息$/ }).waitFor()
  await page.evaluate(() => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector('[role=dialog]')?.checkVisibility()) document.body.dataset.vanished = ''
    })
    watch.observe(document.body, { attributes: true, subtree: true, attributeFilter: ['style'] })
  })
  await expectTools(page)
  await expect(page.getByRole('dialog', { name: /的消息$/ })).toBeVisible()
  await expect(page.locator('body')).not.toHaveAttribute('data-vanished')
})

test('on a phone the folded bar costs no line, and opens above the text', async () => {
  const page = await fixture.enter('member', room('闲聊'))
  await formats(page).waitFor()
  const height = () => page.locator('[data-part=composer]').evaluate((it) => it.clientHeight)
  const folded = await atRest(height)
  expect(folded).toBeLessThanOrEqual(62)
  await formats(page).tap()
  await expect.poll(height).toBeGreaterThan(folded)
  await field(page).fill('**七点**')
  await page.getByRole('region', { name: '预览' }).waitFor()
  await expectFits(page)
  await look(page, 'formats-phone')
  await formats(page).tap()
  await field(page).fill('')
  await expect.poll(height).toBe(folded)
})

test('fingers on messages: a swipe replies, two taps react, a scroll scrolls, and the edge leads to the list', async () => {
  const page = await fixture.enter('member', `/channels/${fixture.server.guildId}`)
  await page.getByRole('link', { name: /闲聊/ }).tap()
  await expectTools(page)
  const message = page.locator('[data-part=message]').last()
  const middle = async (x: number) => {
    const { y, height } = await restingBox(message)
    return { x, y: y + height / 2 }
  }
  await drag(page, await middle(300), { x: -120, y: 4 })
  // Not by a tap: the browser takes one that follows a flick for the end of that.
  await page.getByRole('button', { name: '取消回复' }).click()
  await expect(page.getByRole('button', { name: '取消回复' })).toHaveCount(0)
  await doubleTap(page, await middle(200))
  await message.getByRole('button', { name: /👍/ }).waitFor()
  const scroller = page.locator('[data-part=message-scroll]')
  const top = () => scroller.evaluate((it) => it.scrollTop)
  const before = await atRest(top)
  await scroller.evaluate((it) => {
    it.onscrollend = () => it.toggleAttribute('data-still', true)
  })
  await drag(page, { x: 300, y: 300 }, { x: -60, y: 200 })
  await expect.poll(top).toBeLessThan(before)
  await expect(page.getByRole('button', { name: '取消回复' })).toHaveCount(0)
  // A finger that comes down while the list still runs on stops it, and is no drag. On a slow machine it
  // stands between two frames, too.
  await expect(scroller).toHaveAttribute('data-still')
  await drag(page, { x: 6, y: 300 }, { x: 300, y: 4 })
  await page.waitForURL(`**/channels/${fixture.server.guildId}`)
})

test('in the viewer a swipe leads through the pictures of the room, and Back closes it', async () => {
  await sendPictures('夜宵', ['一.png', 1200, 800], ['长.png', 900, 6000], ['三.png', 1200, 800])
  const page = await fixture.enter('member', room('夜宵'))
  await expectTools(page)
  await page.getByRole('button', { name: '图片 三.png' }).tap()
  const shows = (name: string) => page.getByRole('dialog', { name: `图片 ${name}` }).waitFor()
  await shows('三.png')
  await drag(page, { x: 120, y: 420 }, { x: 160, y: 6 })
  await shows('长.png')
  await look(page, 'viewer-room')
  await drag(page, { x: 120, y: 420 }, { x: 160, y: 6 })
  await shows('一.png')
  await goBack(page)
  await expect(page.locator('[role=dialog]')).toHaveCount(0)
  await expect(field(page)).toBeVisible()
})

test('at a desk the keys do so, and a picture is copied as a picture', async () => {
  await sendPictures('公告', ['甲.png', 600, 400], ['乙.png', 600, 400])
  const page = await fixture.enter('member', room('公告'), { isDesk: true })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await expectTools(page)
  await page.getByRole('button', { name: '图片 乙.png' }).click()
  await page.getByRole('dialog', { name: '图片 乙.png' }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('dialog', { name: '图片 甲.png' }).waitFor()
  await page.getByRole('button', { name: '复制图片' }).click()
  const kinds = () =>
    page.evaluate(async () => (await navigator.clipboard.read()).flatMap(({ types }) => types))
  await expect.poll(kinds).toEqual(['image/png'])
  await page.keyboard.press('Escape')
  await expect(page.locator('[role=dialog]')).toHaveCount(0)
})
