/** Friends: asking, accepting, refusing, removing, blocking; everybody's screens follow. */
import type { Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import type { PersonName } from '../../server/src/demo/world.ts'
import { expectFits } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { expectAccessible, picture } from '../phone.ts'

const fixture = useFixture()

const enter = (who: PersonName, options?: Parameters<typeof fixture.enter>[2]) =>
  fixture.enter(who, '/friends', options)
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const person = (page: Page, who: PersonName) =>
  page.locator('[data-part=friend]', { hasText: fixture.server.person(who).username })
const tagOf = async (who: PersonName) => {
  const { username, identify_num } = fixture.server.person(who)
  return `${username}#${identify_num}`
}
const add = (page: Page) => button(page, '添加好友').first().click()
async function send(page: Page, tag: string) {
  await page.getByRole('textbox', { name: '对方的名字和数字' }).fill(tag)
  await button(page, '发送申请').click()
}
async function ask(page: Page, tag: string) {
  await add(page)
  await send(page, tag)
}

test('what is no name, nobody, oneself, and who is not verified are refused under the field', async () => {
  const page = await enter('member')
  await page.getByText('还没有好友').waitFor()
  await add(page)
  for (const [typed, why] of [
    ['', '请输入名字和 # 后的数字，例如 小满#1234'],
    ['小满', '请输入名字和 # 后的数字，例如 小满#1234'],
    ['查无此人#0000', '没有找到这个人，请检查名字和 # 后的数字'],
    [await tagOf('member'), '不能对自己这样做'],
  ] as const) {
    await send(page, typed)
    await expect(page.getByText(why)).toBeVisible()
  }
  await expectAccessible(page)
  const unverified = await enter('unverified')
  await ask(unverified, await tagOf('owner'))
  await expect(unverified.getByText('请先完成手机验证，再添加好友')).toBeVisible()
})

test('a request is refused, sent again and accepted; both see each other online, until one removes the other', async () => {
  const asker = await enter('member')
  const asked = await enter('owner', { theme: 'dark' })
  await ask(asker, await tagOf('owner'))
  await expect(person(asker, 'owner')).toContainText('等待对方接受')
  await button(asked, /^拒绝/).click()
  await expect(person(asker, 'owner')).toHaveCount(0)
  await ask(asker, await tagOf('owner'))
  await picture(asked, 'friends-request-dark')
  await expectAccessible(asked)
  await button(asked, /^接受/).dblclick()
  for (const [page, other] of [
    [asker, 'owner'],
    [asked, 'member'],
  ] as const) {
    await page.getByRole('heading', { name: '在线 (1)' }).waitFor()
    await expect(person(page, other)).toContainText('在线')
  }
  await picture(asker, 'friends')
  await expectAccessible(asker)
  await button(asker, /更多操作/).click()
  await picture(asker, 'friends-menu')
  await expectAccessible(asker)
  await button(asker, '删除好友').click()
  await asker
    .getByRole('alertdialog', { name: /^确定要删除好友/ })
    .getByRole('button', { name: '删除好友' })
    .click()
  for (const page of [asker, asked]) await page.getByText('还没有好友').waitFor()
})

test('requests that cross make friends, and a count leads to requests from the channels', async () => {
  const asked = await enter('owner')
  await asked.goto('/channels/')
  const asker = await enter('admin')
  await ask(asker, await tagOf('owner'))
  await button(asked, /1 个好友申请/).click()
  await asked.getByRole('link', { name: /好友/ }).click()
  await ask(asked, await tagOf('admin'))
  for (const page of [asker, asked]) await page.getByRole('heading', { name: '在线 (1)' }).waitFor()
})

test('a blocked person is no friend any more, asks in vain, and learns nothing; unblocked, they ask again', async () => {
  const page = await enter('owner')
  await page
    .getByRole('heading', { name: '在线 (0)' })
    .or(page.getByRole('heading', { name: '离线 (1)' }))
    .waitFor()
  await button(page, /更多操作/).click()
  await button(page, '屏蔽').click()
  await expect(page.getByText('你们不再是好友，对方不能给你发私信')).toBeVisible()
  await page
    .getByRole('alertdialog', { name: /^确定要屏蔽/ })
    .getByRole('button', { name: '屏蔽' })
    .click()
  await page.getByRole('heading', { name: '已屏蔽' }).waitFor()
  const blocked = await enter('admin')
  await ask(blocked, await tagOf('owner'))
  await expect(blocked.getByText('好友申请已发送')).toBeVisible()
  await page.reload()
  await page.getByRole('heading', { name: '已屏蔽' }).waitFor()
  await expect(page.getByRole('heading', { name: '好友申请' })).toHaveCount(0)
  await button(page, /^解除/).click()
  await page.getByText('还没有好友').waitFor()
  await ask(blocked, await tagOf('owner'))
  await button(page, /^接受/).waitFor()
})

for (const locale of ['zh-CN', 'en-US'] as const)
  test(`the screen fits from 360 to 1280 px, in ${locale}`, async () => {
    const page = await enter('owner', { locale, theme: 'light' })
    await button(page, /^接受|^Accept/).waitFor()
    for (const width of [360, 390, 900, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      await expectFits(page)
    }
    await expectAccessible(page)
    await picture(page, `friends-desk-${locale}`)
  })
