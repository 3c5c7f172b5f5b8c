/** Private conversations on phones: opening, talking, editing, reacting, two devices, offline, blocked. */
import { createPrivate } from '@guildhall/wire/chat/chat.ts'
import { blockPerson, unblockPerson } from '@guildhall/wire/friend/friend.ts'
import type { Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import type { PersonName } from '../../server/src/demo/world.ts'
import { expectFits } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'
import { expectAccessible, picture } from '../phone.ts'

const fixture = useFixture(['WebSocket'])
const { enter } = fixture
const withPerson = (who: PersonName) => `/chats/with/${fixture.server.person(who).id}`
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const composer = (page: Page) => page.locator('[data-part=composer-input]')
const message = (page: Page, text: string) => page.locator('[data-part=message]', { hasText: text })
async function say(page: Page, text: string) {
  await composer(page).fill(text)
  await button(page, '发送').click()
}

test('a conversation that does not exist, and one with a stranger, say what to do instead', async () => {
  const page = await enter('member', `/chats/${'0'.repeat(32)}`)
  await page.getByText('打不开这个私信').waitFor()
  await expectAccessible(page)
  await page.goto(withPerson('outsider'))
  await page.getByText('它可能不存在，或你们没有共同的公会，也不是好友').waitFor()
  await page.getByRole('link', { name: '回到私信列表' }).click()
  await page.getByText('还没有私信').waitFor()
  await picture(page, 'chats-none')
  await expectAccessible(page)
})

test('two people talk: messages, an answer, an edit, a reaction and a deletion arrive at once, and on a second device', async () => {
  const left = await enter('member', `/channels/${fixture.server.guildId}/${fixture.server.channel('闲聊')}`)
  const right = await enter('owner', '/channels/', { theme: 'dark' })
  // From a person's card into the conversation.
  await left.getByText(fixture.server.person('owner').username, { exact: true }).first().click()
  await left.getByRole('link', { name: '发消息' }).click()
  await left.getByText(`你和 ${fixture.server.person('owner').username} 的私信`).waitFor()
  await say(left, '**在吗**')
  await message(left, '在吗').waitFor()

  await expect(right.locator('[data-part=chats]')).toContainText('1 条未读')
  await right.locator('[data-part=chats]').click()
  const row = right.locator('[data-part=chat]', { hasText: fixture.server.person('member').username })
  await expect(row).toContainText('在吗')
  await picture(right, 'chats-dark')
  await expectAccessible(right)
  await row.getByRole('link', { name: fixture.server.person('member').username }).click()
  await expect(message(right, '在吗').locator('strong')).toHaveText('在吗')
  const second = await enter('owner', right.url())
  await message(second, '在吗').waitFor()
  await say(right, '在的')
  await message(left, '在的').waitFor()
  await message(second, '在的').waitFor()

  await message(left, '在吗').locator('[data-part=message-text]').click({ button: 'right' })
  await button(left, '编辑').click()
  await left.getByRole('textbox', { name: '编辑消息' }).fill('睡了吗')
  await button(left, '保存').click()
  for (const page of [left, right, second]) await message(page, '睡了吗').waitFor()

  await message(right, '睡了吗').locator('[data-part=message-text]').click({ button: 'right' })
  await right.locator('[data-part=quick-emoji]', { hasText: '👍' }).click()
  for (const page of [left, second]) await expect(message(page, '睡了吗')).toContainText('👍')
  await picture(right, 'chat-dark')
  await picture(left, 'chat')
  await expectAccessible(left)
  await expectAccessible(right)

  await message(right, '在的').locator('[data-part=message-text]').click({ button: 'right' })
  await button(right, '回复').waitFor()
  await expect(button(right, '复制消息链接')).toHaveCount(0)
  await button(right, '删除').click()
  await right
    .getByRole('alertdialog', { name: '确定要删除这条消息吗？' })
    .getByRole('button', { name: '删除' })
    .click()
  for (const page of [left, right, second]) await expect(message(page, '在的')).toHaveCount(0)
  // Read on one device is read on the other.
  await second.goto('/chats')
  await expect(second.locator('[data-part=chat]')).not.toContainText('条未读')
})

test('what was said while one was offline arrives once and in order, and the own words are sent', async () => {
  const left = await enter('member', withPerson('admin'))
  const right = await enter('admin', withPerson('member'))
  await say(right, '开始')
  await message(left, '开始').waitFor()
  await left.context().setOffline(true)
  await composer(left).fill('我在隧道里')
  await button(left, '发送').click()
  for (const n of [1, 2, 3]) {
    await say(right, `第${n}句`)
    await message(right, `第${n}句`).waitFor()
  }
  await left.context().setOffline(false)
  await message(right, '我在隧道里').waitFor()
  for (const n of [1, 2, 3]) await message(left, `第${n}句`).waitFor()
  for (const page of [left, right])
    await expect(page.locator('[data-part=message-text]')).toHaveText([
      '开始',
      '第1句',
      '第2句',
      '第3句',
      '我在隧道里',
    ])
})

test('a picture is sent, and stays readable for the two alone', async () => {
  const left = await enter('owner', withPerson('admin'))
  const right = await enter('admin', withPerson('owner'))
  const shot = await left.screenshot({ clip: { x: 0, y: 0, width: 60, height: 40 } })
  await left
    .locator('input[data-attach]')
    .setInputFiles({ name: '合影.png', mimeType: 'image/png', buffer: shot })
  await expect(left.locator('[data-part=attachment][data-state=done]')).toHaveCount(1)
  await button(left, '发送').click()
  const shown = right.getByRole('button', { name: '图片 合影.png' }).locator('img')
  await expect.poll(() => shown.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0)
})

test('a block closes the composer of both, and says why to the one who blocks', async () => {
  const left = await enter('member', withPerson('owner'))
  const right = await enter('owner', withPerson('member'))
  for (const page of [left, right]) await expect(composer(page)).toBeEnabled()
  await fixture.server.as('member').call(blockPerson, { user_id: fixture.server.person('owner').id })
  await expect(left.getByText('你已屏蔽对方，解除屏蔽后才能发消息')).toBeVisible()
  await expect(composer(left)).toHaveCount(0)
  await composer(right).fill('喂')
  await button(right, '发送').click()
  await expect(right.getByText('不能给对方发私信').first()).toBeVisible()
  await fixture.server.as('member').call(unblockPerson, { user_id: fixture.server.person('owner').id })
})

for (const locale of ['zh-CN', 'en-US'] as const)
  test(`the list and the room are accessible and fit, in ${locale}`, async () => {
    await fixture.server.as('owner').call(createPrivate, {
      target_id: fixture.server.person('member').id,
      content: 'hi',
    })
    const page = await enter('member', '/chats', { locale })
    await page.locator('[data-part=chat]').first().waitFor()
    await look(page)
    await page.goto(withPerson('owner'))
    await composer(page).waitFor()
    await message(page, 'hi').first().waitFor()
    await look(page)
    for (const width of [360, 390, 900, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      await expectFits(page)
    }
  })
