/**
 * Mentions: found by the initials of a name while typing, picked, sent, and highlighted for the mentioned
 * person.
 */
import { addReaction } from '@guildhall/wire/message/action.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import type { Browser, Locator } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { restingBox } from '../ask.ts'
import { look } from '../look.ts'
import { openBrowser, openPhone, type Phone, picture } from '../phone.ts'

let server: TestServer
let browser: Browser
const phones: Phone[] = []

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
})
test.afterAll(async () => {
  for (const phone of phones) expect(phone.complaints).toEqual([])
  await browser?.close()
  await server?.close()
})

async function inRoom(name: 'owner' | 'member'): Promise<Phone> {
  const phone = await openPhone(browser, server.url)
  phones.push(phone)
  const token = await server.login(name)
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await phone.page.goto(`/channels/${server.guildId}/${server.channel('闲聊')}`)
  await phone.page.locator('[data-part=composer-input]').waitFor()
  return phone
}

test(`a mention is found by initials, picked, sent, and highlighted for the mentioned person`, async () => {
  const [writer, reader] = await Promise.all([inRoom('member'), inRoom('owner')])
  const box = writer.page.locator('[data-part=composer-input]')
  const people = writer.page.getByRole('listbox', { name: '可提及的成员和身份组' })
  const channels = writer.page.getByRole('listbox', { name: '可提及的频道' })

  await box.pressSequentially('今晚看你的了 @')
  await people.waitFor()
  await picture(writer.page, 'mention-open')
  await box.pressSequentially('xm')
  await expect(people.locator('[role=option]')).toHaveText([/小满/])
  const option = people.getByRole('option', { name: /小满/ })
  await look(writer.page, 'mention-found')
  const row = await restingBox(option)
  expect(row.height).toBeGreaterThanOrEqual(44)

  await option.tap()
  await expect(box).toHaveValue('今晚看你的了 @小满 ')
  await box.pressSequentially('，歌单在 #yx')
  await channels.getByRole('option', { name: /夜宵/ }).tap()
  await expect(box).toHaveValue('今晚看你的了 @小满 ，歌单在 #夜宵 ')
  await expect(writer.page.locator('[role=option]')).toHaveCount(0)

  // The draft keeps its mentions over a reload.
  await writer.page.reload()
  await box.waitFor()
  await expect(box).toHaveValue('今晚看你的了 @小满 ，歌单在 #夜宵 ')
  await writer.page.getByRole('button', { name: '发送' }).tap()

  const last = reader.page.locator('[data-part=message]').last()
  await expect(last.locator('[data-part=message-text]')).toHaveText('今晚看你的了 @小满 ，歌单在 #夜宵')
  await expect(last.locator('[data-part=mention][data-own]')).toHaveText('@小满')
  await expect(last).toHaveAttribute('data-mentioned')
  await look(reader.page, 'mention-seen')
})

test(`people and channels in messages lead somewhere, and holding shows what can be done`, async () => {
  const phone = await inRoom('member')
  const { page } = phone
  const [owner, admin] = [server.person('owner'), server.as('admin')]
  const content = JSON.stringify({
    content: `(met)${owner.id}(met) 看 (chn)${server.channel('夜宵')}(chn) https://example.com/a-link`,
  })
  const { msgId } = await admin.call(sendToChannel, { id: server.channel('闲聊'), content })
  for (const emoji of ['👍', '🎉']) await admin.call(addReaction, { msg_id: msgId, emoji })
  const last = page.locator('[data-part=message]').filter({ hasText: 'https://example.com/a-link' })
  await last.locator('[data-part=reaction]').nth(1).waitFor()

  const hold = async (target: Locator, sheet: string | RegExp = /的消息$/) => {
    const box = await restingBox(target)
    const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const cdp = await phone.context.newCDPSession(page)
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
    await page.getByRole('dialog', { name: sheet }).waitFor()
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  const close = async () => {
    await page.getByRole('button', { name: '关闭' }).tap()
    await expect(page.locator('[role=dialog]')).toHaveCount(0)
  }
  for (const target of [last.getByText('https://example.com/a-link'), last.getByText('#夜宵')]) {
    await hold(target)
    await page.getByRole('button', { name: '复制', exact: true }).waitFor()
    await close()
  }
  expect(phone.context.pages()).toHaveLength(1)

  await hold(last.locator('[data-part=reaction]').first(), '表情回应')
  await page.locator('[data-part=reactor]').first().waitFor()
  await look(page, 'reactors')
  await page.locator('[data-part=reactor]').first().tap()
  await page.getByRole('dialog', { name: '成员资料' }).waitFor()
  await close()

  await last.locator('button[data-part=mention]').tap()
  const card = page.getByRole('dialog', { name: '成员资料' })
  await card.getByText(`${owner.username}#${owner.identify_num}`).waitFor()
  await card.getByText('加入公会').waitFor()
  await look(page, 'person')
  await card.getByRole('button', { name: '提及' }).tap()
  const box = page.locator('[data-part=composer-input]')
  await expect(box).toHaveValue(`@${owner.username} `)
  await expect(box).toBeFocused()
  await box.fill('')

  await last.getByRole('link', { name: '#夜宵' }).tap()
  await page.waitForURL(`**/${server.channel('夜宵')}`)
})
