/**
 * The list of members and what may be done to them: groups, search, badges, a card, mutes, kicks and bans.
 */
import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import type { PersonName } from '../../server/src/demo/world.ts'
import { pngOf } from '../../server/src/testing/picture.ts'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { expectFits } from '../ask.ts'
import { look } from '../look.ts'
import { expectAccessible, openBrowser, openPhone, type Phone, picture } from '../phone.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'

let server: TestServer
let browser: Browser
let phones: Phone[] = []

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
  // The others keep their letters.
  const owner = server.as('owner')
  const { url: avatar } = await owner.upload(await pngOf(64, 64, 'orange'), 'face.png')
  await owner.call(updateSelf, { avatar })
})
test.afterEach(async () => {
  for (const phone of phones) expect(phone.complaints).toEqual([])
  await Promise.all(phones.map((phone) => phone.close()))
  phones = []
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const room = () => `/channels/${server.guildId}/${server.channel('闲聊')}`
const list = () => `/channels/userlist/${server.guildId}`

async function open(
  name: PersonName,
  path: string,
  options: Parameters<typeof openPhone>[2] = {},
): Promise<Page> {
  const phone = await openPhone(browser, server.url, options)
  phones.push(phone)
  const token = await server.login(name)
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await phone.page.goto(path)
  return phone.page
}
const heads = (page: Page) => page.locator('[data-part=members] h2')
const member = (page: Page, name: string) => page.locator('[data-part=member]', { hasText: name })

test('somebody who is no member sees why the list is closed, and what to do instead', async () => {
  const page = await open('outsider', list())
  await expect(page.getByText('看不到成员列表')).toBeVisible()
  await expect(page.getByRole('link', { name: '回到我的公会' })).toBeVisible()
  await expectAccessible(page)
})

test('a member of a channel who may not view it does not see who does', async () => {
  const page = await open('member', `${list()}?c=${server.channel('值班室')}`)
  await expect(page.getByText('看不到成员列表')).toBeVisible()
})

test(`groups, badges and a search by pinyin`, async () => {
  await open('owner', room(), { userAgent: IPHONE })
  await open('admin', room())
  const page = await open('member', room(), { userAgent: IPHONE })
  await page.getByRole('button', { name: '成员列表' }).tap()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('闲聊')
  await expect(heads(page)).toHaveText(['管理员 (1)', '主播 (1)', '在线 (1)', '离线 (2)'])
  await expect(member(page, '小满')).toContainText('服主')
  await expect(member(page, '小满')).toContainText('手机在线')
  await expect(member(page, '阿澈')).toContainText('管理员')
  await look(page, 'members')

  await page.getByRole('searchbox', { name: '搜索成员' }).fill('xm')
  await expect(page.locator('[data-part=member]')).toHaveCount(1)
  await expect(member(page, '小满')).toBeVisible()
  await page.getByRole('searchbox', { name: '搜索成员' }).fill('没有这个人')
  await expect(page.getByText('没有找到成员').last()).toBeVisible()
  await look(page, 'members-none')
  await page.getByRole('searchbox', { name: '搜索成员' }).fill('')

  await member(page, '小满').tap()
  const card = page.getByRole('dialog', { name: '成员资料' })
  await expect(card).toContainText('手机在线')
  await expect(card.getByRole('button', { name: '封禁' })).toHaveCount(0)
  await look(page, 'members-card')
  await card.getByRole('button', { name: '关闭' }).tap()
  await page.getByRole('button', { name: '返回' }).tap()
  await page.locator('[data-part=composer-input]').waitFor()
})

test('the list follows who comes and goes, and arrow keys move in it', async () => {
  const page = await open('member', list(), { isDesk: true })
  await expect(heads(page)).toHaveText(['主播 (1)', '离线 (4)'])
  await open('owner', room())
  await expect(heads(page)).toHaveText(['主播 (1)', '在线 (1)', '离线 (3)'])
  await picture(page, 'members-desk')
  await page.locator('[data-part=member]').first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(member(page, '小满')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: '成员资料' })).toBeVisible()
})

test('who may not write sees until when, and may again when it is taken back or over', async () => {
  const owner = await open('owner', list())
  const page = await open('member', room())
  const composer = page.locator('[data-part=composer-input]')
  await expect(composer).toBeEnabled()
  // Rows change positions when somebody comes online.
  await expect(heads(owner)).toHaveText(['主播 (1)', '在线 (1)', '离线 (3)'])
  const card = async () => {
    await member(owner, '南枝').tap()
    return owner.getByRole('dialog', { name: '成员资料' })
  }
  await (await card()).getByRole('button', { name: '禁言', exact: true }).tap()
  await picture(owner, 'members-mute')
  await owner.getByRole('dialog', { name: '禁言多久？' }).getByRole('button', { name: '10 分钟' }).tap()
  await expect(composer).toBeDisabled()
  await expect(composer).toHaveAttribute('placeholder', /你已被禁言，.*恢复/)
  await picture(page, 'composer-muted')
  await expectAccessible(page)
  await owner.getByRole('button', { name: /解除禁言/ }).tap()
  await expect(composer).toBeEnabled()

  await owner.getByRole('button', { name: '禁言', exact: true }).tap()
  await owner.getByRole('dialog', { name: '禁言多久？' }).getByRole('button', { name: '10 分钟' }).tap()
  await expect(composer).toBeDisabled()
  await sql`update guild_mute set ends_at = ${Date.now() + 1_500}`.execute(server.database.db)
  await page.reload()
  await expect(composer).toBeEnabled()
})

test('a nickname, a kick and a ban, each after asking', async () => {
  const owner = await open('owner', list(), { locale: 'en-US', theme: 'dark' })
  const page = await open('muted', room())
  await page.locator('[data-part=composer-input]').waitFor()
  // Rows change positions when somebody comes online.
  await expect(heads(owner)).toHaveText(['Online (2)', 'Offline (3)'])
  await member(owner, '话太多').tap()
  await owner.getByRole('button', { name: 'Change nickname' }).tap()
  const nickname = owner.getByRole('textbox', { name: /^Nickname of/ })
  await nickname.fill('x')
  await owner.getByRole('button', { name: 'Save' }).tap()
  await expect(owner.getByText('A nickname has 2 to 64 characters')).toBeVisible()
  await picture(owner, 'members-nickname')
  await nickname.fill('话少了')
  await owner.getByRole('button', { name: 'Save' }).tap()
  await expect(owner.getByRole('dialog', { name: 'Member' })).toContainText('话少了')

  await owner.getByRole('button', { name: 'Remove from guild' }).tap()
  await picture(owner, 'members-kick')
  await expectAccessible(owner)
  await owner
    .getByRole('alertdialog', { name: /^Remove 话少了/ })
    .getByRole('button', { name: 'Cancel' })
    .tap()
  await owner.getByRole('button', { name: 'Ban' }).tap()
  await picture(owner, 'members-ban')
  await owner.getByRole('radio', { name: 'Last 7 days' }).tap()
  await owner.getByRole('dialog', { name: /^Ban/ }).getByRole('button', { name: 'Ban', exact: true }).tap()
  await expect(member(owner, '话少了')).toHaveCount(0)
  // Whoever is banned is led out of the room.
  await expect(page).not.toHaveURL(new RegExp(`/${server.guildId}/`))
})

test('nothing overflows, on a phone and at a desk', async () => {
  for (const [widths, options] of [
    [[360, 430], {}],
    [[768, 1280], { isDesk: true }],
  ] as const) {
    const page = await open('owner', list(), options)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      await page.locator('[data-part=member]').first().waitFor()
      await expectFits(page)
    }
  }
})

test('a list of ten thousand is loaded page by page, and only what is on screen is drawn', async () => {
  await sql`
    with added as (
      insert into "user" (username, identify_num, mobile_prefix, mobile, mobile_verified, created_at)
      select '群众' || n, '0001', '86', (12000000000 + n)::text, true, 0 from generate_series(1, 10000) n returning id
    )
    insert into membership (guild_id, user_id, joined_at) select ${server.guildId}, id, 0 from added`.execute(
    server.database.db,
  )
  await server.stop()
  await server.start()
  const page = await open('owner', list())
  await expect(heads(page).last()).toHaveText(/离线 \(10\d\d\d\)/)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/users-v2/'))
      asked.push(new URL(request.url()).searchParams.get('offset') ?? '')
  })
  // The end moves when a page has arrived.
  const askedAtEnd = async () => {
    await page.locator('[data-part=members]').evaluate((box) => box.scrollTo(0, box.scrollHeight))
    return asked
  }
  for (let turn = 1; turn <= 3; turn += 1) await expect.poll(askedAtEnd).toContain(String(turn * 50))
  await expect.poll(() => page.locator('[data-part=member]').count()).toBeLessThan(60)
})
