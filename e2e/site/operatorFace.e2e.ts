/**
 * A site with the face of its operator: name, logo, colours and words of a folder, on a phone and at a desk.
 */
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

const fixture = useFixture([], {
  SITE_DIR: path.join(import.meta.dirname, '../../deploy/site.example'),
})
const DEVICES = [
  ['phone', false],
  ['desk', true],
] as const

const variable = (page: Page, name: string) =>
  page.evaluate((it) => getComputedStyle(document.documentElement).getPropertyValue(it), name)

for (const [device, isDesk] of DEVICES)
  test(`at a ${device} a guest sees the operator's name, colours and words from the first paint on`, async () => {
    const { page } = await fixture.open(undefined, { isDesk })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/')
    await expect(page).toHaveTitle('灯塔社')
    await expect(page.getByRole('heading', { name: '灯塔社' })).toBeVisible()
    await expect(page.getByText('夜里也有人在')).toBeVisible()
    await expect(page.getByText('联系我们：club@example.com')).toBeVisible()
    expect(await variable(page, '--brand')).toBe('#9a3412')
    await expect(page.locator('meta[name="theme-color"]')).toHaveAttribute('content', '#faf5ef')
    // Nothing is asked for the name: it is in the document.
    expect(asked.filter((it) => it.startsWith('/api/') && !it.endsWith('/site/info'))).toEqual([])
    await look(page, `face-landing-${device}`)
    await page.getByRole('button', { name: 'English' }).click()
    await expect(page).toHaveTitle('Lighthouse')
    await expect(page.getByText('Somebody is always up')).toBeVisible()
    await look(page, `face-landing-en-${device}`)
    await page.getByRole('link', { name: 'Privacy policy' }).click()
    await expect(page.getByText('Security log:')).toBeVisible()
    await look(page, `face-privacy-en-${device}`)
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'Log in', exact: true })).toBeVisible()
    await look(page, `face-login-${device}`)
    await page.goto(`/invite/${fixture.server.invite}`)
    await expect(page).toHaveTitle(/Lighthouse$/)
    await expect(page.locator('.invite-product')).toHaveText('Lighthouse')
    await expect(page.locator('meta[name="theme-color"]')).toHaveAttribute('content', '#17120f')
    await look(page, `face-invite-${device}`)
  })

for (const [device, isDesk] of DEVICES)
  test(`at a ${device} a member finds the same face in rooms and in the account`, async () => {
    const { server } = fixture
    const at = `/channels/${server.guildId}/${server.channel('闲聊')}`
    const page = await fixture.enter('member', at, { isDesk })
    await expect(page.getByRole('heading', { name: '闲聊', exact: true })).toBeVisible()
    await look(page, `face-room-${device}`)
    await page.goto(`/channels/${server.guildId}`)
    // At a desk the room that was open last is beside the channels. The served page has the site's name
    // alone.
    await expect(page).toHaveTitle(isDesk ? '#闲聊 · 深夜电台' : '深夜电台 · 灯塔社')
    await look(page, `face-channels-${device}`)
    await page.goto('/account')
    await expect(page.getByRole('heading', { name: '我的账号', exact: true })).toBeVisible()
    await expect(page).toHaveTitle(/灯塔社$/)
    await look(page, `face-account-${device}`)
  })
