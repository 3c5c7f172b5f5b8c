/** The page of one's own account: what is set there, and where it is logged in. */
import { readFile } from 'node:fs/promises'
import { login } from '@guildhall/wire/auth/login.ts'
import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { expectStored } from '../ask.ts'
import { look } from '../look.ts'
import { expectAccessible, openBrowser, openPhone, type Phone, picture, type Theme } from '../phone.ts'

let server: TestServer
let browser: Browser
const phones: Phone[] = []

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})
test.afterEach(async () => {
  for (const phone of phones.splice(0)) await phone.close()
})

async function open(
  token: string | null,
  path: string,
  options: { theme?: Theme; locale?: 'zh-CN' | 'en-US'; userAgent?: string } = {},
): Promise<Page> {
  const phone = await openPhone(browser, server.url, options)
  phones.push(phone)
  if (token) await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await phone.page.goto(path)
  return phone.page
}

test('without a login the account leads to the login, and back after it', async () => {
  const page = await open(null, '/account/devices')
  await page.waitForURL(/\/login\?redir=%2Faccount%2Fdevices/)
})

test('the menu leads to the account, Back leads to the list', async () => {
  const page = await open(await server.login('member'), `/channels/${server.guildId}`)
  await page.getByRole('button', { name: '我的菜单' }).click()
  await page.getByRole('link', { name: '我的账号' }).click()
  await expect(page.getByRole('heading', { name: '我的账号' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`/channels/${server.guildId}$`))
  await expect(page.getByRole('dialog', { name: '我', exact: true })).toHaveCount(0)
})

test('a device that is signed out here is logged out there at once, also while it is open', async () => {
  const here = await server.login('owner')
  const lost = await server.login('owner')
  const there = await open(lost, `/channels/${server.guildId}/${server.channel('闲聊')}`)
  await there.locator('[data-part=message-text]').first().waitFor()
  const page = await open(here, '/account/devices')
  await expect(page.locator('[data-part=device]')).toHaveCount(2)
  await expect(page.getByText('当前设备')).toBeVisible()
  await picture(page, 'account-devices')
  await page.getByRole('button', { name: '退出其他所有设备' }).click()
  const others = page.getByRole('alertdialog', { name: '退出其他所有设备？' })
  await others.getByRole('button', { name: '取消' }).click()
  await expect(page.locator('[data-part=device]')).toHaveCount(2)
  await page.getByRole('button', { name: /^将 .* 退出登录$/ }).click()
  const one = page.getByRole('alertdialog', { name: '将这台设备退出登录？' })
  await one.getByRole('button', { name: '退出', exact: true }).click()
  await expect(page.locator('[data-part=device]')).toHaveCount(1)
  await expect(page.getByText('没有其他设备登录')).toBeVisible()
  await there.waitForURL((url) => url.pathname === '/')
  await expect
    .poll(() => new URL(there.url()).searchParams.get('redir'))
    .toContain(`/channels/${server.guildId}`)
})

test('somebody takes their data along as a file', async () => {
  const page = await open(await server.login('member'), '/account')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '下载我的数据' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('guildhall-南枝.json')
  const data = JSON.parse(await readFile(await download.path(), 'utf8')) as {
    profile: { mobile: string }
    messages: object[]
    sessions: object[]
  }
  expect(data.profile.mobile).toBe(server.person('member').mobile)
  expect(data.messages.length).toBeGreaterThan(0)
  expect(data.sessions.length).toBeGreaterThan(0)
})

test('theme and language are changed at once and kept', async () => {
  const page = await open(await server.login('member'), '/account')
  await page.getByRole('switch', { name: '深色模式' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: /语言/ }).click()
  await expect(page.getByRole('heading', { name: 'My account' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'My account' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('logging out asks first, and leads to the landing page', async () => {
  const page = await open(await server.login('muted'), '/account')
  await page.getByRole('button', { name: '退出登录' }).click()
  await page
    .getByRole('alertdialog', { name: '确定要退出登录吗？' })
    .getByRole('button', { name: '退出登录' })
    .click()
  await page.waitForURL((url) => url.pathname === '/')
  await expectStored(page, 'authorization', null)
})

for (const locale of ['zh-CN', 'en-US'] as const)
  test(`account and devices are accessible, in ${locale}`, async () => {
    const token = await server.login('member')
    const page = await open(token, '/account', { locale })
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    await look(page, `account-${locale}`)
    await page.goto('/account/devices')
    await page.locator('[data-part=device]').first().waitFor()
    await look(page, `account-devices-${locale}`)
  })

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Somebody new, with a password. */
async function newcomer(mobile: string): Promise<string> {
  const { call, session } = await server.newcomer(mobile)
  await call(updateSelf, { password: 'secret1' })
  return session.token
}

test('the username is changed, and the account and the menu show it at once', async () => {
  const page = await open(await newcomer('13911110001'), '/account')
  await page.getByRole('link', { name: /用户名/ }).click()
  await field(page, '用户名').fill('')
  await press(page, '保存')
  await expect(page.getByText('请输入用户名')).toBeVisible()
  await field(page, '用户名').fill('有 空格')
  await press(page, '保存')
  await expect(page.getByText('用户名格式错误')).toBeVisible()
  await expect(field(page, '用户名')).toBeFocused()
  await field(page, '用户名').fill('新名字')
  await press(page, '保存')
  await expect(page.getByRole('heading', { name: '我的账号' })).toBeVisible()
  await expect(page.getByRole('link', { name: /用户名\s*新名字/ })).toBeVisible()
})

test('the password is changed by the old one, and a wrong old one is named', async () => {
  const page = await open(await newcomer('13911110002'), '/account/password')
  await press(page, '保存')
  await expect(page.getByText('请输入当前密码')).toBeVisible()
  await field(page, '当前密码').fill('wrong1')
  await field(page, '设置密码').fill('secret2')
  await field(page, '确认密码').fill('secret2')
  await press(page, '保存')
  await expect(page.getByText('当前密码错误')).toBeVisible()
  await picture(page, 'account-password')
  await field(page, '当前密码').fill('secret1')
  await press(page, '保存')
  await expect(page.getByText('密码已保存，其他设备已退出登录')).toBeVisible()
  const it = { mobile: '13911110002', password: 'secret2' }
  expect(await server.as(null).call(login, it)).toMatchObject({
    user: { mobile: '*******0002' },
  })
})

test('the number is changed by the password and a code sent to the new one', async () => {
  const page = await open(await newcomer('13911110003'), '/account/number')
  await field(page, '当前密码').fill('secret1')
  await field(page, '新手机号').fill('13911110004')
  await press(page, '获取验证码')
  await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  await field(page, '验证码').fill('000000')
  await press(page, '保存')
  await expect(page.getByText('验证码错误')).toBeVisible()
  await picture(page, 'account-number')
  await field(page, '验证码').fill(await server.codeFor('13911110004'))
  await press(page, '保存')
  await expect(page.getByText('手机号已更换')).toBeVisible()
  await expect(page.getByRole('link', { name: /手机号\s*\*+0004/ })).toBeVisible()
})

/** Somebody new, without a password. */
async function byCodeAlone(mobile: string): Promise<string> {
  const { session } = await server.newcomer(mobile)
  // The code that was sent a moment ago spaces the next one.
  await server.database.pool.query(`delete from attempt where name = 'code spacing'`)
  return session.token
}
/** Asks for a code by the first button that does, and returns it. */
async function ownCode(page: Page, mobile: string): Promise<string> {
  await page.getByRole('button', { name: '获取验证码' }).first().click()
  await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  return server.codeFor(mobile)
}

test('who has no password changes the number by a code of the old one, which is told apart from the new one’s', async () => {
  const page = await open(await byCodeAlone('13911110005'), '/account/number')
  const own = field(page, '验证码（发送至 *******0005）')
  await press(page, '保存')
  await expect(page.getByText('请输入验证码')).toHaveCount(2)
  await expect(own).toBeFocused()
  const code = await ownCode(page, '13911110005')
  await field(page, '新手机号').fill('13911110015')
  await press(page, '获取验证码')
  await expect(page.getByRole('button', { name: /秒后重新发送/ })).toHaveCount(2)
  await field(page, '验证码').fill(await server.codeFor('13911110015'))
  await own.fill(code === '000000' ? '111111' : '000000')
  await press(page, '保存')
  await expect(own).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, '验证码')).not.toHaveAttribute('aria-invalid', 'true')
  await picture(page, 'account-number-by-code')
  await own.fill(code)
  await press(page, '保存')
  await expect(page.getByText('手机号已更换')).toBeVisible()
  await expect(page.getByRole('link', { name: /手机号\s*\*+0015/ })).toBeVisible()
})

test('who has a password may confirm by a code all the same', async () => {
  const token = await newcomer('13911110007')
  await server.database.pool.query(`delete from attempt where name = 'code spacing'`)
  const page = await open(token, '/account/number')
  await press(page, '使用短信验证码')
  const own = field(page, '验证码（发送至 *******0007）')
  await expect(own).toBeFocused()
  await press(page, '使用密码')
  await expect(field(page, '当前密码')).toBeFocused()
  await press(page, '使用短信验证码')
  await own.fill(await ownCode(page, '13911110007'))
  await field(page, '新手机号').fill('13911110017')
  await press(page, '获取验证码')
  await expect(page.getByRole('button', { name: /秒后重新发送/ })).toHaveCount(2)
  await field(page, '验证码').fill(await server.codeFor('13911110017'))
  await press(page, '保存')
  await expect(page.getByText('手机号已更换')).toBeVisible()
})

test('who has no password deletes the account by a code', async () => {
  const page = await open(await byCodeAlone('13911110008'), '/account/delete')
  await press(page, '注销账号')
  await expect(page.getByText('请输入验证码')).toBeVisible()
  const code = await ownCode(page, '13911110008')
  const own = field(page, '验证码（发送至 *******0008）')
  await own.fill(code === '000000' ? '111111' : '000000')
  await press(page, '注销账号')
  await press(page, '永久注销')
  await expect(page.getByText('验证码错误')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'account-delete-by-code')
  await own.fill(code)
  await press(page, '注销账号')
  await press(page, '永久注销')
  await page.waitForURL((url) => url.pathname === '/')
  await expectStored(page, 'authorization', null)
})

test('an account is deleted after the password and a last question, and nothing of it stays in the browser', async () => {
  const page = await open(await newcomer('13911110006'), '/account')
  await page.getByRole('link', { name: '注销账号' }).click()
  await field(page, '当前密码').fill('wrong1')
  await press(page, '注销账号')
  await press(page, '永久注销')
  await expect(page.getByText('当前密码错误')).toBeVisible()
  await field(page, '当前密码').fill('secret1')
  await picture(page, 'account-delete')
  await press(page, '注销账号')
  await press(page, '取消')
  await press(page, '注销账号')
  await press(page, '永久注销')
  await page.waitForURL((url) => url.pathname === '/')
  await expectStored(page, 'authorization', null)
})

test('who owns a guild is told to give it away first', async () => {
  const page = await open(await server.login('owner'), '/account/delete')
  await field(page, '当前密码').fill(server.person('owner').password)
  await press(page, '注销账号')
  await press(page, '永久注销')
  await expect(page.getByText(/请先转让或解散/)).toBeVisible()
})

test('one’s personal invite is copied, and leads to its page', async () => {
  const page = await open(await server.login('member'), '/account')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => Object.defineProperty(navigator, 'share', { value: undefined }))
  await page.getByText('已邀请 0 人').waitFor()
  await page.getByRole('button', { name: /邀请好友/ }).click()
  await expect(page.getByText('邀请链接已复制')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await page.goto(new URL(link).pathname)
  await expect(page.getByRole('heading', { name: /南枝 邀请你使用/ })).toBeVisible()
})

for (const locale of ['zh-CN', 'en-US'] as const)
  test(`the pages of changes are accessible, in ${locale}`, async () => {
    const page = await open(await server.login('member'), '/account/name', { locale })
    for (const name of ['name', 'password', 'number', 'delete']) {
      await page.goto(`/account/${name}`)
      await page.locator('form input').first().waitFor()
      await look(page, `account-${name}-${locale}`)
    }
  })
