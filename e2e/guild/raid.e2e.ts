/** Two hundred people join at once: a rule stops them after twenty, and who came is banned on a phone. */
import { createGuild } from '@guildhall/wire/guild/ownGuild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { createInvite } from '@guildhall/wire/invite/manage.ts'
import { userList } from '@guildhall/wire/member/userList.ts'
import { createRule } from '@guildhall/wire/moderation/moderation.ts'
import { expect, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

// Each of those who join comes from a network of their own, which a proxy tells.
const fixture = useFixture([], { TRUSTED_PROXIES: '127.0.0.1' })
const RAIDERS = 200
const ALLOWED = 20

test('a raid of two hundred is stopped by a rule, seen at once, and undone on a phone', async () => {
  const { server } = fixture
  const owner = server.as('owner')
  const { id } = await owner.call(createGuild, { name: '夜航' })
  const guild_id = id as GuildId
  const { url_code } = await owner.call(createInvite, { guild_id })
  const members = async () => (await owner.call(userList, { guild_id })).meta.total

  const page = await fixture.enter('owner', `/guild/settings/${guild_id}/moderation`)
  await page.getByRole('link', { name: '新建规则' }).tap()
  await page.getByRole('link', { name: /^突袭/ }).tap()
  await page.getByLabel('最多几人加入').selectOption({ label: String(ALLOWED) })
  await page.getByLabel('对加入的人').selectOption({ label: '暂停加入' })
  await look(page, 'raid-rule', 'page')
  await page.getByRole('button', { name: '保存' }).tap()
  await expect(page.getByRole('switch', { name: '突袭' })).toBeChecked()

  const raiders = []
  for (let at = 0; at < RAIDERS; at += 20)
    raiders.push(...(await Promise.all(Array.from({ length: 20 }, () => server.newcomer()))))
  const answers = await Promise.all(raiders.map((it) => it.refusal(joinGuild, { id: url_code })))
  expect(answers.filter((it) => it === 'none')).toHaveLength(ALLOWED)
  expect(new Set(answers)).toEqual(new Set(['none', 'moderation.raid']))
  expect(await members()).toBe(1 + ALLOWED)
  await page.reload()
  await expect(page.getByText(/发现突袭，已限制加入/)).toBeVisible()
  await look(page, 'raid-paused')

  await page.goto(`/guild/settings/${guild_id}/members`)
  await page.getByLabel('加入时间').selectOption({ label: '最近 1 天' })
  await page.getByRole('button', { name: '全选' }).tap()
  await expect(page.getByText(`已选 ${ALLOWED} 人`)).toBeVisible()
  await page.getByRole('button', { name: '操作', exact: true }).tap()
  await page.getByRole('button', { name: '封禁', exact: true }).tap()
  const question = page.getByRole('dialog', { name: `封禁这 ${ALLOWED} 人？` })
  await question.getByLabel('原因（选填）').fill('突袭')
  await question.getByRole('button', { name: '封禁' }).tap()
  await expect(page.getByText(`${ALLOWED} 人已完成`)).toBeVisible()
  await expect.poll(members).toBe(1)

  await page.goto(`/guild/settings/${guild_id}/moderation`)
  await page.getByRole('button', { name: '立即恢复加入' }).tap()
  await expect(page.getByText('可以加入了')).toBeVisible()
  // Of those who joined at once nobody knows who was first.
  const banned = raiders[answers.indexOf('none')]!
  expect(await banned.refusal(joinGuild, { id: url_code })).toBe('guild.banned')
  expect(await server.as('member').refusal(joinGuild, { id: url_code })).toBe('none')
})

test('a rule that asks for a captcha lets in who solves one, from the page of the invite', async () => {
  const { server } = fixture
  const owner = server.as('owner')
  const guild_id = (await owner.call(createGuild, { name: '夜航' })).id as GuildId
  const { url_code } = await owner.call(createInvite, { guild_id })
  const acts = [{ type: 'captcha', duration: 600 }]
  await owner.call(createRule, {
    guild_id,
    name: '突袭',
    kind: 'raid',
    count: 1,
    seconds: 600,
    switch: true,
    acts,
  })
  const [first, second] = [await server.newcomer(), await server.newcomer()]
  expect(await first.refusal(joinGuild, { id: url_code })).toBe('none')
  expect(await second.refusal(joinGuild, { id: url_code })).toBe('captcha.needed')

  const page = await fixture.enter('member', `/invite/${url_code}`)
  await page.getByRole('button', { name: '接受邀请' }).tap()
  const dialog = page.locator('[data-part=captcha]')
  await dialog.getByRole('button', { name: '我看不清，换一种验证方式' }).tap()
  await dialog.getByRole('button', { name: '不用看图，让手机来验证' }).tap()
  await dialog.getByRole('button', { name: '开始验证' }).tap()
  await expect(page).toHaveURL(new RegExp(`/channels/${guild_id}/`))
})
