/** Members report from the product's menus; staff compare, act and decide in the console. Decision 81. */
import { deleteMessage, updateMessage } from '@guildhall/wire/message/action.ts'
import { createReport } from '@guildhall/wire/report/report.ts'
import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import type { PersonName } from '../../server/src/demo/world.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'
import { expectAccessible, picture } from '../phone.ts'
import { openConsole } from '../staff.ts'

const fixture = useFixture(['Failed to load resource'])

const room = () => `/channels/${fixture.server.guildId}/${fixture.server.channel('闲聊')}`
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const sheet = (page: Page) => page.getByRole('dialog', { name: /^举报/ })

const say = async (who: PersonName, content: string, type = 9): Promise<string> =>
  (await fixture.server.as(who).say(fixture.server.channel('闲聊'), content, { type })).id
const report = (who: PersonName, kind: string, id: string, category: string, text = '') =>
  fixture.server.as(who).call(createReport, { kind, id, category, words: text })

async function uploaded(who: PersonName): Promise<string> {
  const art = '<svg width="320" height="200"><rect width="100%" height="100%" fill="#e76f51"/></svg>'
  return (await fixture.server.as(who).upload(await sharp(Buffer.from(art)).png().toBuffer(), 'a.png')).url
}

async function openMenu(page: Page, text: string): Promise<void> {
  await page
    .locator('[data-part=message]', { hasText: text })
    .locator('[data-part=message-text]')
    .click({ button: 'right' })
  await page.getByRole('dialog', { name: /的消息$/ }).waitFor()
}

test(`a message is reported from its menu: refusals, offline, then received; not one’s own`, async () => {
  await say('admin', `加微信领红包`)
  await say('member', `我自己说的`)
  const page = await fixture.enter('member', room())
  await openMenu(page, `我自己说的`)
  await expect(button(page, '举报')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await openMenu(page, `加微信领红包`)
  await button(page, '举报').click()
  await expect(sheet(page)).toContainText(fixture.server.person('admin').username)
  await button(page, '提交举报').click()
  await expect(sheet(page).getByRole('alert').filter({ hasText: '请选择一个问题' })).toBeVisible()
  await sheet(page).getByLabel('欺诈骗钱').check()
  await sheet(page).getByLabel('补充说明（选填）').fill('让我加微信，说是领红包')
  await look(page, 'report')
  await page.context().setOffline(true)
  await button(page, '提交举报').click()
  await expect(sheet(page).getByRole('alert').filter({ hasText: '网络' })).toBeVisible()
  await page.context().setOffline(false)
  await button(page, '提交举报').click()
  await expect(sheet(page).getByText('已收到举报')).toBeVisible()
  await look(page, 'report-received')
  await button(page, '完成').click()
  await expect(sheet(page)).toHaveCount(0)
})

test('a person, a guild and somebody of a private conversation are reported from their menus', async () => {
  const page = await fixture.enter('member', room(), { locale: 'zh-CN' })
  await say('owner', '点开我的头像')
  const from = page.locator('[data-part=message]', { hasText: '点开我的头像' })
  await from
    .getByRole('button', { name: fixture.server.person('owner').username })
    .first()
    .click()
  await button(page, '举报').click()
  await sheet(page).getByLabel('辱骂骚扰').check()
  await button(page, '提交举报').click()
  await expect(sheet(page).getByText('已收到举报')).toBeVisible()
  await button(page, '完成').click()
  // The card is still there, below.
  await expect(page.getByRole('dialog', { name: '成员资料' })).toBeVisible()
  await picture(page, 'report-entry-person')

  await page.goto(`/channels/${fixture.server.guildId}`)
  await button(page, '公会菜单').click()
  await picture(page, 'report-entry-guild')
  await button(page, '举报').click()
  await sheet(page).getByLabel('违法违规').check()
  await button(page, '提交举报').click()
  await expect(sheet(page).getByText('已收到举报')).toBeVisible()
  await button(page, '完成').click()

  await page.goto(`/chats/with/${fixture.server.person('admin').id}`)
  // Their name stands beside the mark of BUFF, which they have.
  const name = new RegExp(`^${fixture.server.person('admin').username} ?(BUFF 会员)?$`)
  await page.getByRole('button', { name }).click()
  await picture(page, 'report-entry-chat')
  await button(page, '举报').click()
  await expect(sheet(page)).toContainText(fixture.server.person('admin').username)
  await sheet(page).getByLabel('垃圾广告').check()
  await button(page, '提交举报').click()
  await expect(sheet(page).getByText('已收到举报')).toBeVisible()
})

test('staff see what was said beside what is there now, delete the message, close the case, and reporters are told', async () => {
  await say('owner', '今晚八点开麦')
  const id = await say('admin', '加微信 abc123 领红包')
  const shot = await say('admin', await uploaded('admin'), 2)
  await report('member', 'message', id, 'fraud', '骗子，让我转账')
  await report('muted', 'message', id, 'spam')
  await fixture.server.as('admin').call(updateMessage, { msg_id: id, content: '大家晚上好' })
  await report('member', 'message', shot, 'sexual')
  await fixture.server.as('admin').call(deleteMessage, { msg_id: shot })

  const page = await openConsole(fixture, '/staff/reports')
  const table = page.getByRole('table', { name: '待处理' })
  await expect(table.getByRole('row', { name: /垃圾广告.*欺诈骗钱/ })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'staff-reports-list-desk')
  const name = `${fixture.server.person('admin').username} 的消息`
  await table
    .getByRole('row', { name: /垃圾广告.*欺诈骗钱/ })
    .getByRole('link', { name })
    .click()
  const seen = page.getByRole('region', { name: '举报时' })
  await expect(seen.getByText('加微信 abc123 领红包')).toBeVisible()
  await expect(seen.getByText('今晚八点开麦')).toBeVisible()
  await expect(page.getByRole('region', { name: '现在' })).toContainText('已被修改')
  await expect(page.getByRole('region', { name: '现在' })).toContainText('大家晚上好')
  await expect(page.getByRole('table', { name: '举报（2）' })).toContainText('骗子，让我转账')
  await expectAccessible(page)
  await picture(page, 'staff-report-desk', 'page')

  const search = page.getByRole('region', { name: '搜索此处的消息' })
  await search.getByLabel('搜索内容').fill('开麦')
  await search.getByRole('button', { name: '查询' }).click()
  await expect(search.getByText('请填写原因，至少 4 个字')).toBeVisible()
  await expect(search.getByLabel('搜索原因')).toBeFocused()
  await search.getByLabel('搜索原因').fill('核实举报')
  await page.keyboard.press('Enter')
  await expect(search.getByText('找到 1 条消息')).toBeVisible()
  await expect(search.getByRole('list', { name: '找到的消息' }).locator('mark')).toHaveText('开麦')
  await look(page, 'staff-report-search')

  await button(page, '删除消息').click()
  const asks = page.getByRole('alertdialog', { name: '删除这条消息？' })
  await asks.getByRole('button', { name: '删除消息' }).click()
  await expect(asks.getByRole('alert').filter({ hasText: '请填写原因' })).toBeVisible()
  await asks.getByLabel('原因').fill('诈骗')
  await asks.getByRole('button', { name: '删除消息' }).click()
  await expect(page.getByRole('region', { name: '现在' })).toContainText('已被删除')
  await expect(page.getByRole('table', { name: '工作人员对其的操作' })).toContainText('诈骗')

  const rival = await openConsole(fixture, new URL(page.url()).pathname)
  await rival.getByRole('button', { name: '已处理，关闭举报' }).waitFor()
  await button(page, '已处理，关闭举报').click()
  const closes = page.getByRole('alertdialog', { name: '认定违规并关闭？' })
  await closes.getByLabel('原因').fill('诈骗，已删除')
  await closes.getByRole('button', { name: '已处理，关闭举报' }).click()
  await expect(page.getByText('诈骗，已删除').first()).toBeVisible()
  await rival.getByRole('button', { name: '未违规' }).click()
  const dismisses = rival.getByRole('alertdialog', { name: '认定没有违规？' })
  await dismisses.getByLabel('原因').fill('看起来没问题')
  await dismisses.getByRole('button', { name: '未违规' }).click()
  await expect(rival.getByText('其他人已处理这个举报')).toBeVisible()
  await expect(rival.getByText('诈骗，已删除').first()).toBeVisible()

  await page.getByRole('link', { name: '返回' }).click()
  await page.getByLabel('状态').selectOption('acted')
  await expect(page.getByRole('table', { name: '已处理' })).toContainText('诈骗，已删除')

  const reporter = await fixture.enter('member', '/chats')
  await expect(reporter.getByText(/你举报的「.*」的消息已处理/).first()).toBeVisible()
})

test('a deleted picture is still there for staff, on a phone and in the dark', async () => {
  const options = { isDesk: false, theme: 'dark', locale: 'en-US' } as const
  const page = await openConsole(fixture, '/staff/reports', options)
  const table = page.getByRole('table', { name: 'Open' })
  await table.waitFor()
  await picture(page, 'staff-reports-list-phone', 'page')
  const name = `A message of ${fixture.server.person('admin').username}`
  await page
    .getByRole('row', { name: /Sexual/ })
    .getByRole('link', { name })
    .click()
  const shown = page.getByRole('region', { name: 'When it was reported' }).locator('img')
  await expect(shown).toBeVisible()
  await expect.poll(() => shown.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0)
  await expect(page.getByRole('region', { name: 'Now' })).toContainText('Deleted')
  const search = page.getByRole('region', { name: 'Search messages here' })
  await search.getByLabel(`Only messages of ${fixture.server.person('admin').username}`).check()
  await search.getByLabel('Reason').fill('to verify the report')
  await search.getByRole('button', { name: 'Search' }).click()
  await expect(search.getByRole('list', { name: 'Messages found' })).toContainText('加微信领红包')
  await expectAccessible(page)
  await picture(page, 'staff-report-phone-dark', 'page')
  await page.goto('/staff/reports')
  await page.getByLabel('Kind').selectOption('guild')
  const guild = fixture.server.world.guilds.find((it) => it.id === fixture.server.guildId)!
  await table.getByRole('link', { name: guild.name }).click()
  await expect(page.getByRole('region', { name: 'Now' })).toContainText('As it was reported')
  await picture(page, 'staff-report-guild-phone', 'page')
})
