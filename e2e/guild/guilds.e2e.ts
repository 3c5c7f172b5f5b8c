/** A guild of one's own: creating it, inviting others, joining by a pasted link, notifications, leaving. */
import { history, sendToChannel } from '@guildhall/wire/message/message.ts'
import type { Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import type { PersonName } from '../../server/src/demo/world.ts'
import { atRest, expectFits, expectFlash } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'
import { expectAccessible, picture } from '../phone.ts'

const fixture = useFixture()

const enter = (
  who: PersonName,
  path = `/channels/${fixture.server.guildId}`,
  options?: Parameters<typeof fixture.enter>[2],
) => fixture.enter(who, path, options)

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const addButton = (page: Page) => button(page, '创建或加入公会')
const guildMenu = (page: Page) => button(page, '公会菜单')

test('a guild without a name, or with something else as its icon, is not created, and the form says why', async () => {
  const page = await enter('member')
  await addButton(page).click()
  await button(page, /^创建公会/).click()
  await button(page, '完成').click()
  await expect(page.getByText('请输入公会名称')).toBeVisible()
  const text = { name: 'words.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
  await page.locator('input[type=file]').setInputFiles(text)
  await expect(page.getByText('这不是图片，或图片已损坏')).toBeVisible()
  await expectAccessible(page)
})

test('whose number is not verified creates none, and learns why', async () => {
  const page = await enter('unverified')
  await addButton(page).click()
  await button(page, /^创建公会/).click()
  await page.getByLabel('公会名称').fill('未验证')
  await button(page, '完成').click()
  await expect(page.getByText('请先完成手机验证，再创建公会')).toBeVisible()
})

test('a pasted text that is no invite, and an invite that is over, are refused under the field', async () => {
  const page = await enter('outsider', '/channels/')
  await page.getByText('还没有加入公会').waitFor()
  await picture(page, 'guilds-none')
  await expectAccessible(page)
  await page
    .getByRole('main')
    .filter({ hasText: '还没有加入公会' })
    .getByRole('button', { name: '创建或加入公会' })
    .click()
  await button(page, /^加入公会/).click()
  for (const [typed, why] of [
    ['', '请输入邀请链接或邀请码'],
    ['https://example.org/', '请输入邀请链接或邀请码'],
    [`${fixture.server.url}/invite/NOSUCH1`, '邀请无效'],
  ] as const) {
    await page.getByLabel('邀请链接或邀请码').fill(typed)
    await button(page, /^加入公会$/).click()
    await expect(page.getByText(why, { exact: true }).last()).toBeVisible()
  }
})

test('somebody creates a guild with an icon, a friend joins by the pasted link, they talk, and the friend leaves', async () => {
  const owner = await enter('member')
  await addButton(owner).click()
  await button(owner, /^创建公会/).waitFor()
  await picture(owner, 'guild-add')
  await expectAccessible(owner)
  await button(owner, /^创建公会/).click()
  const icon = await owner.screenshot({ clip: { x: 0, y: 0, width: 200, height: 300 } })
  await owner
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: icon })
  await owner.getByLabel('公会名称').fill('周三读书')
  await owner.locator('form img').waitFor()
  await picture(owner, 'guild-create')
  await expectAccessible(owner)
  await button(owner, '完成').dblclick()
  const link = owner.locator('[data-part=invite-link]', { hasText: /^http/ })
  await link.waitFor()
  const url = (await atRest(() => link.textContent()))!
  await button(owner, '显示二维码').click()
  await owner.getByRole('img', { name: '邀请链接的二维码' }).waitFor()
  await picture(owner, 'guild-created')
  await expectAccessible(owner)
  await owner.getByLabel('可用次数').selectOption('1')
  await expect(link).not.toHaveText(url)
  await button(owner, '进入公会').click()
  await owner.getByRole('heading', { name: '周三读书' }).waitFor()
  await expect(owner.getByRole('link', { name: '周三读书' })).toHaveCount(1)
  await owner.getByRole('link', { name: /综合/ }).click()
  await owner.getByPlaceholder('发送消息到 #综合').waitFor()

  const friend = await enter('outsider', '/channels/')
  await friend
    .getByRole('navigation', { name: '我的公会' })
    .getByRole('button', { name: '创建或加入公会' })
    .click()
  await button(friend, /^加入公会/).click()
  await friend.getByLabel('邀请链接或邀请码').fill(` ${url} `)
  await button(friend, /^加入公会$/).click()
  await friend.getByPlaceholder('发送消息到 #综合').fill('我来了')
  await button(friend, '发送').click()
  await owner.locator('[data-part=message-text]', { hasText: '我来了' }).waitFor()

  await friend.goBack()
  await guildMenu(friend).click()
  await picture(friend, 'guild-menu')
  await expectAccessible(friend)
  await button(friend, '退出公会').click()
  await expect(friend.getByText('退出后将看不到这里的消息，再次加入需要邀请')).toBeVisible()
  await friend
    .getByRole('alertdialog', { name: /^确定要退出/ })
    .getByRole('button', { name: '退出公会' })
    .click()
  await friend.getByText('还没有加入公会').waitFor()
})

test('the short address of an invite opens its page', async () => {
  const page = await enter('outsider', `/${fixture.server.invite}`)
  await button(page, '接受邀请').waitFor()
  await expect(page).toHaveURL(`${fixture.server.url}/invite/${fixture.server.invite}`)
})

test('a quiet channel shows no unread messages, on another device neither, and a guild is marked as read', async () => {
  const page = await enter('member')
  const second = await enter('member')
  const say = (content: string) =>
    fixture.server.as('owner').call(sendToChannel, { id: fixture.server.channel('夜宵'), content })
  const leaf = (on: Page) => on.locator('[data-part=channel]', { hasText: '夜宵' })
  await leaf(second).waitFor()
  await button(page, '频道 夜宵 的菜单').focus()
  await page.keyboard.press('Enter')
  await button(page, '消息通知').click()
  await picture(page, 'channel-notify')
  await expectAccessible(page)
  await page.getByRole('radio', { name: '不通知' }).click()
  for (const on of [page, second]) await expect(leaf(on)).toContainText('不通知')
  await say('嘘')
  await say('安静')
  for (const on of [page, second]) await expect(leaf(on)).not.toHaveAttribute('data-unread')

  await button(page, '频道 夜宵 的菜单').focus()
  await page.keyboard.press('Enter')
  await button(page, '消息通知').click()
  await page.getByRole('radio', { name: '跟随公会设置' }).click()
  for (const on of [page, second]) await expect(leaf(on)).toHaveAttribute('data-unread')
  await guildMenu(page).click()
  await button(page, '全部标为已读').click()
  for (const on of [page, second]) await expect(leaf(on)).not.toHaveAttribute('data-unread')
})

for (const locale of ['zh-CN', 'en-US'] as const)
  test(`the sheets are accessible, in ${locale}`, async () => {
    const zh = locale === 'zh-CN'
    const page = await enter('owner', undefined, { locale })
    await button(page, zh ? '公会菜单' : 'Guild menu').click()
    await look(page)
    // The owner of a guild does not leave it.
    await expect(button(page, zh ? '退出公会' : 'Leave guild')).toHaveCount(0)
    await button(page, zh ? '邀请好友' : 'Invite friends').click()
    await page.locator('[data-part=invite-link]', { hasText: /^http/ }).waitFor()
    await look(page, `guild-invite-${locale}`)
    // Last, as a wide window goes on to the room that was open last.
    for (const width of [360, 390, 900, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      await expectFits(page)
    }
  })

test('a message’s link opens it, however far back, and a message is forwarded to another channel', async () => {
  const main = fixture.server.channel('闲聊')
  const say = (content: string, to = main) =>
    fixture.server.as('owner').call(sendToChannel, { id: to, content })
  await say('很久以前的一句话')
  for (let n = 0; n < 15; n++) await say(`后来的第 ${n} 句`)
  const page = await enter('member', `/channels/${fixture.server.guildId}/${main}`, { theme: 'dark' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const old = page.locator('[data-part=message]', { hasText: '很久以前的一句话' })
  const open = async () => {
    await old.locator('[data-part=message-text]').click({ button: 'right' })
    await page.getByRole('dialog', { name: /的消息$/ }).waitFor()
  }
  await open()
  await picture(page, 'message-menu-dark')
  await button(page, '复制消息链接').click()
  await expect(page.getByText('消息链接已复制')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(new RegExp(`/channels/${fixture.server.guildId}/${main}\\?m=[0-9a-f-]{36}$`))

  await open()
  await button(page, '转发').click()
  await page.getByRole('heading', { name: '频道' }).waitFor()
  await button(page, '夜宵').waitFor()
  // Nobody but the team writes in a read-only channel.
  await expect(button(page, '公告')).toHaveCount(0)
  await picture(page, 'forward-dark')
  await expectAccessible(page)
  await button(page, '夜宵').click()
  await button(page, '发送').last().dblclick()
  await expect(page.getByText('已转发给 #夜宵')).toBeVisible()
  const [sent] = await fixture.server.as('owner').call(history, {
    id: fixture.server.channel('夜宵'),
    page_size: 1,
  })
  expect(sent?.content).toBe('很久以前的一句话')

  for (let n = 0; n < 70; n++) await say(`再后来的第 ${n} 句`)
  const { page: reader } = await fixture.open('admin')
  await expectFlash(reader, '很久以前的一句话', () =>
    reader.goto(new URL(link).pathname + new URL(link).search),
  )
  await expect.poll(() => new URL(reader.url()).search).toBe('')
})
