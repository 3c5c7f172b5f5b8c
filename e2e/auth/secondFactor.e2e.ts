/** The second factor: turned on, asked for by every login, its recovery codes, turned off. */
import { readFile } from 'node:fs/promises'
import { beginSecondFactor, confirmSecondFactor } from '@guildhall/wire/auth/secondFactor.ts'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import decodeQR from 'qr/decode.js'
import sharp from 'sharp'
import type { PersonName } from '../../server/src/demo/world.ts'
import { agree } from '../../server/src/testing/pay/providerServer.ts'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { atRest, expectStored } from '../ask.ts'
import { look } from '../look.ts'
import { openBrowser, openPhone, type Phone } from '../phone.ts'

let server: TestServer
let browser: Browser
const phones: Phone[] = []
/** The steps whose codes a test has used, by secret. */
const used = new Map<string, number>()

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

async function open(
  path: string,
  options: Parameters<typeof openPhone>[2] & { token?: string } = {},
): Promise<Page> {
  const { token, ...rest } = options
  const phone = await openPhone(browser, server.url, rest)
  phones.push(phone)
  await phone.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  if (token) await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await phone.page.goto(path)
  return phone.page
}

const STEP_MS = 30_000
/**
 * A code that no call has used: of now, or of the next step. That of the step before may be too old when it
 * arrives.
 */
function freshCode(secret: string): string {
  const step = Math.max((used.get(secret) ?? 0) + 1, Math.floor(Date.now() / STEP_MS))
  used.set(secret, step)
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: step * STEP_MS })
}
function wrongCode(secret: string): string {
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  const near = [-3, -2, -1, 0, 1, 2, 3].map((at) => app.generate({ timestamp: Date.now() + at * STEP_MS }))
  return ['000000', '111111', '222222'].find((code) => !near.includes(code)) ?? '333333'
}

/** What a reader of QR codes sees on the screen. */
async function readQr(page: Page): Promise<string> {
  const shot = await page.getByRole('img', { name: /二维码|QR code/ }).screenshot()
  const { data, info } = await sharp(shot).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return decodeQR({ width: info.width, height: info.height, data: new Uint8Array(data) })
}

interface Factor {
  readonly secret: string
  readonly recovery: string[]
}
const factors = new Map<PersonName, Factor>()
/** Turns it on by the calls, for the tests of what follows. */
async function guarded(name: PersonName): Promise<Factor> {
  const known = factors.get(name)
  if (known) return known
  const { call } = server.as(name)
  const owner = { password: server.person(name).password }
  const { secret, setup } = await call(beginSecondFactor, { owner })
  const { recovery_codes } = await call(confirmSecondFactor, { setup, code: freshCode(secret) })
  const factor = { secret, recovery: recovery_codes }
  factors.set(name, factor)
  return factor
}
const isEnglish = (locale?: string) => locale === 'en-US'
const dialogOf = (page: Page) => page.locator('[data-part=second-factor]')

async function logInByPassword(page: Page, name: PersonName): Promise<void> {
  const { mobile, password } = server.person(name)
  await page.getByRole('tab', { name: /^(密码登录|Password login)$/i }).click()
  await page.getByLabel(/^(手机号|Mobile number)$/).fill(mobile)
  await page.getByLabel(/^(密码|Password)$/).fill(password)
  await page.getByRole('button', { name: /^(登录|Log in)$/ }).click()
}

for (const locale of ['zh-CN', 'en-US'] as const)
  test(`turning it on and off and a login, in ${locale}`, async () => {
    const name = isEnglish(locale) ? 'admin' : 'owner'
    const { password } = server.person(name)
    const page = await open('/account', { locale, token: await server.login(name) })
    const t = (chinese: string, english: string) => (isEnglish(locale) ? english : chinese)
    const row = page.getByRole('link', { name: t('两步验证', 'Two-step verification') })
    await expect(row).toContainText(t('未开启', 'Off'))
    await row.click()
    await expect(page).toHaveURL(/\/account\/second-factor$/)
    await page.getByRole('button', { name: t('开启两步验证', 'Turn on') }).waitFor()
    await look(page, `second-factor-off-${locale}`)

    await page.getByRole('button', { name: t('开启两步验证', 'Turn on') }).click()
    const next = page.getByRole('button', { name: t('下一步', 'Next') })
    await next.click()
    await expect(page.getByText(t('请输入当前密码', 'Please enter your current password'))).toBeVisible()
    await page.getByLabel(t('当前密码', 'Current password'), { exact: true }).fill('nobody1')
    await next.click()
    await expect(page.getByText(t('当前密码错误', 'Wrong current password'))).toBeVisible()
    await look(page, `second-factor-owner-${locale}`)
    await page.getByLabel(t('当前密码', 'Current password'), { exact: true }).fill(password)
    await next.click()

    await page.getByRole('img', { name: t('二维码', 'QR code') }).waitFor()
    const written = await atRest(() => page.locator('[data-part=secret]').innerText())
    const secret = written.replace(/\s/g, '')
    const link = page.getByRole('link', { name: /验证器|app on this device/ })
    const address = (await atRest(() => link.getAttribute('href'))) ?? ''
    expect(new URL(address).searchParams.get('secret')).toBe(secret)
    await expect(async () => expect(await readQr(page)).toBe(address)).toPass()
    const turnOn = page.getByRole('button', { name: t('开启两步验证', 'Turn on') })
    await page.getByLabel(t('动态验证码', 'Authenticator code')).fill(wrongCode(secret))
    await turnOn.click()
    await expect(page.getByText(t('两步验证码错误', 'wrong authenticator code'))).toBeVisible()
    await look(page, `second-factor-setup-${locale}`)
    await page.getByLabel(t('动态验证码', 'Authenticator code')).fill(freshCode(secret))
    await turnOn.click()

    const codes = page.getByRole('list', { name: t('恢复码', 'Recovery codes') }).locator('li')
    await expect(codes).toHaveCount(10)
    const recovery = await atRest(() => codes.allTextContents())
    await page.getByRole('button', { name: t('完成', 'Done') }).click()
    await expect(page.getByText(t('请先保存恢复码并勾选确认', 'Keep the codes first'))).toBeVisible()
    await look(page, `second-factor-codes-${locale}`)
    await page.getByRole('button', { name: t('复制', 'Copy'), exact: true }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(recovery.join('\n'))
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('保存为文件', 'Save as a file') }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toContain(recovery.join('\n'))
    await page
      .getByRole('checkbox', { name: t('我已保存好恢复码', 'I have kept the recovery codes') })
      .check()
    await page.getByRole('button', { name: t('完成', 'Done') }).click()
    await page.getByText(t('剩余 10 个恢复码', '10 recovery codes left')).waitFor()
    await look(page, `second-factor-on-${locale}`)

    const login = await open('/login', { locale })
    await logInByPassword(login, name)
    const dialog = dialogOf(login)
    const code = dialog.getByLabel(t('动态验证码', 'Authenticator code'))
    await expect(code).toBeFocused()
    await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
    await code.fill(wrongCode(secret))
    await dialog.getByRole('button', { name: t('确定', 'Confirm') }).click()
    await expect(dialog.getByText(t('两步验证码错误', 'wrong authenticator code'))).toBeVisible()
    await expect(code).toBeFocused()
    await look(login, `second-factor-dialog-${locale}`)
    await dialog.getByRole('button', { name: t('输入恢复码', 'Use a recovery code') }).click()
    await dialog.getByLabel(t('恢复码', 'Recovery code')).fill(recovery[0]!.toLowerCase())
    await look(login, `second-factor-recovery-${locale}`)
    await login.keyboard.press('Enter')
    await login.waitForURL(/\/channels/)

    await page.getByRole('button', { name: t('关闭两步验证', 'Turn off') }).click()
    await page.getByLabel(t('当前密码', 'Current password'), { exact: true }).fill(password)
    await page.getByRole('button', { name: t('关闭两步验证', 'Turn off') }).click()
    await dialogOf(page).getByLabel(t('动态验证码', 'Authenticator code')).fill(freshCode(secret))
    await page.keyboard.press('Enter')
    await expect(
      page.getByRole('heading', { name: t('两步验证未开启', 'Two-step verification is off') }),
    ).toBeVisible()
  })

test('closing the dialog leaves the login as it was, and the next try asks again', async () => {
  const { secret } = await guarded('owner')
  const page = await open('/login')
  await logInByPassword(page, 'owner')
  await dialogOf(page).waitFor()
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/login$/)
  await expectStored(page, 'authorization', null)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await dialogOf(page).getByLabel('动态验证码').fill(freshCode(secret))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/channels/)
})

test('a login by a code asks for it, and needs no second text message', async () => {
  const { recovery } = await guarded('owner')
  const { mobile } = server.person('owner')
  const page = await open('/login')
  await page.getByLabel('手机号', { exact: true }).fill(mobile)
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  await page.getByLabel('验证码', { exact: true }).fill(await server.codeFor(mobile))
  await page.getByRole('button', { name: '登录', exact: true }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('动态验证码').fill('000000')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('两步验证码错误')).toBeVisible()
  await dialog.getByRole('button', { name: /输入恢复码/ }).click()
  await dialog.getByLabel('恢复码').fill(recovery[1]!)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/channels/)
})

test('a login by a third party asks for it, also after a wrong code', async () => {
  const { recovery } = await guarded('member')
  const { mobile } = server.person('member')
  const who = '两步的人'
  const start = async (page: Page) => {
    await page.goto('/login')
    await page.getByRole('link', { name: 'QQ 登录' }).click()
    await page.getByRole('button', { name: '同意' }).waitFor()
    await page.goto((await agree(page.url(), who)).href)
  }
  const page = await open('/login')
  await start(page)
  await page.waitForURL(/\/bindmobile/)
  await page.getByLabel('手机号', { exact: true }).fill(mobile)
  await page.getByLabel('验证码', { exact: true }).fill(await server.askCode(mobile, 'login'))
  await page.getByRole('button', { name: '绑定并登录' }).click()
  await dialogOf(page)
    .getByRole('button', { name: /输入恢复码/ })
    .click()
  await dialogOf(page).getByLabel('恢复码').fill(recovery[2]!)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/channels/)

  const other = await open('/login')
  await start(other)
  const dialog = dialogOf(other)
  await dialog.getByLabel('动态验证码').fill('000000')
  await other.keyboard.press('Enter')
  await expect(dialog.getByText('两步验证码错误')).toBeVisible()
  await dialog.getByRole('button', { name: /输入恢复码/ }).click()
  await dialog.getByLabel('恢复码').fill(recovery[3]!)
  await other.keyboard.press('Enter')
  await other.waitForURL(/\/channels/)
})
