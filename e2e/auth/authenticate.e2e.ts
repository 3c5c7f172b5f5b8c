/**
 * Verifying a number and setting a password, from each way in; a forgotten password; every refusal in its
 * words.
 */
import { login, verifyCodeLogin } from '@guildhall/wire/auth/login.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { newNumber } from '../../server/src/testing/calls.ts'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { atRest, expectFits } from '../ask.ts'
import { look } from '../look.ts'
import { openBrowser, openPhone, type Phone, picture } from '../phone.ts'

let server: TestServer
let browser: Browser
const phones: Phone[] = []

test.beforeAll(async () => {
  server = await openTestServer({ CAPTCHA: 'never' })
  browser = await openBrowser()
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})
test.afterEach(async () => {
  // The browser reports a socket that is closed while it opens, as by leaving the room at once.
  const complaints = phones.flatMap((phone) => phone.complaints).filter((it) => !it.includes('WebSocket'))
  for (const phone of phones.splice(0)) await phone.close()
  expect(complaints).toEqual([])
})

interface Person {
  readonly id: string
  readonly mobile: string
  readonly token: string
}
/** A member of the demo guild with a verified number and without a password. */
async function newcomer(): Promise<Person> {
  const { id, mobile, session, call } = await server.newcomer()
  await call(joinGuild, { code: server.invite })
  return { id, mobile, token: session.token }
}
/** The same without a number, as the login of a third party makes them. */
async function stranger(): Promise<Person> {
  const person = await newcomer()
  await sql`update "user" set mobile_prefix = '', mobile = '', mobile_verified = false where id = ${person.id}`.execute(
    server.database.db,
  )
  return { ...person, mobile: '' }
}

async function phone(person: Person | null, options?: Parameters<typeof openPhone>[2]): Promise<Page> {
  const opened = await openPhone(browser, server.url, options)
  phones.push(opened)
  // Only once per phone: a session that ended stays ended over reloads.
  if (person)
    await opened.page.addInitScript((it) => {
      if (!sessionStorage.getItem('given')) localStorage.setItem('authorization', it)
      sessionStorage.setItem('given', '1')
    }, person.token)
  return opened.page
}

const room = () => `/channels/${server.guildId}/${server.channel('闲聊')}`
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function fillCode(page: Page, mobile: string): Promise<void> {
  await field(page, '手机号').fill(mobile)
  await press(page, '获取验证码')
  await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  await expect(field(page, '验证码')).toBeFocused()
  await field(page, '验证码').fill(await server.codeFor(mobile))
}

async function finish(page: Page, password = 'secret1'): Promise<void> {
  await expect(field(page, '设置密码')).toBeFocused()
  await field(page, '设置密码').fill(password)
  await field(page, '确认密码').fill(password)
  await press(page, '完成验证')
}

/** The error under a field, which has the focus. */
async function expectError(page: Page, name: string, text: string): Promise<void> {
  await expect(field(page, name)).toHaveAccessibleDescription(text)
  await expect(field(page, name)).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, name)).toBeFocused()
}

test('somebody without a number verifies from the room, returns to it, and writes at once', async () => {
  const mobile = newNumber()
  const person = await stranger()
  const page = await phone(person)
  await page.goto(room())
  await page.getByText('未验证用户无法在频道内发送消息').waitFor()
  await picture(page, 'authenticate-room')
  await page.getByRole('link', { name: '去验证' }).last().click()
  await fillCode(page, mobile)
  await press(page, '验证')
  await finish(page)
  await page.waitForURL(new RegExp(`${room()}$`))
  await page.getByText('验证已完成').waitFor()
  await page.getByPlaceholder('发送消息到').fill('我验证好了')
  await press(page, '发送')
  await page.getByText('我验证好了').waitFor()
  await expect(page.getByText('完成手机验证后即可在频道内发言')).toHaveCount(0)
  // The number and the password log in to the same account.
  const { user } = await server.as(null).call(login, {
    mobile,
    password: 'secret1',
  })
  expect(user.id).toBe(person.id)
})

test('the tip, the banner and the menu lead there, and Back leads back', async () => {
  const page = await phone(await stranger())
  await page.goto(room())
  await page
    .getByRole('status')
    .filter({ hasText: '完成手机验证后即可在频道内发言' })
    .getByRole('link', { name: '去验证' })
    .click()
  await page.getByRole('heading', { name: '验证手机号' }).waitFor()
  await page.getByRole('button', { name: '返回' }).click()
  await page.waitForURL(new RegExp(`${room()}$`))
  await page.goto(`/channels/${server.guildId}`)
  await page.getByRole('link', { name: '用户验证' }).click()
  await page.getByRole('heading', { name: '验证手机号' }).waitFor()
  // The list of countries is a layer above the page: choosing leaves no step behind.
  await page.getByRole('button', { name: /国家或地区/ }).click()
  await page.getByRole('option', { name: /中国香港/ }).click()
  await page.getByRole('button', { name: '返回' }).click()
  await page.waitForURL(new RegExp(`/channels/${server.guildId}$`))
  await press(page, '我的菜单')
  await page.getByRole('link', { name: '验证', exact: true }).click()
  await page.getByRole('heading', { name: '验证手机号' }).waitFor()
  await page.getByRole('button', { name: '返回' }).click()
  await page.waitForURL(new RegExp(`/channels/${server.guildId}$`))
})

test('somebody who is not logged in logs in first, and is led to the redirect at the end', async () => {
  const person = await newcomer()
  const page = await phone(null)
  await page.goto(`/authenticate?redir=${encodeURIComponent(room())}`)
  await page.waitForURL(/\/login/)
  await sql`delete from attempt where name = 'code spacing'`.execute(server.database.db)
  await fillCode(page, person.mobile)
  await press(page, '登录')
  // The number is verified: the password is what is left.
  await page.getByRole('heading', { name: '设置密码' }).waitFor()
  await field(page, '设置密码').fill('secret1')
  await field(page, '确认密码').fill('secret1')
  await press(page, '完成验证')
  await page.waitForURL(new RegExp(`${room()}$`))
})

test('every refusal of step 1 is said in its words, under its field', async () => {
  const taken = await newcomer()
  const page = await phone(await stranger())
  await page.goto('/authenticate')
  await press(page, '获取验证码')
  await expectError(page, '手机号', '请输入手机号')
  await press(page, '验证')
  await expectError(page, '手机号', '请输入手机号')
  await expect(field(page, '验证码')).toHaveAccessibleDescription('请输入验证码')
  for (const wrong of ['1380000000', '23800000000', '138000000000']) {
    await field(page, '手机号').fill(wrong)
    await press(page, '获取验证码')
    await expectError(page, '手机号', '手机号格式错误')
  }
  await field(page, '手机号').fill(newNumber())
  await field(page, '验证码').fill('123456')
  await press(page, '验证')
  await expectError(page, '验证码', '验证码已失效，请重新获取')
  await picture(page, 'authenticate-refused')

  await sql`delete from attempt where name = 'code spacing'`.execute(server.database.db)
  await fillCode(page, taken.mobile)
  const code = await atRest(() => field(page, '验证码').inputValue())
  await field(page, '验证码').fill(code === '000000' ? '111111' : '000000')
  await press(page, '验证')
  await expectError(page, '验证码', '验证码错误')
  await field(page, '验证码').fill(code)
  await press(page, '验证')
  await expectError(page, '手机号', '该手机号已被其他账号使用')
  // The countdown survives a reload, with the number.
  await page.reload()
  await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  await expect(field(page, '手机号')).toHaveValue(taken.mobile)
})

test('every refusal of step 2 is said in its words, under its field', async () => {
  const page = await phone(await newcomer())
  await page.goto('/authenticate')
  await press(page, '完成验证')
  await expectError(page, '设置密码', '请输入密码')
  await expect(field(page, '设置密码')).toHaveAttribute('placeholder', '6-30 位字母和数字')
  for (const weak of ['a1b2c', '123456', 'abcdef', `a${'1'.repeat(30)}`]) {
    await field(page, '设置密码').fill(weak)
    await field(page, '确认密码').fill(weak)
    await press(page, '完成验证')
    await expectError(page, '设置密码', '6-30 位字母和数字')
  }
  await field(page, '设置密码').fill('secret1')
  await press(page, '完成验证')
  await expectError(page, '确认密码', '请保持两次密码一致')
  await field(page, '确认密码').fill('secret1')
  await field(page, '邀请码（选填）').fill('不是邀请码')
  await press(page, '完成验证')
  await expectError(page, '邀请码（选填）', '邀请码无效')
  await field(page, '邀请码（选填）').fill('')
  await press(page, '完成验证')
  await page.waitForURL(/\/channels/)
})

test('a password that is set signs the other devices out', async () => {
  const person = await newcomer()
  await sql`delete from attempt where name = 'code spacing'`.execute(server.database.db)
  const { mobile } = person
  const code = await server.askCode(mobile)
  const { token } = await server.as(null).call(verifyCodeLogin, { mobile, code })
  const other = await phone({ ...person, token })
  await other.goto(room())
  await other.getByPlaceholder('发送消息到').waitFor()
  const page = await phone(person)
  await page.goto('/authenticate')
  await field(page, '设置密码').fill('secret1')
  await field(page, '确认密码').fill('secret1')
  await press(page, '完成验证')
  await page.waitForURL(/\/channels/)
  await other.waitForURL((url) => url.pathname === '/')
})

test('a forgotten password is replaced, and the login page waits for the new one', async () => {
  const person = await newcomer()
  await server.command(`user password --user ${person.id} --password forgotten1`)
  await sql`delete from attempt where name = 'code spacing'`.execute(server.database.db)
  const page = await phone(null)
  await page.goto(`/login?redir=${encodeURIComponent(room())}`)
  await page.getByRole('tab', { name: '密码登录' }).click()
  await page.getByRole('link', { name: '忘记密码？' }).click()
  await press(page, '重设密码')
  await expectError(page, '手机号', '请输入手机号')
  await fillCode(page, person.mobile)
  await field(page, '设置密码').fill('another2')
  await field(page, '确认密码').fill('another3')
  await press(page, '重设密码')
  await expectError(page, '确认密码', '请保持两次密码一致')
  await picture(page, 'forgot-refused')
  await field(page, '确认密码').fill('another2')
  await press(page, '重设密码')
  await page.getByText('密码已重设，请用新密码登录').waitFor()
  await expect(page.getByRole('tab', { name: '密码登录' })).toHaveAttribute('aria-selected', 'true')
  await field(page, '手机号').fill(person.mobile)
  await field(page, '密码').fill('another2')
  await press(page, '登录')
  await page.waitForURL(new RegExp(`${room()}$`))
})

test('a number without an account is sent a code like any other, and told with the right code', async () => {
  const page = await phone(null)
  await page.goto('/forgot')
  await fillCode(page, newNumber())
  await field(page, '设置密码').fill('another2')
  await field(page, '确认密码').fill('another2')
  await press(page, '重设密码')
  await expectError(page, '手机号', '该手机号还没有注册，请使用验证码登录')
  await page.getByRole('button', { name: '返回' }).click()
  await page.waitForURL(/\/login$/)
})

for (const locale of ['zh-CN', 'en-US'] as const)
  test(`each screen is accessible, in ${locale}`, async () => {
    const judge = async (page: Page, screen: string) => {
      await look(page, `${screen}-${locale}`)
      await expectFits(page)
    }
    const page = await phone(await stranger(), { locale })
    await page.goto('/authenticate')
    await page.locator('input[name=mobile]').waitFor()
    await judge(page, 'authenticate-number')
    await page.goto(`/channels/${server.guildId}`)
    await page.locator('a[href="/authenticate"]').waitFor()
    await judge(page, 'authenticate-tip')
    const next = await phone(await newcomer(), { locale })
    await next.goto('/authenticate')
    await next.locator('input[name=new-password]').waitFor()
    await next.locator('form button[type=submit]').click()
    await judge(next, 'authenticate-password')
    const guest = await phone(null, { locale })
    await guest.goto('/forgot')
    await guest.locator('input[name=mobile]').waitFor()
    await judge(guest, 'forgot')
    await guest.goto('/login')
    await guest.getByRole('tab', { name: /密码登录|Password login/ }).click()
    await judge(guest, 'login-password')
  })
