/** The audit log of a guild: what was done is listed and found, and what was deleted comes back. */
import { createChannel, deleteChannel, updateChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { createBan } from '@guildhall/wire/member/moderation.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { createRole, deleteRole, grantRole, updateRole } from '@guildhall/wire/role/role.ts'
import { expect, test } from '@playwright/test'
import { expectFits } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

const fixture = useFixture()

test('what was done is found by who and by what; a channel and a ban are undone on a phone', async () => {
  const { server } = fixture
  const guild_id = server.guildId
  const [owner, admin] = [server.as('owner'), server.as('admin')]
  const { id: channel_id } = await owner.call(createChannel, { guild_id, name: '活动报名', type: 1 })
  await server.as('member').say(channel_id, '我要参加')
  await owner.call(updateChannel, { channel_id, topic: '每周六晚上八点，先到先得', slow_mode: 30 })
  const { role_id } = await admin.call(createRole, { guild_id, name: '报名员' })
  const permissions = permission.manage_message + permission.mute_member
  await admin.call(updateRole, { guild_id, role_id, permissions, color: 0x0b7a53 })
  await admin.call(grantRole, { guild_id, role_id, user_id: server.idOf('member') })
  const { token } = await server.command<{ token: string }>(
    `bot create --name 巡管 --guild ${guild_id} --permissions ${permission.manage_role}`,
  )
  const its = await server.as({ bot: token }).call(createRole, { guild_id, name: '临时' })
  await owner.call(deleteRole, { guild_id, role_id: its.role_id })
  const ban = { guild_id, target_id: server.idOf('muted'), remark: '连续刷屏', del_msg_days: 1 }
  await admin.call(createBan, ban)
  await owner.call(deleteChannel, { channel_id })

  const page = await fixture.enter('owner', `/guild/settings/${guild_id}`)
  await page.getByRole('link', { name: '操作记录' }).click()
  const row = (words: string) => page.getByRole('listitem').filter({ hasText: words })
  await expect(row('删除了频道「活动报名」')).toBeVisible()
  await expect(row('封禁了')).toContainText('原因：连续刷屏')
  await expect(row('修改了角色「报名员」')).toContainText('增加权限：管理消息、禁言成员')
  await expectFits(page)
  await look(page, 'audit-phone')

  await page.getByRole('button', { name: '恢复：活动报名' }).click()
  await expect(row('恢复了频道「活动报名」')).toBeVisible()
  await page.getByRole('button', { name: /解封/ }).click()
  await expect(row('解除了对')).toBeVisible()
  await page.getByRole('combobox', { name: '操作', exact: true }).selectOption({ label: '封禁了 …' })
  await expect(page.getByRole('list', { name: '今天' }).locator('li')).toHaveCount(1)
  await page.getByRole('button', { name: '操作者：所有人' }).click()
  await look(page, 'audit-phone-person')
  await page.getByRole('button', { name: '巡管', exact: true }).click()
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
  await look(page, 'audit-phone-none')
  await page.goto(`/channels/${guild_id}/${channel_id}`)
  await expect(page.getByText('我要参加')).toBeVisible()

  const desk = await fixture.enter('owner', `/guild/settings/${guild_id}/audit`, {
    isDesk: true,
    locale: 'en-US',
  })
  await expect(desk.getByRole('listitem').filter({ hasText: 'restored the channel' })).toBeVisible()
  await look(desk, 'audit-desk')
  await desk.getByRole('button', { name: 'Restore: 临时' }).click()
  await expect(desk.getByRole('listitem').filter({ hasText: 'restored the role “临时”' })).toBeVisible()
})
