/** The members in a guild's settings: found, several acted on at once, and an invite with a role made. */
import { createNote } from '@guildhall/wire/member/note.ts'
import { createRole } from '@guildhall/wire/role/role.ts'
import { expect, type Page, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

const fixture = useFixture()

const settings = (section: string) => `/guild/settings/${fixture.server.world.guilds[0]!.id}/${section}`
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `选择 ${name}` })

test('on a phone a role is given to several and taken back, and members are found', async () => {
  const guild_id = fixture.server.world.guilds[0]!.id
  await fixture.server.as('owner').call(createRole, { guild_id, name: '新兵' })
  const people = ['member', 'muted'] as const
  const names = people.map((name) => fixture.server.person(name).username)
  const page = await fixture.enter('owner', settings('members'))
  for (const name of names) await box(page, name).check()
  await look(page, 'members-chosen')
  await page.getByRole('button', { name: '操作', exact: true }).click()
  await look(page, 'members-acts')
  await page.getByRole('button', { name: '授予角色' }).click()
  await page.getByRole('button', { name: '新兵' }).click()
  await expect(page.getByText('2 人已完成')).toBeVisible()
  await look(page, 'members-outcomes')
  await page.getByRole('button', { name: '全部撤销' }).click()
  await expect(page.getByText('已撤销')).toHaveCount(2)
  await page.getByRole('button', { name: '关闭' }).click()

  await page.getByRole('combobox', { name: /^禁言/ }).selectOption('禁言中')
  await expect(page.getByText('没有符合条件的成员')).toBeVisible()
  await look(page, 'members-none')
  await page.getByRole('button', { name: '清除筛选' }).click()
  await page.getByLabel('搜索成员').fill(names[0]!)
  await expect(page.getByText('1 位成员', { exact: true })).toBeVisible()
})

test('a moderator notes something on a member, beside what was done to them, and looks for silent members', async () => {
  const { server } = fixture
  const guild_id = server.world.guilds[0]!.id
  const { username } = server.person('muted')
  await server
    .as('admin')
    .call(createNote, { guild_id, user_id: server.idOf('muted'), content: '连续刷屏，先禁言一天。' })
  const page = await fixture.enter('owner', settings('members'))
  await page.getByRole('button', { name: '清理不活跃的成员' }).click()
  await expect(page.getByText('没有符合条件的成员')).toBeVisible()
  await page.getByRole('combobox', { name: '不活跃多久' }).selectOption('自定义')
  await page.getByLabel('天数').fill('0')
  await expect(page.getByText('请输入 1 到 3650 的整数')).toBeVisible()
  await look(page, 'members-prune')
  await page.getByRole('button', { name: '关闭' }).click()

  await page.getByRole('button', { name: `管理 ${username}` }).click()
  await look(page, 'member-manage')
  await page.getByRole('link', { name: '管理记录' }).click()
  await expect(page.getByText('连续刷屏，先禁言一天。')).toBeVisible()
  await page.getByLabel('写一条备注').fill('道歉了')
  await page.getByRole('button', { name: '添加' }).click()
  await expect(page.getByRole('list', { name: '备注' }).getByText('道歉了')).toBeVisible()
  await look(page, 'member-record', 'page')
  await page.goBack()
  await expect(box(page, username)).toBeVisible()

  const about = `${settings('members')}?member=${server.idOf('muted')}`
  const desk = await fixture.enter('owner', about, { isDesk: true, locale: 'en-US' })
  await expect(desk.getByText('道歉了')).toBeVisible()
  await look(desk, 'member-record-desk')
})

test('on a desk several are removed at once, and an invite gives a role', async () => {
  const page = await fixture.enter('owner', settings('members'), { isDesk: true })
  const { username } = fixture.server.person('muted')
  await expect(box(page, username)).toBeVisible()
  await look(page, 'members-desk')
  await box(page, username).check()
  await page.getByRole('button', { name: '操作', exact: true }).click()
  await page.getByRole('button', { name: '移出公会' }).click()
  await page.getByRole('button', { name: '移出公会' }).click()
  await expect(page.getByText('1 人已完成')).toBeVisible()
  await page.getByRole('button', { name: '关闭' }).click()
  await expect(box(page, username)).toHaveCount(0)

  await page.getByRole('link', { name: '邀请链接' }).click()
  await page.getByRole('button', { name: '新建邀请链接' }).click()
  await page.getByLabel('加入时获得的角色').selectOption({ index: 1 })
  await look(page, 'invite-new')
  await page.getByRole('button', { name: '生成链接' }).click()
  await expect(page.getByText('链接已生成')).toBeVisible()
  await look(page, 'invite-made')
  await page.getByRole('button', { name: '关闭' }).click()
  await expect(page.getByText(/加入时获得「/)).toBeVisible()
})
