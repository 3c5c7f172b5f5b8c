/** The first and the last section of a guild's settings: how newcomers are met, and who owns the guild. */
import { expect, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

const fixture = useFixture()
const guild = () => fixture.server.world.guilds[0]!

test('newcomers are welcomed with the words that the owner wrote, on a desk, in English', async () => {
  const page = await fixture.enter('owner', `/guild/settings/${guild().id}/overview`, {
    locale: 'en-US',
    isDesk: true,
  })
  await page.getByLabel('Welcome words', { exact: true }).fill('先看规则')
  await page
    .getByRole('combobox', { name: 'Notifications by default' })
    .selectOption({ label: 'Mentions of them only' })
  await look(page, 'settings-overview')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved')).toBeVisible()

  const other = await fixture.enter('outsider', `/invite/${fixture.server.invite}`)
  await other.getByRole('button', { name: '接受邀请' }).click()
  await expect(other.getByText('先看规则')).toBeVisible()
})

test('a guild is handed over on a phone: offered, accepted by the address that came in a message', async () => {
  const page = await fixture.enter('owner', `/guild/settings/${guild().id}/danger`)
  await page.getByRole('button', { name: '选择新会长' }).click()
  await page.getByLabel('搜索成员', { exact: true }).fill('南枝')
  await page.getByRole('button', { name: /^南枝#/ }).click()
  await page.getByRole('button', { name: '发出转让' }).click()
  await expect(page.getByText(/等待对方接受/)).toBeVisible()
  await look(page, 'settings-danger')

  const other = await fixture.enter('member', `/guild/transfer/${guild().id}`)
  await look(other, 'guild-transfer')
  await other.getByRole('button', { name: '接受', exact: true }).click()
  await expect(other).toHaveURL(new RegExp(`/channels/${guild().id}`))
  // Who owned it may not even open this section any more.
  await expect(page.getByText('选择新会长')).toBeHidden()
})
