/** Two people: one runs the guild by calls, the other has a room open that is hidden, shown again and deleted. */
import type { Browser } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'
import { expectAccessible, openBrowser, openPhone, type Phone } from './phone.ts'

let server: TestServer
let browser: Browser
let phone: Phone
let owner: string

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
  owner = await server.login('owner')
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})
test.afterEach(() => phone.close())

async function manage<T>(path: string, body: object): Promise<T> {
  const it = await server.call<{ code: number; message: string; data: T }>(
    owner,
    'POST',
    `/api/v3/${path}`,
    body,
  )
  if (it.code !== 0) throw new Error(`${path}: ${it.message}`)
  return it.data
}

test('a room that a revoked role hides leads to the channels with a word why, and works when it is shown again', async () => {
  const guild_id = server.guildId
  const { id } = await manage<{ id: string }>('channel/create', { guild_id, name: '密室' })
  const { role_id } = await manage<{ role_id: number }>('guild-role/create', { guild_id, name: '钥匙' })
  await manage('channel-role/update', { channel_id: id, type: 'role_id', value: 0, deny: 2048 })
  await manage('channel-role/update', { channel_id: id, type: 'role_id', value: role_id, allow: 2048 })
  const grant = { guild_id, role_id, user_id: server.person('member').id }
  await manage('guild-role/grant', grant)
  const say = (content: string) => manage('message/create', { target_id: id, content })
  await say('第一句')

  phone = await openPhone(browser, server.url, { locale: 'zh-CN' })
  const { page } = phone
  const token = await server.login('member')
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await page.goto(`/channels/${guild_id}`)
  await page.getByRole('link', { name: /密室/ }).click()
  await page.getByText('第一句', { exact: true }).waitFor()

  await manage('guild-role/revoke', grant)
  await say('看不到的一句')
  await expect(page.getByRole('status').filter({ hasText: '该频道已被删除，或你不再能查看它' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/channels/${guild_id}$`))
  await expect(page.getByRole('link', { name: /密室/ })).toHaveCount(0)
  await page.getByRole('link', { name: /闲聊/ }).waitFor()
  await expectAccessible(page)

  await manage('guild-role/grant', grant)
  await page.getByRole('link', { name: /密室/ }).click()
  // It is shown again, with what was said meanwhile.
  await page.getByText('看不到的一句', { exact: true }).waitFor()
  await say('第三句')
  await page.getByText('第三句', { exact: true }).waitFor()

  await manage('channel/delete', { channel_id: id })
  await expect(page).toHaveURL(new RegExp(`/channels/${guild_id}$`))
  await expect(page.getByRole('link', { name: /密室/ })).toHaveCount(0)
})
