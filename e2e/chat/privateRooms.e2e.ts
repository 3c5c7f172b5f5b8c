/**
 * Private conversations, further: who may have one, the list, the room with everything in it, two devices, a
 * lost network, blocks.
 */
import { createPrivate } from '@guildhall/wire/chat/chat.ts'
import type { Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import type { PersonName } from '../../server/src/demo/world.ts'
import { atRest, expectFits } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { expectAccessible, picture } from '../phone.ts'

const fixture = useFixture(['WebSocket'])

const enter = (who: PersonName, path = '/chats', options?: Parameters<typeof fixture.enter>[2]) =>
  fixture.enter(who, path, options)
const withPerson = (who: PersonName) => `/chats/with/${fixture.server.person(who).id}`
const nameOf = (who: PersonName) => fixture.server.person(who).username
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const field = (page: Page) => page.locator('[data-part=composer-input]')
const messages = (page: Page) => page.locator('[data-part=message]')
const texts = (page: Page) => page.locator('[data-part=message-text]')
const row = (page: Page, who: PersonName) => page.locator('[data-part=chat]', { hasText: nameOf(who) })
/** The link of a row of the list. */
const linkTo = (page: Page, who: PersonName) => row(page, who).getByRole('link', { name: nameOf(who) })
/** The last question before a deletion. */
const asksToDelete = (page: Page) => page.getByRole('alertdialog', { name: '确定要删除这条消息吗？' })
async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await button(page, '发送').click()
}

test('there is no conversation with a stranger, with oneself or with nobody, and the page says so', async () => {
  for (const path of [withPerson('outsider'), withPerson('member'), '/chats/with/4294967295']) {
    const page = await enter('member', path)
    await expect(page.getByText('打不开这个私信')).toBeVisible()
  }
  const page = await enter('member', `/chats/${'0'.repeat(32)}`)
  await expect(page.getByText('打不开这个私信')).toBeVisible()
  await page.goto('/chats')
  await page.getByText('还没有私信').waitFor()
  await expectAccessible(page)
  await picture(page, 'rooms-empty')
})

test('two people write, quote, react, edit and delete; each sees it at once, and the list and the rail count', async () => {
  const asker = await enter('member', withPerson('owner'))
  await asker.waitForURL(/\/chats\/[0-9a-f]{32}$/)
  await asker.getByText('这里的消息只有你们两人能看到').waitFor()
  const rail = await enter('owner', '/channels/', { theme: 'dark' })
  await say(asker, '在吗，想问个 **问题**')
  await rail.getByRole('link', { name: /私信 1 条未读/ }).click()
  await expect(row(rail, 'member')).toContainText('在吗，想问个 问题')
  await expect(row(rail, 'member')).toContainText('1 条未读')
  await expectAccessible(rail)
  await picture(rail, 'chats-dark')
  await linkTo(rail, 'member').click()
  await expect(texts(rail)).toHaveText(['在吗，想问个 问题'])
  await say(rail, '在的')
  await expect(texts(asker)).toHaveText(['在吗，想问个 问题', '在的'])

  await messages(rail).first().click({ button: 'right' })
  await button(rail, '回复').click()
  await say(rail, '什么问题')
  await expect(messages(asker)).toHaveCount(3)
  await expect(messages(asker).last()).toContainText('在吗')

  await messages(asker).last().click({ button: 'right' })
  await asker.getByRole('dialog', { name: /的消息$/ }).waitFor()
  await expectAccessible(asker)
  await picture(asker, 'chat-menu')
  await asker.locator('[data-part=quick-emoji]').first().click()
  await expect(messages(rail).last()).toContainText('1')

  await messages(asker).first().click({ button: 'right' })
  await button(asker, '编辑').click()
  await asker.locator('[data-part=edit-input]').fill('在吗，想请教一下')
  await button(asker, '保存').click()
  await expect(texts(rail).first()).toContainText('在吗，想请教一下')
  await picture(asker, 'chat')
  await picture(rail, 'chat-dark')
  await expectAccessible(asker)
  await expectAccessible(rail)

  await messages(rail).nth(1).click({ button: 'right' })
  await button(rail, '删除').click()
  await asksToDelete(rail).getByRole('button', { name: '删除' }).click()
  await expect(messages(asker)).toHaveCount(2)
  await asker.reload()
  await expect(messages(asker)).toHaveCount(2)
  await expect(messages(asker).last()).toContainText('什么问题')
})

test('what is read on one device is read on the other', async () => {
  const desk = await enter('owner', '/chats', { isDesk: true })
  const phone = await enter('owner')
  const other = await enter('member', withPerson('owner'))
  await say(other, '两台设备')
  for (const page of [desk, phone]) await expect(row(page, 'member')).toContainText('1 条未读')
  await linkTo(phone, 'member').click()
  await texts(phone).last().waitFor()
  await expect(row(desk, 'member')).toContainText('两台设备')
  await expect(row(desk, 'member')).not.toContainText('未读')
  // What one device sends, the other shows.
  await linkTo(desk, 'member').click()
  await say(phone, '我在手机上')
  await expect(texts(desk).last()).toHaveText('我在手机上')
  await expect(row(desk, 'member')).toContainText('我：我在手机上')
  await picture(desk, 'chats-desk')
  await expectAccessible(desk)
})

test('without a network messages wait, and afterwards both have all of them once and in order', async () => {
  const lost = await enter('admin', withPerson('owner'))
  const there = await enter('owner', withPerson('admin'))
  await say(lost, '一')
  await expect(texts(there)).toHaveText(['一'])
  await lost.context().setOffline(true)
  await say(lost, '二')
  await say(lost, '三')
  await say(there, '四')
  await say(there, '五')
  await lost.context().setOffline(false)
  for (const page of [lost, there]) await expect(texts(page)).toHaveCount(5)
  const order = await atRest(() => texts(there).allTextContents())
  expect(new Set(order).size).toBe(5)
  await expect(texts(lost)).toHaveText(order)
})

test('a hidden conversation comes back with the next message', async () => {
  await fixture.server.as('admin').call(createPrivate, {
    target_id: fixture.server.person('owner').id,
    content: '先来一句',
  })
  const page = await enter('owner')
  await row(page, 'admin').click({ button: 'right' })
  await row(page, 'admin')
    .getByRole('button', { name: `${nameOf('admin')}：更多操作` })
    .press('Enter')
  await button(page, '从列表中移除').click()
  await expect(row(page, 'admin')).toHaveCount(0)
  const other = await enter('admin', withPerson('owner'))
  await say(other, '我又来了')
  await expect(row(page, 'admin')).toContainText('我又来了')
})

test('who is blocked cannot write, and both still read; unblocked, they write again', async () => {
  const blocker = await enter('member', withPerson('owner'))
  const blocked = await enter('owner', withPerson('member'))
  await say(blocker, '先说一句')
  await texts(blocked).last().waitFor()
  await button(blocker, nameOf('owner')).first().click()
  await picture(blocker, 'chat-person')
  await expectAccessible(blocker)
  await button(blocker, '屏蔽').click()
  await blocker
    .getByRole('alertdialog', { name: /^确定要屏蔽/ })
    .getByRole('button', { name: '屏蔽' })
    .click()
  await blocker.getByText('你已屏蔽对方').waitFor()
  await picture(blocker, 'chat-blocked')
  await expectAccessible(blocker)
  await say(blocked, '听得到吗')
  await expect(blocked.getByText(/不能给对方发私信/).first()).toBeVisible()
  await blocked.reload()
  await expect(blocked.getByText(/你现在不能给对方发消息/)).toBeVisible()
  await texts(blocked).last().waitFor()
  await button(blocker, '解除屏蔽').click()
  await say(blocker, '好了')
  await expect(texts(blocked).filter({ hasText: '好了' })).toBeVisible()
  await expect(field(blocked)).toBeVisible()
})

for (const locale of ['zh-CN', 'en-US'] as const)
  test(`list and room fit from 360 to 1280 px, in ${locale}`, async () => {
    await fixture.server.as('member').call(createPrivate, {
      target_id: fixture.server.person('owner').id,
      content: '很长很长的一段话'.repeat(30),
    })
    const page = await enter('owner', '/chats', { locale, theme: locale === 'en-US' ? 'dark' : 'light' })
    await linkTo(page, 'member').waitFor()
    const expectFitsEach = async () => {
      for (const width of [360, 390, 899, 900, 1280]) {
        await page.setViewportSize({ width, height: 844 })
        await expectFits(page)
      }
    }
    await expectFitsEach()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    await picture(page, `chats-list-${locale}`)
    await linkTo(page, 'member').click()
    await texts(page).last().waitFor()
    await expectFitsEach()
    await expectAccessible(page)
    await picture(page, `chats-desk-${locale}`)
  })
