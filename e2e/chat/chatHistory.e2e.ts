/** A private conversation over time: paging, drafts, and a gateway session that cannot be resumed. */
import { addPrivateReaction, createPrivate, deletePrivate, updatePrivate } from '@guildhall/wire/chat/chat.ts'
import { expect, type Page, test } from '@playwright/test'
import { sql } from 'kysely'
import type { PersonName } from '../../server/src/demo/world.ts'
import { useFixture } from '../fixture.ts'
import { type Network, openNetwork } from '../network.ts'

// The browser reports sockets that cannot be opened; the last journey breaks them on purpose.
const fixture = useFixture(['WebSocket'])
let network: Network

test.beforeAll(async () => {
  network = await openNetwork(fixture.server.url)
})
test.afterAll(() => network?.close())

const withPerson = (who: PersonName) => `/chats/with/${fixture.server.person(who).id}`
const composer = (page: Page) => page.locator('[data-part=composer-input]')
const texts = (page: Page) => page.locator('[data-part=message-text]')
const sentence = (page: Page, n: number) => texts(page).filter({ hasText: new RegExp(`^第 ${n} 句$`) })

test('a long conversation is paged, and leads back to its newest message', async () => {
  for (let n = 1; n <= 140; n += 1) {
    const [from, to] = n % 2 ? (['member', 'owner'] as const) : (['owner', 'member'] as const)
    const content = `第 ${n} 句`
    await fixture.server.as(from).call(createPrivate, { target_id: fixture.server.idOf(to), content })
  }
  const page = await fixture.enter('member', withPerson('owner'))
  await sentence(page, 140).waitFor()
  await expect(sentence(page, 1)).toHaveCount(0)
  await expect
    .poll(async () => {
      await page.locator('[data-part=message]').first().scrollIntoViewIfNeeded()
      await page.mouse.move(190, 300)
      await page.mouse.wheel(0, -3000)
      return sentence(page, 1).count()
    })
    .toBe(1)
  await page.getByRole('button', { name: /回到最新消息/ }).click()
  await expect(sentence(page, 140)).toBeInViewport()
})

test('a draft of a conversation is there after a walk and a reload', async () => {
  const page = await fixture.enter('member', withPerson('admin'))
  await page.waitForURL(/\/chats\/[0-9a-f]{32}$/)
  await composer(page).fill('写到一半')
  await page.goto('/chats')
  await page.locator('[data-part=chat], main').first().waitFor()
  await page.goto(withPerson('admin'))
  await expect(composer(page)).toHaveValue('写到一半')
  await page.reload()
  await expect(composer(page)).toHaveValue('写到一半')
})

test('after a session that cannot be resumed the room has what was said, edited, reacted to and deleted meanwhile', async () => {
  const { call } = fixture.server.as('admin')
  const target_id = fixture.server.idOf('owner')
  const say = async (content: string) => (await call(createPrivate, { target_id, content, type: 9 })).msg_id
  const [first, second, third] = [await say('改我'), await say('删我'), await say('点我')]
  const page = await fixture.enter('owner', withPerson('admin'), { url: network.url })
  await expect(texts(page)).toHaveCount(3)
  network.cut()
  await call(updatePrivate, { msg_id: first, content: '改过了' })
  await call(deletePrivate, { msg_id: second })
  await call(addPrivateReaction, { msg_id: third, emoji: '👍' })
  await say('新的')
  await fixture.server.stop()
  // Without its stored session no node can resume it.
  await sql`delete from line_session`.execute(fixture.server.database.db)
  await sql`delete from line_journal`.execute(fixture.server.database.db)
  await fixture.server.start()
  network.mend()
  await expect(page.locator('[data-part=message]')).toHaveCount(3)
  await expect(texts(page)).toHaveText([/改过了/, /点我/, /新的/])
  await expect(page.locator('[data-part=message]', { hasText: '点我' })).toContainText('👍')
})
