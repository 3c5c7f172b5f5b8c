/** A guild moderates itself: a rule is made on a phone, and a member's messages are stopped or wait. */
import { expect, type Page, test } from '@playwright/test'
import { expectFits } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

// A refused send is answered with a status that the browser reports.
const fixture = useFixture(['400 (Bad Request)'])

const settings = (query = '') => `/guild/settings/${fixture.server.guildId}/moderation${query}`
const room = () => `/channels/${fixture.server.guildId}/${fixture.server.channel('闲聊')}`

async function say(page: Page, text: string): Promise<void> {
  await page.locator('[data-part=composer-input]').fill(text)
  await page.getByRole('button', { name: '发送', exact: true }).click()
}
const outgoing = (page: Page, text: string) =>
  page.locator('[data-part=outgoing-message]').filter({ hasText: text })
const message = (page: Page, text: string) => page.locator('[data-part=message]').filter({ hasText: text })

test('a rule against links is tried and made on a phone, and a link is stopped, then waits and is sent', async () => {
  const member = await fixture.enter('member', room())
  await say(member, '上 evil.example.com 领皮肤')
  await expect(message(member, '领皮肤')).toBeVisible()

  const owner = await fixture.enter('owner', settings())
  await expect(owner.getByText('还没有规则')).toBeVisible()
  await look(owner, 'moderation-none')
  await owner.getByRole('link', { name: '新建规则' }).click()
  await look(owner, 'moderation-kinds')
  await owner.getByRole('link', { name: /^链接/ }).click()
  await owner.getByLabel('放行的网站，一行一个').fill('bilibili.com')
  await owner.getByRole('button', { name: '用最近的消息试一下' }).click()
  await expect(owner.getByRole('list', { name: '会命中的消息' })).toContainText('领皮肤')
  await look(owner, 'moderation-rule', 'page')
  await expectFits(owner)
  await owner.getByRole('button', { name: '保存' }).click()
  await expect(owner.getByRole('switch', { name: '链接' })).toBeChecked()

  await say(member, '再来 evil.example.com')
  const stopped = outgoing(member, '再来')
  await expect(
    stopped.getByRole('alert').filter({ hasText: '公会不允许发送链接（规则「链接」）' }),
  ).toBeVisible()
  await stopped.getByRole('button', { name: '删除' }).click()
  await say(member, '看 https://www.bilibili.com/video')
  await expect(message(member, 'bilibili.com/video')).toBeVisible()

  await owner.getByRole('link', { name: '新建规则' }).click()
  await owner.getByRole('link', { name: /^账号限制/ }).click()
  await owner.getByRole('checkbox', { name: '没有实名认证' }).check()
  await owner.getByLabel('告诉作者的话').fill('请先实名认证')
  await owner.getByRole('checkbox', { name: '#公告' }).check()
  await look(owner, 'moderation-restriction', 'page')
  await expectFits(owner)
  await owner.getByRole('button', { name: '保存' }).click()
  await expect(owner.getByRole('switch', { name: '账号限制' })).toBeChecked()
  await say(member, '没有实名')
  await expect(
    outgoing(member, '没有实名').getByRole('alert').filter({ hasText: '请先实名认证' }),
  ).toBeVisible()
  await outgoing(member, '没有实名').getByRole('button', { name: '删除' }).click()
  await owner.getByRole('switch', { name: '账号限制' }).click()
  await expect(owner.getByRole('switch', { name: '账号限制' })).not.toBeChecked()

  await owner.getByRole('link', { name: '修改规则「链接」' }).click()
  await owner.getByLabel('命中的消息').selectOption({ label: '先不发出，等待审核' })
  await owner.getByRole('button', { name: '保存' }).click()
  await expect(owner.getByRole('list', { name: '规则' })).toContainText('最近 7 天命中 1 次')
  await say(member, '请看 evil.example.com')
  await expect(outgoing(member, '请看').getByText('审核中，仅自己可见')).toBeVisible()
  await owner.reload()
  await expect(owner.getByRole('list', { name: '等待审核的消息' })).toContainText('请看 evil.example.com')
  await look(owner, 'moderation-held', 'page')
  await owner.getByRole('button', { name: /^通过/ }).click()
  await expect(owner.getByRole('list', { name: '等待审核的消息' })).toHaveCount(0)
  await expect(message(member, '请看 evil.example.com')).toBeVisible()

  const desk = await fixture.enter('owner', settings(), { isDesk: true, locale: 'en-US' })
  await expect(desk.getByRole('list', { name: 'Rules' })).toContainText('Caught 2 times in 7 days')
  await look(desk, 'moderation-desk')
  await expectFits(desk)
})
