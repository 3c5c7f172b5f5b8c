/** People, guilds and redeem codes in the staff console. Decision 83. */
import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { atRest, isFirst } from '../ask.ts'
import { expectAccessible, picture } from '../phone.ts'
import { openConsole } from '../staff.ts'
import { useStage } from '../stage.ts'

const stage = useStage()

const idOf = (name: Parameters<typeof stage.server.person>[0]) => stage.server.person(name).id
const dialog = (page: Page, title: string) => page.getByRole('alertdialog', { name: title, exact: true })
/** Presses a button of the page, gives a reason in the dialog of its name, and confirms. */
async function act(page: Page, name: string, reason: string, confirm = name): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await dialog(page, name).getByLabel('原因').fill(reason)
  await dialog(page, name).getByRole('button', { name: confirm, exact: true }).click()
}
const done = (page: Page) => expect(page.locator('[role=alertdialog]')).toHaveCount(0)

test('a person is found, suspended for a time and restored; they learn why, and their page closes', async () => {
  const member = stage.server.person('member')
  const theirs = await stage.enter('member', '/channels/@me')
  const page = await openConsole(stage, '/staff/people')
  await expect(page.getByText('输入条件后查询')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('昵称').fill('没有这个人')
  await page.getByRole('button', { name: '查询' }).click()
  await expect(page.getByText('没有结果')).toBeVisible()
  await page.getByLabel('昵称').fill(member.username.slice(0, 1))
  await page.getByRole('button', { name: '查询' }).click()
  const row = page.getByRole('row', { name: member.id })
  await expect(row).toContainText(`*******${member.mobile.slice(-4)}`)
  await expectAccessible(page)
  await picture(page, 'staff-people-found')
  await row.getByRole('link', { name: member.username }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(member.username)
  await expectAccessible(page)
  await picture(page, 'staff-person-desk', 'page')

  await page.getByRole('button', { name: '封禁', exact: true }).click()
  await dialog(page, '封禁').getByRole('button', { name: '封禁', exact: true }).click()
  await expect(dialog(page, '封禁').getByRole('alert').filter({ hasText: '请填写原因' })).toBeVisible()
  await dialog(page, '封禁').getByLabel('时长').selectOption('指定时间')
  await dialog(page, '封禁').getByLabel('原因').fill('多次发送广告')
  await dialog(page, '封禁').getByRole('button', { name: '封禁', exact: true }).click()
  await expect(dialog(page, '封禁').getByRole('alert').filter({ hasText: '请选择将来的时间' })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'staff-person-suspend')
  await dialog(page, '封禁').getByLabel('时长').selectOption('3 天')
  await dialog(page, '封禁').getByRole('button', { name: '封禁', exact: true }).click()
  await done(page)
  await expect(page.getByText('原因：多次发送广告')).toBeVisible()
  await expect(page.getByText('没有有效的登录')).toBeVisible()
  await expect(theirs).toHaveURL(/redir=/)
  await picture(page, 'staff-person-suspended')

  const { page: login } = await stage.open(undefined)
  await login.goto('/login')
  await login.getByRole('tab', { name: '密码登录' }).click()
  await login.locator('[name=mobile]').fill(member.mobile)
  await login.getByLabel('密码', { exact: true }).fill(member.password)
  await login.getByRole('button', { name: '登录', exact: true }).click()
  await expect(login.getByText('原因：多次发送广告').first()).toBeVisible()
  await expect(login.getByText('（北京时间）解封').first()).toBeVisible()
  await picture(login, 'login-suspended')

  await act(page, '解封', '误判')
  await done(page)
  await expect(page.getByText('原因：多次发送广告')).toHaveCount(0)
  // What was done stands below, for those who may read the log.
  await expect(page.getByRole('table', { name: '操作日志' })).toContainText('user restore')
})

test('BUFF is given and taken back, sessions end, and what cannot be undone is asked twice', async () => {
  const outsider = stage.server.person('outsider')
  await stage.enter('outsider', '/channels/@me')
  const page = await openConsole(stage, `/staff/people/${outsider.id}`)
  await page.getByRole('button', { name: '赠送 BUFF' }).click()
  await dialog(page, '赠送 BUFF').getByLabel(/天数/).fill('0')
  await dialog(page, '赠送 BUFF').getByLabel('原因').fill('活动补偿')
  await dialog(page, '赠送 BUFF').getByRole('button', { name: '赠送 BUFF' }).click()
  await expect(
    dialog(page, '赠送 BUFF').getByRole('alert').filter({ hasText: '请输入 1 到 3660 的整数' }),
  ).toBeVisible()
  await dialog(page, '赠送 BUFF').getByLabel(/天数/).fill('30')
  await dialog(page, '赠送 BUFF').getByRole('button', { name: '赠送 BUFF' }).click()
  await done(page)
  const grants = page.getByRole('table', { name: 'BUFF 记录' })
  await expect(grants).toContainText('30 天')
  await expect(grants).toContainText('赠送或兑换码')
  await grants.getByRole('button', { name: '收回' }).click()
  await expect(dialog(page, '收回 BUFF')).toContainText('只能通过退款终止')
  await dialog(page, '收回 BUFF').getByLabel('原因').fill('误发')
  await dialog(page, '收回 BUFF').getByRole('button', { name: '收回' }).click()
  await done(page)
  await expect(grants.getByRole('button', { name: '收回' })).toHaveCount(0)

  await act(page, '退出所有设备', '手机丢失')
  await done(page)
  await expect(page.getByText('没有有效的登录')).toBeVisible()
  await page.getByRole('button', { name: '注销账号' }).click()
  await dialog(page, '注销账号').getByLabel('原因').fill('本人申请')
  await dialog(page, '注销账号').getByRole('button', { name: '注销账号' }).click()
  await expect(dialog(page, '注销账号')).toContainText('此操作无法撤销')
  await picture(page, 'staff-person-delete-again')
  await dialog(page, '注销账号').getByRole('button', { name: '取消' }).click()
  await done(page)
  await expect(page.getByText('已注销')).toHaveCount(0)
})

test('a role is offered what it may do alone, on a phone and in English too', async () => {
  const staff = idOf('staff')
  await stage.server.command(`staff role --user ${staff} --role none`)
  await stage.server.command(`staff grant --user ${staff} --right people`)
  try {
    const page = await openConsole(stage, `/staff/people/${idOf('admin')}`, { isDesk: false })
    await expect(page.getByRole('button', { name: '封禁', exact: true })).toBeVisible()
    for (const name of ['赠送 BUFF', '收回']) await expect(page.getByRole('button', { name })).toHaveCount(0)
    await expect(page.getByRole('link', { name: '查看该用户的订单' })).toHaveCount(0)
    await expect(page.getByRole('table', { name: '操作日志' })).toHaveCount(0)
    await expect(page.getByRole('navigation', { name: '工作台导航' }).locator('a')).toHaveText(['用户'])
    await expectAccessible(page)
    await picture(page, 'staff-person-phone', 'page')
  } finally {
    await stage.server.command(`staff revoke --user ${staff} --right people`)
    await stage.server.command(`staff role --user ${staff} --role administrator`)
  }
  const dark = { isDesk: false, theme: 'dark', locale: 'en-US' } as const
  const page = await openConsole(stage, `/staff/people/${staff}`, dark)
  // Staff do not act on staff, themselves included.
  await expect(page.getByText('Accounts of staff are acted on by command alone.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Suspend' })).toHaveCount(0)
  await expectAccessible(page)
  await picture(page, 'staff-person-phone-dark', 'page')
})

test('a guild is found, changes its owner, is recommended, closed and restored', async () => {
  const guild = stage.server.world.guilds[0]!
  const theirs = await stage.enter('member', `/channels/${guild.id}`)
  const page = await openConsole(stage, '/staff/guilds')
  await expect(page.getByText('输入条件后查询')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('会长的用户 ID').fill(idOf('owner'))
  await page.getByRole('button', { name: '查询' }).click()
  const row = page.getByRole('table', { name: '公会' }).getByRole('row', { name: guild.id })
  await expect(row).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'staff-guilds-found')
  await row.getByRole('link', { name: guild.name }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(guild.name)
  await expectAccessible(page)
  await picture(page, 'staff-guild-desk', 'page')

  const member = stage.server.person('member')
  await page.getByRole('button', { name: '变更会长' }).click()
  await dialog(page, '变更会长').getByLabel('成员的昵称或用户 ID').fill(idOf('outsider'))
  await dialog(page, '变更会长').getByRole('button', { name: '查找成员' }).click()
  await expect(dialog(page, '变更会长').getByText('没有这样的成员')).toBeVisible()
  await dialog(page, '变更会长').getByLabel('成员的昵称或用户 ID').fill(member.username)
  await dialog(page, '变更会长').getByRole('button', { name: '查找成员' }).click()
  await expectAccessible(page)
  await picture(page, 'staff-guild-owner')
  await dialog(page, '变更会长')
    .getByRole('listitem')
    .filter({ hasText: member.username })
    .getByRole('button', { name: '设为会长' })
    .click()
  await dialog(page, '变更会长').getByLabel('原因').fill('原会长申请转让')
  await dialog(page, '变更会长').getByRole('button', { name: '设为会长' }).click()
  await done(page)
  await expect(page.getByRole('link', { name: new RegExp(`^${member.username}#`) }).first()).toBeVisible()

  const on = page.getByRole('button', { name: '推荐', exact: true })
  const off = page.getByRole('button', { name: '取消推荐', exact: true })
  if (await isFirst(on, off)) {
    await act(page, '推荐', '优质公会')
    await done(page)
  }
  await act(page, '取消推荐', '长期不活跃')
  await done(page)
  await expect(page.getByRole('button', { name: '推荐', exact: true })).toBeVisible()

  await page.getByRole('button', { name: '关闭公会' }).click()
  await dialog(page, '关闭公会').getByLabel('原因').fill('违规内容')
  await dialog(page, '关闭公会').getByRole('button', { name: '关闭公会' }).click()
  await expect(dialog(page, '关闭公会')).toContainText(`确定要关闭「${guild.name}」吗？`)
  await dialog(page, '关闭公会').getByRole('button', { name: '关闭公会' }).click()
  await done(page)
  await expect(page.getByText(/可在 .* 前恢复/)).toBeVisible()
  await expect(theirs.getByText(guild.name)).toHaveCount(0)
  await picture(page, 'staff-guild-closed')
  await act(page, '恢复公会', '申诉通过')
  await done(page)
  await expect(page.getByText(/可在 .* 前恢复/)).toHaveCount(0)

  const phone = await openConsole(stage, `/staff/guilds/${guild.id}`, {
    isDesk: false,
    theme: 'dark',
    locale: 'en-US',
  })
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText(guild.name)
  await expectAccessible(phone)
  await picture(phone, 'staff-guild-phone-dark', 'page')
})

test('codes are made, warned of, exported once, paused and followed', async () => {
  const page = await openConsole(stage, '/staff/codes')
  await expect(page.getByText('还没有生成过兑换码')).toBeVisible()
  await page.getByRole('link', { name: '生成兑换码' }).click()
  await page.getByRole('button', { name: '生成兑换码' }).click()
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(1)
  await page.getByLabel('商品').selectOption({ index: 1 })
  await page.getByLabel('数量').fill('3')
  await page.getByLabel('用途').fill('周年庆')
  await expectAccessible(page)
  await picture(page, 'staff-codes-new')
  await act(page, '生成兑换码', '周年活动')
  await expect(dialog(page, '兑换码已生成')).toContainText('兑换码已生成')
  const codes = (await atRest(() => dialog(page, '兑换码已生成').getByLabel('兑换码').inputValue())).split(
    '\n',
  )
  expect(codes).toHaveLength(3)
  await expectAccessible(page)
  await picture(page, 'staff-codes-fresh')
  // Leaving is warned of, by the button, by Escape and by Back.
  await dialog(page, '兑换码已生成').getByRole('button', { name: '关闭' }).click()
  await expect(dialog(page, '还没有导出')).toContainText('还没有导出')
  await dialog(page, '还没有导出').getByRole('button', { name: '再看看' }).click()
  await page.keyboard.press('Escape')
  await expect(dialog(page, '还没有导出')).toContainText('还没有导出')
  await dialog(page, '还没有导出').getByRole('button', { name: '再看看' }).click()
  await page.evaluate(() => history.back())
  await expect(dialog(page, '还没有导出')).toContainText('还没有导出')
  await picture(page, 'staff-codes-leave')
  await dialog(page, '还没有导出').getByRole('button', { name: '再看看' }).click()
  await dialog(page, '兑换码已生成').getByRole('button', { name: '导出 CSV' }).click()
  await expect(dialog(page, '现在导出？')).toContainText('只能导出这一次')
  const file = page.waitForEvent('download')
  await dialog(page, '现在导出？').getByRole('button', { name: '导出 CSV' }).click()
  const download = await file
  expect((await readFile(await download.path(), 'utf8')).trim().split('\r\n').slice(1)).toEqual(codes)
  await done(page)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('批次')
  await expect.poll(() => page.content()).not.toContain(codes[0])

  await act(page, '暂停', '疑似泄露')
  await done(page)
  await expect(page.getByText(/起暂停/)).toBeVisible()
  const buyer = await stage.enter('member', '/cdk')
  await buyer.getByRole('textbox', { name: '请输入兑换码' }).fill(codes[0]!)
  await buyer.getByRole('button', { name: '兑换' }).click()
  await expect(buyer.getByText('该兑换码已暂停使用，请稍后再试').first()).toBeVisible()
  await act(page, '继续', '已核实')
  await done(page)
  await buyer.getByRole('button', { name: '兑换' }).click()
  await expect(buyer.getByText('该兑换码已暂停使用，请稍后再试')).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('table', { name: '使用记录' })).toContainText(
    stage.server.person('member').username,
  )
  await expectAccessible(page)
  await picture(page, 'staff-codes-batch', 'page')
  const phone = await openConsole(stage, '/staff/codes', { isDesk: false, theme: 'dark', locale: 'en-US' })
  await expect(phone.getByRole('link', { name: /Batch/ })).toBeVisible()
  await expectAccessible(phone)
  await picture(phone, 'staff-codes-phone-dark', 'page')
})
