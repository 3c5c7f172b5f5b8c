/** What one member of staff cannot do alone, from the first account to the second. Decision 107. */
import { expect, type Page, test } from '@playwright/test'
import { withSecondFactor } from '../../server/src/testing/calls.ts'
import { useFixture } from '../fixture.ts'
import { expectAccessible, picture } from '../phone.ts'
import { openConsole } from '../staff.ts'

const fixture = useFixture()
const dialog = (page: Page, name: string) => page.getByRole('alertdialog', { name, exact: true })

test('a large batch waits for a second account, which sees what it is, approves it and has the codes', async () => {
  const admin = fixture.server.person('admin')
  await fixture.server.command(`staff role --user ${admin.id} --role finance`)
  const who = await withSecondFactor(fixture.server.database.db, admin)

  const first = await openConsole(fixture, '/staff/codes/new')
  await first.getByLabel('商品').selectOption({ index: 1 })
  await first.getByLabel('数量').fill('10000')
  await first.getByRole('button', { name: '生成兑换码' }).click()
  await dialog(first, '生成兑换码').getByLabel('原因').fill('周年活动')
  await dialog(first, '生成兑换码').getByRole('button', { name: '生成兑换码' }).click()
  await expect(dialog(first, '已提交，等待批准')).toContainText('另一名有相同权限的工作人员')
  await expectAccessible(first)
  await picture(first, 'staff-approval-waits-desk')
  await dialog(first, '已提交，等待批准').getByRole('link', { name: '在“待批”中查看' }).click()
  await expect(first.getByText('需要其他人批准')).toBeVisible()
  await expectAccessible(first)
  await picture(first, 'staff-approvals-own-desk')

  const second = await openConsole(fixture, '/staff/approvals', { who, isDesk: false })
  await expect(second.getByRole('navigation', { name: '工作台导航' })).toContainText('1 项待处理')
  await expectAccessible(second)
  await picture(second, 'staff-approvals-phone')
  await second.getByRole('button', { name: '批准' }).click()
  await expect(dialog(second, '批准这个操作？')).toContainText('10000 个')
  await expectAccessible(second)
  await picture(second, 'staff-approval-phone')
  await dialog(second, '批准这个操作？').getByRole('button', { name: '批准' }).click()
  await expect(dialog(second, '兑换码已生成')).toContainText('共 10000 个')
  await dialog(second, '兑换码已生成').getByRole('button', { name: '导出 CSV' }).click()
  await dialog(second, '现在导出？').getByRole('button', { name: '导出 CSV' }).click()
  await expect(second.getByText('批准人')).toBeVisible()

  await first.getByLabel('显示').selectOption('已处理')
  await expect(first.getByText('已批准')).toBeVisible()
  await expect(first.getByRole('table', { name: '已处理' })).toContainText(admin.username)
})
