/**
 * The pages around the product: what the operator says, an invite kept for a login, what is found and what is
 * announced.
 */
import { expect, test } from '@playwright/test'
import { expectStored } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'
import { expectAccessible, picture } from '../phone.ts'

const fixture = useFixture([], {
  SITE_CONTACT: '商务合作：hello@example.com',
  SITE_COPYRIGHT: '© 2026 示例科技有限公司',
  SITE_RECORDS: '京ICP备2026000001号 https://beian.miit.gov.cn; 京公网安备11010102001234号',
})

test('the landing page, an invite and a personal invite say what the operator has to say', async () => {
  const { page } = await fixture.open(undefined)
  await page.goto('/index.html')
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByText('商务合作：hello@example.com')).toBeVisible()
  const record = page.getByRole('link', { name: '京ICP备2026000001号' })
  await expect(record).toHaveAttribute('href', 'https://beian.miit.gov.cn')
  await expect(page.getByText('京公网安备11010102001234号')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'site-lines')
  await page.goto(`/invite/${fixture.server.invite}`)
  await expect(page.getByRole('link', { name: '京ICP备2026000001号' })).toBeVisible()
  await expect(page.getByText('© 2026 示例科技有限公司')).toBeVisible()
  await expectAccessible(page)
})

test('without scripts an invite says it too', async () => {
  const { page } = await fixture.open(undefined, { scripts: false })
  await page.goto(`/invite/${fixture.server.invite}`)
  await expect(page.getByText('京公网安备11010102001234号')).toBeVisible()
})

test('a guest sees a recommended guild, registers, and finds it', async () => {
  const { page } = await fixture.open(undefined)
  await page.goto('/')
  await look(page, 'site-start')
  await page.getByRole('link', { name: /像素工坊/ }).click()
  await expect(page.getByRole('heading', { name: '注册', exact: true })).toBeVisible()
  await look(page, 'site-register')
  const mobile = '13811110091'
  await page.getByLabel('手机号').fill(mobile)
  await page.getByRole('button', { name: '获取验证码' }).click()
  await expect(page.getByRole('button', { name: /秒后重新发送/ })).toBeVisible()
  await page.getByLabel('验证码', { exact: true }).fill(await fixture.server.codeFor(mobile))
  await page.getByRole('button', { name: '注册', exact: true }).click()
  await expect(page).toHaveURL(/\/discover\?search=/)
  await expect(page.getByRole('article', { name: '像素工坊' })).toBeVisible()
})

test('an invite that a guest kept waits at /home, and is accepted with the login', async () => {
  const { page, context } = await fixture.open(undefined)
  await page.goto('/home')
  await expect(page).toHaveURL(/\/$/)
  await page.evaluate(
    ([id, code]) => localStorage.setItem('pending_join', JSON.stringify({ id, code })),
    [fixture.server.guildId, fixture.server.invite],
  )
  await page.goto('/home')
  const guild = fixture.server.world.guilds[0]!.name
  await expect(page.getByText(`登录后即可加入「${guild}」`)).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'site-home')
  await page.getByRole('link', { name: '登录 / 注册' }).click()
  await expect(page).toHaveURL(/\/login/)
  const token = await fixture.server.login('member')
  await context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await page.goto('/home')
  await expect(page).toHaveURL(new RegExp(`/channels/${fixture.server.guildId}`))
  await expectStored(page, 'pending_join', null)
})

test('an invite that a guest does not want any more is forgotten', async () => {
  const { page } = await fixture.open(undefined)
  await page.goto('/')
  await page.evaluate(
    (code) => localStorage.setItem('pending_join', JSON.stringify({ id: '1', code })),
    fixture.server.invite,
  )
  await page.goto('/home')
  await page.getByRole('button', { name: '暂不加入' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expectStored(page, 'pending_join', null)
})

test(`what is found stands beside the rail, which marks it`, async () => {
  const page = await fixture.enter('member', `/channels/${fixture.server.guildId}`)
  await page.getByRole('link', { name: '发现' }).click()
  await expect(page).toHaveURL(/\/discover$/)
  await expect(page).toHaveTitle(/^发现/)
  await expect(page.getByRole('heading', { name: '像素工坊' })).toBeVisible()
  await expect(page.getByRole('link', { name: '发现' })).toHaveAttribute('aria-current', 'page')
  await look(page, 'site-discover')
  await page.getByRole('link', { name: fixture.server.world.guilds[0]!.name }).click()
  await expect(page).toHaveURL(new RegExp(`/channels/${fixture.server.guildId}`))
})

test('the rail begins with the app’s icon, which leads to the way out where there is no app', async () => {
  const page = await fixture.enter('member', `/channels/${fixture.server.guildId}`)
  await page
    .getByRole('navigation', { name: '我的公会' })
    .getByRole('button', { name: '公会厅', exact: true })
    .click()
  await expect(page.getByRole('button', { name: '退出登录' })).toBeVisible()
})

test('the activity is a picture with words for who does not see it, and the refund a notice', async () => {
  const { page } = await fixture.open(undefined)
  await page.goto('/activity/kook717')
  await expect(page.getByRole('img', { name: /大厅灯火夜/ })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/buff-refund-info')
  await expect(page.getByText('BUFF 会员退款通道将于 2024 年 7 月 1 日开放')).toBeVisible()
  await expectAccessible(page)
})

test('an invite without a code shows nothing', async () => {
  const { page } = await fixture.open(undefined)
  for (const path of ['/invite', '/user-invite']) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await expect(page.locator('#root')).toHaveText('')
  }
})

test('a service worker that was registered here before is removed', async () => {
  const { page } = await fixture.open(undefined)
  await page.goto('/')
  const count = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
  // Any script of this address does that runs without a page.
  await page.evaluate(async () => {
    const scripts: string[] = JSON.parse(document.getElementById('preloads')?.textContent ?? '[]')
    const script = scripts.find((it) => it.includes('runtime'))
    await navigator.serviceWorker.register(script ?? '', { type: 'module' })
  })
  await expect.poll(count).toBe(1)
  await page.reload()
  await expect.poll(count).toBe(0)
})
