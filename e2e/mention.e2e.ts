import { addReaction } from '@guildhall/wire/message/action.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import type { Browser, Locator } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'
import {
  expectAccessible,
  openBrowser,
  openPhone,
  type Phone,
  picture,
  restingBox,
  type Theme,
} from './phone.ts'

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

async function inRoom(name: 'owner' | 'member', theme: Theme): Promise<Phone> {
  const phone = await openPhone(browser, server.url, { theme })
  phones.push(phone)
  const token = await server.login(name)
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await phone.page.goto(`/channels/${server.guildId}/${server.channel('闲聊')}`)
  await phone.page.locator('[data-part=composer-input]').waitFor()
  return phone
}

for (const theme of ['light', 'dark'] as const)
  test(`a mention is found by initials, picked, sent, and highlighted for the mentioned person, in the ${theme} theme`, async () => {
    const [writer, reader] = await Promise.all([inRoom('member', theme), inRoom('owner', theme)])
    const box = writer.page.locator('[data-part=composer-input]')
    const option = writer.page.getByRole('option')

    await box.pressSequentially('今晚看你的了 @')
    await option.first().waitFor()
    await picture(writer.page, `mention-open-${theme}`)
    await box.pressSequentially('xm')
    await expect.poll(() => option.allInnerTexts()).toEqual([expect.stringContaining('小满')])
    await expectAccessible(writer.page)
    await picture(writer.page, `mention-found-${theme}`)
    const row = await restingBox(option.first())
    expect(row?.height).toBeGreaterThanOrEqual(44)

    await option.first().tap()
    await expect(box).toHaveValue('今晚看你的了 @小满 ')
    await box.pressSequentially('，歌单在 #yx')
    await option.filter({ hasText: '夜宵' }).tap()
    await expect(box).toHaveValue('今晚看你的了 @小满 ，歌单在 #夜宵 ')
    await expect(option).toHaveCount(0)

    // The draft keeps its mentions over a reload.
    await writer.page.reload()
    await box.waitFor()
    await expect.poll(() => box.inputValue()).toBe('今晚看你的了 @小满 ，歌单在 #夜宵 ')
    await writer.page.getByRole('button', { name: '发送' }).tap()

    const last = reader.page.locator('[data-part=message]').last()
    await expect
      .poll(() => last.locator('[data-part=message-text]').innerText())
      .toBe('今晚看你的了 @小满 ，歌单在 #夜宵')
    await expect(last.locator('[data-part=mention][data-own]')).toHaveText('@小满')
    expect(await last.getAttribute('data-mentioned')).not.toBeNull()
    await expectAccessible(reader.page)
    await picture(reader.page, `mention-seen-${theme}`)
  })

for (const theme of ['light', 'dark'] as const)
  test(`people and channels in messages lead somewhere, and holding shows what can be done, in the ${theme} theme`, async () => {
    const phone = await inRoom('member', theme)
    const { page } = phone
    const [owner, admin] = [server.person('owner'), server.as('admin')]
    const content = JSON.stringify({
      content: `(met)${owner.id}(met) 看 (chn)${server.channel('夜宵')}(chn) https://example.com/a-link`,
    })
    const { msgId } = await admin.call(sendToChannel, { id: server.channel('闲聊'), content })
    for (const emoji of ['👍', '🎉']) await admin.call(addReaction, { msg_id: msgId, emoji })
    const last = page.locator('[data-part=message]').last()
    await last.locator('[data-part=reaction]').nth(1).waitFor()

    const hold = async (target: Locator) => {
      const box = await restingBox(target)
      const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      const cdp = await phone.context.newCDPSession(page)
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
      await page.getByRole('dialog').waitFor()
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    const close = async () => {
      await page.getByRole('button', { name: '关闭' }).tap()
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    }
    for (const target of [last.getByText('https://example.com/a-link'), last.getByText('#夜宵')]) {
      await hold(target)
      await page.getByRole('button', { name: '复制', exact: true }).waitFor()
      await close()
    }
    expect(phone.context.pages()).toHaveLength(1)

    await hold(last.locator('[data-part=reaction]').first())
    await page.locator('[data-part=reactor]').first().waitFor()
    await expectAccessible(page)
    await picture(page, `reactors-${theme}`)
    await page.locator('[data-part=reactor]').first().tap()
    await page.getByRole('dialog', { name: '成员资料' }).waitFor()
    await close()

    await last.locator('button[data-part=mention]').tap()
    const card = page.getByRole('dialog', { name: '成员资料' })
    await card.getByText(`${owner.username}#${owner.identify_num}`).waitFor()
    await card.getByText('加入公会').waitFor()
    await expectAccessible(page)
    await picture(page, `person-${theme}`)
    await card.getByRole('button', { name: '提及' }).tap()
    const box = page.locator('[data-part=composer-input]')
    await expect.poll(() => box.inputValue()).toBe(`@${owner.username} `)
    await expect(box).toBeFocused()
    await box.fill('')

    await last.getByRole('link', { name: '#夜宵' }).tap()
    await page.waitForURL(`**/${server.channel('夜宵')}`)
  })
