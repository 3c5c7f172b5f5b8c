/**
 * Login by QQ and WeChat through the local identity provider: agreed, cancelled, bound, bound again, forged,
 * replayed.
 */
import { userState } from '@guildhall/wire/auth/userState.ts'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { agree as sendBack } from '../../server/src/testing/pay/providerServer.ts'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { atRest, expectFits, expectStored } from '../ask.ts'
import { look } from '../look.ts'
import { expectAccessible, openBrowser, openPhone, type Phone, picture } from '../phone.ts'

let server: TestServer
let browser: Browser
const phones: Phone[] = []
let numbers = 13_590_000_000
let people = 0

test.beforeAll(async () => {
  server = await openTestServer({ CAPTCHA: 'never' })
  browser = await openBrowser()
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})
test.afterEach(async () => {
  const complaints = phones.flatMap((phone) => phone.complaints)
  for (const phone of phones.splice(0)) await phone.close()
  expect(complaints).toEqual([])
})

async function phone(options?: Parameters<typeof openPhone>[2]): Promise<Page> {
  const opened = await openPhone(browser, server.url, options)
  phones.push(opened)
  return opened.page
}
const newNumber = () => String(++numbers)
const newPerson = () => `路人${++people}`

/** Goes to the provider's page. */
async function start(page: Page, name: 'qq' | 'weixin' = 'qq', address = '/login'): Promise<void> {
  await page.goto(address)
  await page
    .getByRole('link', { name: name === 'qq' ? /^QQ (登录|login)$/ : /^(微信登录|WeChat login)$/ })
    .click()
  await page.getByRole('button', { name: '同意' }).waitFor()
}
async function agree(page: Page, person: string): Promise<void> {
  await page.getByLabel('其他名字').fill(person)
  await page.getByRole('button', { name: '同意' }).click()
}
async function bind(page: Page, mobile: string): Promise<void> {
  await page.getByLabel(/^(手机号|Mobile number)$/).fill(mobile)
  await page.getByRole('button', { name: /^(获取验证码|Get code)$/i }).click()
  await page.getByRole('button', { name: /秒后重新发送|seconds to resend/ }).waitFor()
  await page.getByLabel(/^(验证码|Verification code)$/).fill(await server.codeFor(mobile))
  await page.getByRole('button', { name: /^(绑定并登录|Bind and log in)$/ }).click()
}
/** An account at QQ that is bound to a number. */
async function bound(person = newPerson(), mobile = newNumber()) {
  const page = await phone()
  await start(page)
  await agree(page, person)
  await page.waitForURL(/\/bindmobile/)
  await bind(page, mobile)
  await page.waitForURL(/\/channels/)
  return { page, person, mobile }
}
/** A page of somebody who logs in by QQ, and their token. */
async function loggedIn(person: string, options: Parameters<typeof openPhone>[2]) {
  const page = await phone(options)
  await start(page)
  await agree(page, person)
  await page.waitForURL(/\/channels/)
  const token = await page.evaluate(() => localStorage.getItem('authorization'))
  return { page, token }
}
const whoIs = (page: Page): Promise<{ id: string; username: string }> =>
  atRest(
    () => page.evaluate(() => JSON.parse(localStorage.getItem('auth') ?? '{}')),
    ({ id }) => id !== undefined,
  )
/** The address that the provider would send this browser back to. */
const returnOf = async (page: Page, person: string): Promise<string> =>
  (await sendBack(page.url(), person)).href

test('a new number becomes an account, and where the login was asked for opens', async () => {
  const page = await phone()
  const redir = `/channels/${server.guildId}`
  const person = newPerson()
  await start(page, 'qq', `/login?redir=${encodeURIComponent(redir)}`)
  await picture(page, 'third-party-consent')
  await agree(page, person)
  await page.getByText(`你正在用 QQ 账号「${person}」登录。`).waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe(`?redir=${encodeURIComponent(redir)}`)
  await bind(page, newNumber())
  await page.waitForURL(`**${redir}`)
  expect((await whoIs(page)).username).toBe(person)
  await expectStored(page, 'bind_info', null)
})

test('the next login needs no number, and leaves nothing of itself in the address', async () => {
  const { person } = await bound()
  const page = await phone()
  await start(page)
  await agree(page, person)
  await page.waitForURL(/\/channels/)
  expect((await whoIs(page)).username).toBe(person)
  await page.goBack()
  await expect.poll(() => page.url()).not.toMatch(/\/login\?.*code=/)
})

test('a known number keeps its account', async () => {
  const page = await phone()
  await start(page, 'weixin')
  await agree(page, newPerson())
  await page.waitForURL(/\/bindmobile/)
  const { mobile } = server.person('member')
  await bind(page, mobile)
  await page.waitForURL(/\/channels/)
  expect((await whoIs(page)).id).toBe(server.person('member').id)
})

test('cancelling leads back to the form, which says so', async () => {
  for (const [name, text] of [
    ['qq', '已取消 QQ 登录'],
    ['weixin', '已取消微信登录'],
  ] as const) {
    const page = await phone()
    await start(page, name)
    await page.getByRole('button', { name: '取消' }).click()
    await expect(page.locator('form')).toContainText(text)
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await picture(page, `third-party-cancelled-${name}`)
  }
})

test('a number of another account asks, and rebinds when it is told to', async () => {
  const first = await bound()
  const page = await phone()
  const person = newPerson()
  await start(page)
  await agree(page, person)
  await page.waitForURL(/\/bindmobile/)
  // The code that was sent a moment ago still spaces the next one.
  await server.database.pool.query(`delete from attempt where name = 'code spacing'`)
  await bind(page, first.mobile)
  const dialog = page.getByRole('alertdialog', { name: '账号绑定提示' })
  await expect(dialog).toContainText('重新绑定会清除该手机号原有的第三方登录信息，是否继续？')
  await expectAccessible(page)
  await picture(page, 'third-party-rebind')
  await dialog.getByRole('button', { name: '取消' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: '绑定并登录' }).click()
  await dialog.getByRole('button', { name: '继续绑定' }).click()
  await page.waitForURL(/\/channels/)
  expect((await whoIs(page)).id).toBe((await whoIs(first.page)).id)
})

test('without an account to bind, the page leads to the login', async () => {
  const page = await phone()
  await page.goto('/bindmobile')
  await page.waitForURL(/\/login$/)
})

test('what is missing or wrong is shown under its field', async () => {
  const page = await phone()
  await start(page)
  await agree(page, newPerson())
  await page.waitForURL(/\/bindmobile/)
  await page.getByRole('button', { name: '绑定并登录' }).click()
  await page.getByText('请输入手机号').waitFor()
  await page.getByText('请输入验证码').waitFor()
  await page.getByLabel('手机号').fill('123')
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByText('手机号格式错误').waitFor()
  await page.getByLabel('手机号').fill(newNumber())
  await page.getByLabel('验证码', { exact: true }).fill('000000')
  await page.getByRole('button', { name: '绑定并登录' }).click()
  await page.getByText('验证码已失效，请重新获取').waitFor()
})

test('the return of somebody else logs nobody in', async () => {
  const attacker = await phone()
  await start(attacker)
  const back = await returnOf(attacker, newPerson())
  const victim = await phone()
  // Also while the victim has begun a login of their own.
  for (const hasBegun of [false, true]) {
    if (hasBegun) await start(victim)
    await victim.goto(back)
    await expect(victim.locator('form')).toContainText('登录未完成或已失效，请重新登录')
    await expect.poll(() => new URL(victim.url()).search).toBe('')
    await expectStored(victim, 'authorization', null)
  }
  await picture(victim, 'third-party-forged')
  // And the way to try again works.
  await start(victim)
})

test('a state without a nonce, and one that was made up, log nobody in', async () => {
  const page = await phone()
  await start(page)
  const back = new URL(await returnOf(page, newPerson()))
  for (const state of ['qqlogin', 'qqlogin.madeup', 'wxlogin']) {
    back.searchParams.set('state', state)
    await page.goto(back.href)
    await expect(page.locator('form')).toContainText('登录未完成或已失效，请重新登录')
  }
})

test('a return counts once', async () => {
  const { person } = await bound()
  const page = await phone()
  await start(page)
  const back = await returnOf(page, person)
  await page.goto(back)
  await page.waitForURL(/\/channels/)
  await page.evaluate(() => localStorage.clear())
  await page.goto(back)
  await expect(page.locator('form')).toContainText('登录未完成或已失效，请重新登录')
})

test('the return leads to no other site', async () => {
  const { person } = await bound()
  for (const redir of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
    const page = await phone()
    await start(page, 'qq', `/login?redir=${encodeURIComponent(redir)}`)
    await agree(page, person)
    await page.waitForURL(/\/channels/)
    await expect.poll(() => new URL(page.url()).origin).toBe(server.url)
  }
})

for (const locale of ['zh-CN', 'en-US'] as const)
  test(`the screens are accessible, in ${locale}`, async () => {
    const page = await phone({ locale })
    await page.goto('/login')
    await page.getByRole('link', { name: /^QQ/ }).waitFor()
    await look(page, `third-party-login-${locale}`)
    await start(page)
    await look(page)
    await agree(page, '一个名字特别特别特别特别特别特别特别特别长的人')
    await page.waitForURL(/\/bindmobile/)
    await page.getByRole('button', { name: /^(绑定并登录|Bind and log in)$/ }).waitFor()
    await look(page, `third-party-bind-${locale}`)
    await expectFits(page)
  })

for (const locale of ['zh-CN', 'en-US'] as const)
  test(`a linked account is unlinked by its owner and logs nobody in, in ${locale}`, async () => {
    const t = (chinese: string, english: string) => (locale === 'en-US' ? english : chinese)
    const { person, mobile } = await bound()
    const { page, token } = await loggedIn(person, { locale })
    await page.goto('/account')
    await page.getByRole('link', { name: t('第三方账号', 'Linked accounts') }).click()
    await expect(page).toHaveURL(/\/account\/linked$/)
    const rows = page.locator('[data-part=linked]')
    await expect(rows).toHaveCount(2)
    await expect(rows.filter({ hasText: 'QQ' })).toContainText(t('绑定于', 'Linked'))
    await expect(rows.filter({ hasText: t('微信', 'WeChat') })).toContainText(t('未绑定', 'Not linked'))
    await look(page, `linked-${locale}`)
    await page.getByRole('button', { name: t('解绑 QQ', 'Unlink QQ'), exact: true }).click()
    const done = page.getByRole('button', { name: t('解绑 QQ', 'Unlink QQ'), exact: true })
    await done.click()
    await expect(page.getByText(t('请输入验证码', 'Please enter verification code'))).toBeVisible()
    await look(page, `linked-proof-${locale}`)
    await server.database.pool.query(`delete from attempt where name = 'code spacing'`)
    await page.getByRole('button', { name: /^(获取验证码|Get code)$/i }).click()
    await page.getByRole('button', { name: /秒后重新发送|seconds to resend/ }).waitFor()
    const code = await server.codeFor(mobile)
    const own = page.getByLabel(/^(验证码（发送至|Code sent to)/)
    await own.fill(code === '000000' ? '111111' : '000000')
    await done.click()
    await expect(own).toHaveAttribute('aria-invalid', 'true')
    await own.fill(code)
    await done.click()
    await expect(rows.filter({ hasText: 'QQ' })).toContainText(t('未绑定', 'Not linked'))
    // The session stays, the way in is closed.
    expect(await server.as({ token }).refusal(userState)).toBe('none')
    const other = await phone()
    await start(other)
    await agree(other, person)
    await other.waitForURL(/\/bindmobile/)
  })

test('an account is linked where it is listed, by its owner, and that of somebody else is not', async () => {
  const linkOf = (page: Page) => page.getByRole('link', { name: '绑定微信' })
  const { person: taken } = await bound()
  const { page, person, mobile } = await bound()
  await page.goto('/account/linked')
  await linkOf(page).click()
  await page.getByRole('button', { name: '取消' }).click()
  await expect(page).toHaveURL(/\/account\/linked$/)
  await expect(page.getByRole('alert').filter({ hasText: '已取消绑定微信' })).toBeVisible()
  await look(page, 'linked-cancelled')

  await linkOf(page).click()
  await agree(page, person)
  await expect(page).toHaveURL(/\/account\/linked$/)
  const done = page.getByRole('button', { name: '绑定微信', exact: true })
  await done.waitFor()
  await look(page, 'linked-confirm')
  await server.database.pool.query(`delete from attempt where name = 'code spacing'`)
  // The minute after the code that this phone logged in with.
  await page.context().clearCookies({ name: /^code_sent_/ })
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  await page.getByLabel(/^验证码（发送至/).fill(await server.codeFor(mobile))
  await done.click()
  const row = page.locator('[data-part=linked]').filter({ hasText: '微信' })
  await expect(row).toContainText('绑定于')
  const other = await phone()
  await start(other, 'weixin')
  await agree(other, person)
  await other.waitForURL(/\/channels/)
  expect((await whoIs(other)).id).toBe((await whoIs(page)).id)

  // Somebody without an account at QQ comes back with one that is linked elsewhere.
  const { password } = server.person('outsider')
  const stranger = await phone()
  await stranger.addInitScript(
    (it) => localStorage.setItem('authorization', it),
    await server.login('outsider'),
  )
  await stranger.goto('/account/linked')
  await stranger.getByRole('link', { name: '绑定 QQ' }).click()
  await agree(stranger, taken)
  await stranger.getByLabel('当前密码').fill(password)
  await stranger.getByRole('button', { name: '绑定 QQ', exact: true }).click()
  await expect(stranger.getByRole('alert').filter({ hasText: '这个第三方账号已绑定其他用户' })).toBeVisible()
})

test('where no third party is offered, the account says nothing of them', async () => {
  const { page } = await bound()
  await page.addInitScript(() => Object.defineProperty(document, 'cookie', { get: () => '' }))
  await page.goto('/account')
  await page.getByRole('link', { name: '登录设备' }).waitFor()
  await expect(page.getByRole('link', { name: '第三方账号' })).toHaveCount(0)
})

test('inside of WeChat its official account asks, and it is the same person as outside', async () => {
  const person = newPerson()
  const inside = await phone({ userAgent: 'Mozilla/5.0 (iPhone) Mobile/15E148 MicroMessenger/8.0.50' })
  await start(inside, 'weixin')
  expect(inside.url()).toContain('/connect/oauth2/authorize?')
  await agree(inside, person)
  await inside.waitForURL(/\/bindmobile/)
  await bind(inside, newNumber())
  await inside.waitForURL(/\/channels/)
  const outside = await phone()
  await start(outside, 'weixin')
  expect(outside.url()).toContain('/connect/qrconnect?')
  await agree(outside, person)
  await outside.waitForURL(/\/channels/)
  expect((await whoIs(outside)).id).toBe((await whoIs(inside)).id)
})

test('a keyboard reaches the providers', async () => {
  const page = await phone()
  await page.goto('/login')
  const link = page.getByRole('link', { name: '微信登录' })
  await link.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '同意' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/bindmobile/)
})

test('while the provider is asked, the page says so; without an answer, it says that too', async () => {
  const page = await phone()
  await start(page)
  const held = Promise.withResolvers<void>()
  await page.route('**/third-part-login', async (route) => {
    await held.promise
    await route.abort()
  })
  await agree(page, newPerson())
  await page.getByText('正在通过 QQ 登录…').waitFor()
  await expectAccessible(page)
  await picture(page, 'third-party-waiting')
  held.resolve()
  await expect(page.locator('form')).toContainText('网络错误')
})
