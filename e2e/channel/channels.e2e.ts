/**
 * The channels of a guild in its settings, as somebody with a phone and somebody with a desk look after them,
 * and what others then see.
 */
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { createChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { expect, type Page, test } from '@playwright/test'
import { restingBox } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

const fixture = useFixture()
const guildId = () => fixture.server.world.guilds[0]!.id
const settings = () => `/guild/settings/${guildId()}/channels`
const order = (page: Page) => page.locator('[data-part=channel-name]')

/** Two categories, the first with two channels; the ids by their names. */
async function twoCategories(suffix: string) {
  const make = async (name: string, more: object = {}) =>
    (
      await fixture.server
        .as('owner')
        .call(createChannel, { guild_id: guildId(), name: `${name}${suffix}`, ...more })
    ).id
  const parent_id = await make('赛事', { is_category: true })
  const plan = await make('排期', { parent_id })
  await make('战报', { parent_id })
  await make('后勤', { is_category: true })
  return { plan }
}
/** The two categories as somebody sees them. */
const treeOf = async (who: 'owner' | 'member', suffix: string) => {
  const { channels } = await fixture.server.as(who).call(viewGuild, { id: guildId() })
  return channels
    .filter(({ is_category, name }) => is_category && name.endsWith(suffix))
    .map((it) => [it.name, ...it.channels.map(({ name }) => name)].join(' '))
}

test('on a phone channels are put in order, and a private one is seen by those who are chosen', async () => {
  const { plan } = await twoCategories('甲')
  const page = await fixture.enter('owner', settings())
  const handle = page.getByRole('button', { name: '移动 战报甲' })
  await handle.press('ArrowUp')
  await expect(handle).toBeFocused()
  await expect.poll(() => treeOf('owner', '甲')).toEqual(['赛事甲 战报甲 排期甲', '后勤甲'])
  await page.getByRole('button', { name: '移动 后勤甲' }).click()
  await look(page, 'channels')
  await page.getByRole('button', { name: '上移 后勤甲' }).click()
  await expect.poll(() => treeOf('owner', '甲')).toEqual(['后勤甲', '赛事甲 战报甲 排期甲'])

  await order(page).getByText('排期甲', { exact: true }).click()
  await page.getByRole('switch', { name: '私密' }).check()
  await expect.poll(() => treeOf('member', '甲')).toEqual(['后勤甲', '赛事甲 战报甲'])
  await page.getByRole('button', { name: '可以看到: 添加角色或成员' }).click()
  await look(page, 'channel-add')
  await page.getByRole('button', { name: '添加 主播' }).click()
  await page.getByRole('button', { name: '关闭' }).click()
  await expect(page.getByRole('button', { name: '移除 主播' })).toBeVisible()
  await expect.poll(() => treeOf('member', '甲')).toEqual(['后勤甲', '赛事甲 战报甲 排期甲'])
  await page.getByRole('button', { name: /主播.*允许/ }).click()
  await look(page, 'channel-rights', 'page')
  const other = await fixture.enter('member', `/channels/${guildId()}/${plan}`)
  await expect(other.getByText('排期甲').first()).toBeVisible()
  await page
    .getByRole('group', { name: /^发送消息/ })
    .getByRole('radio', { name: '禁止' })
    .check()
  await expect(other.getByRole('textbox', { name: '你没有在该频道发送消息的权限' })).toBeVisible()
})

test('on a desk a channel is dragged into another category, others see it live, and it is copied', async () => {
  await twoCategories('乙')
  const page = await fixture.enter('owner', settings(), { isDesk: true })
  const other = await fixture.enter('admin', settings(), { isDesk: true, locale: 'en-US' })
  await expect(order(other).getByText('战报乙', { exact: true })).toBeVisible()
  const handle = page.getByRole('button', { name: '移动 战报乙' })
  await handle.scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: '移动 后勤乙' }).scrollIntoViewIfNeeded()
  const from = await restingBox(handle)
  const to = await restingBox(page.getByRole('button', { name: '移动 后勤乙' }))
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 6 })
  await page.mouse.up()
  await expect.poll(() => treeOf('owner', '乙')).toEqual(['赛事乙 排期乙', '后勤乙 战报乙'])
  await expect(order(other).filter({ hasText: '乙' })).toHaveText(['赛事乙', '排期乙', '后勤乙', '战报乙'])
  await look(page, 'channels-desk')
  await look(other, 'channels-desk-en')

  await order(other).getByText('战报乙', { exact: true }).click()
  await other.getByRole('button', { name: 'Sync with the category' }).click()
  await look(other, 'channel-sync')
  const question = other.getByRole('alertdialog', { name: 'Sync with the category?' })
  await question.getByRole('button', { name: 'Sync', exact: true }).click()
  await expect(other.getByText(/Rights are those of the category/)).toBeVisible()
  await look(other, 'channel-desk-en', 'page')
  await other.getByRole('button', { name: /^Copy the channel/ }).click()
  await expect.poll(() => treeOf('owner', '乙')).toHaveLength(2)
  await expect(order(page).getByText('战报乙 copy', { exact: true })).toBeVisible()
})
