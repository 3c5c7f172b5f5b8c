/**
 * Searching messages: on a phone from the guild's menu and back from the room, at a desk from the switcher.
 */
import { createPrivate } from '@guildhall/wire/chat/chat.ts'
import { expect, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

const fixture = useFixture()

const field = /^(搜索消息|Search messages)$/

test('on a phone: from the menu of a channel to the words, to the message in its room, and back to the results', async () => {
  const { server } = fixture
  const room = server.channel('闲聊')
  for (let each = 1; each <= 30; each += 1) await server.as('owner').say(room, `周末火锅局第 ${each} 场`)
  const page = await fixture.enter('member', `/search?guild=${server.guildId}&channel=${room}`)
  await page.getByText('缩小范围').waitFor()
  await look(page, 'search-start')
  await page.getByRole('searchbox', { name: field }).fill('火鍋')
  await expect(page.locator('[data-part=hit-count]')).toHaveText('30 条')
  await expect(page.locator('[data-part=hit] mark').first()).toHaveText('火锅')
  await look(page, 'search-found')
  await page.getByRole('button', { name: '更多', exact: true }).click()
  await expect(page.locator('[data-part=hit]')).toHaveCount(30)
  await page.locator('[data-part=hit]', { hasText: '第 3 场' }).locator('a').click()
  await expect(page.locator('[data-part=message-text]', { hasText: '第 3 场' })).toBeInViewport()
  await page.goBack()
  await expect(page.locator('[data-part=hit]')).toHaveCount(30)
  await expect(page.locator('[data-part=hit]', { hasText: '第 3 场' })).toBeInViewport()
  await page.getByRole('searchbox', { name: field }).fill('没有人说过的话')
  await page.getByText('没有找到消息').waitFor()
  await look(page, 'search-none')
  await page.getByRole('searchbox', { name: field }).fill('')
  await page.getByRole('button', { name: '火鍋', exact: true }).click()
  await expect(page.locator('[data-part=hit-count]')).toHaveText('30 条')
})

test('at a desk: the switcher ends with the search, and a private message is found and opened', async () => {
  const { server } = fixture
  const page = await fixture.enter('owner', `/channels/${server.guildId}/${server.channel('闲聊')}`, {
    isDesk: true,
    locale: 'en-US',
  })
  await page.locator('[data-part=composer-input]').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to' }).fill('hot pot tonight')
  await page.getByRole('option', { name: 'Search messages for “hot pot tonight”' }).click()
  await page.getByText('No messages found').waitFor()
  await server.as('member').call(createPrivate, {
    target_id: server.idOf('owner'),
    content: 'Hot pot tonight? **19:00**',
  })
  await page
    .getByRole('searchbox', { name: field })
    .fill(`"hot pot" from:${server.person('member').username}`)
  await expect(page.locator('[data-part=hit] mark')).toHaveText('Hot pot')
  await look(page, 'search-desk')
  await page.locator('[data-part=hit] a').click()
  await expect(page.locator('[data-part=message-text]', { hasText: 'Hot pot tonight?' })).toBeVisible()
})
