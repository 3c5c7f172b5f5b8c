/**
 * Two people: one runs the guild by calls, the other has a room open that is hidden, shown again and deleted.
 */
import { updateOverwrite } from '@guildhall/wire/channel/overwrite.ts'
import { createChannel, deleteChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { createMessage } from '@guildhall/wire/message/message.ts'
import { createRole, grantRole, revokeRole } from '@guildhall/wire/role/role.ts'
import type { Browser } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { expectAccessible, openBrowser, openPhone, type Phone } from '../phone.ts'

let server: TestServer
let browser: Browser
let phone: Phone

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})
test.afterEach(() => phone.close())

test('a room that a revoked role hides leads to the channels with a word why, and works when it is shown again', async () => {
  const guild_id = server.guildId
  const { id } = await server.as('owner').call(createChannel, { guild_id, name: '密室' })
  const { role_id } = await server.as('owner').call(createRole, { guild_id, name: '钥匙' })
  await server.as('owner').call(updateOverwrite, { channel_id: id, type: 'role_id', value: 0, deny: 2048 })
  await server
    .as('owner')
    .call(updateOverwrite, { channel_id: id, type: 'role_id', value: role_id, allow: 2048 })
  const grant = { guild_id, role_id, user_id: server.person('member').id }
  await server.as('owner').call(grantRole, grant)
  const say = (content: string) => server.as('owner').call(createMessage, { target_id: id, content })
  await say('第一句')

  phone = await openPhone(browser, server.url, { locale: 'zh-CN' })
  const { page } = phone
  const token = await server.login('member')
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await page.goto(`/channels/${guild_id}`)
  await page.getByRole('link', { name: /密室/ }).click()
  await page.getByText('第一句', { exact: true }).waitFor()

  await server.as('owner').call(revokeRole, grant)
  await say('看不到的一句')
  await expect(page.getByRole('status').filter({ hasText: '该频道已被删除，或你不再能查看它' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/channels/${guild_id}$`))
  await expect(page.getByRole('link', { name: /密室/ })).toHaveCount(0)
  await page.getByRole('link', { name: /闲聊/ }).waitFor()
  await expectAccessible(page)

  await server.as('owner').call(grantRole, grant)
  await page.getByRole('link', { name: /密室/ }).click()
  // It is shown again, with what was said meanwhile.
  await page.getByText('看不到的一句', { exact: true }).waitFor()
  await say('第三句')
  await page.getByText('第三句', { exact: true }).waitFor()

  await server.as('owner').call(deleteChannel, { channel_id: id })
  await expect(page).toHaveURL(new RegExp(`/channels/${guild_id}$`))
  await expect(page.getByRole('link', { name: /密室/ })).toHaveCount(0)
})
