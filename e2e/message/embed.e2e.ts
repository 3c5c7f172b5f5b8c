/** Link cards in a real room: they load after the message, without moving what is being read. */
import { updateMessage } from '@guildhall/wire/message/action.ts'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import sharp from 'sharp'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { fileOf, openTestWebServer, pageWith, type TestWebServer } from '../../server/src/testing/web.ts'
import { restingBox } from '../ask.ts'
import { look } from '../look.ts'
import { openBrowser, openPhone, type Theme } from '../phone.ts'

let web: TestWebServer
let server: TestServer
let browser: Browser
let token: string
const channel = () => server.channel('夜宵')

test.beforeAll(async () => {
  web = await openTestWebServer()
  server = await openTestServer({}, web.safeFetch)
  token = await server.login('member')
  const art = sharp({ create: { width: 600, height: 400, channels: 3, background: '#2f7f6a' } })
  web.serve('/art.png', fileOf(await art.png().toBuffer(), 'image/png'))
  for (let n = 1; n <= 40; n += 1) await send(`第 ${n} 条`)
  browser = await openBrowser()
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
  await web?.close()
})

const send = async (content: string) => (await server.as('owner').say(channel(), content)).id

const pageAt = (path: string) =>
  pageWith(`<title>开荒攻略 ${path}</title><meta name="theme-color" content="#e64980">
    <meta name="description" content="八人小队的站位、换坦时机和三个容易灭团的阶段，附完整录像与装备清单。">
    <meta property="og:site_name" content="星海攻略站"><meta property="og:image" content="/art.png">`)

/** A web page that responds only after `release` is called. */
function delayedPage(path: string): { address: string; release: () => void } {
  let release = () => undefined as unknown
  web.serve(path, (response) => {
    release = () => pageAt(path)(response)
  })
  return { address: web.at(path), release: () => void release() }
}

async function openRoom(theme: Theme = 'light') {
  const phone = await openPhone(browser, server.url, { theme })
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await phone.page.goto(`/channels/${server.guildId}/${channel()}`)
  await restingBox(phone.page.locator('[data-part=message-text]').last())
  return phone
}
const cardOf = (page: Page, path: string) => page.locator('[data-part=link-card]', { hasText: path })

test.describe('a link card', () => {
  test('appears below its link while the newest message stays in view', async () => {
    const phone = await openRoom()
    const { page } = phone
    const { address, release } = delayedPage('/end')
    await send(address)
    await page.getByRole('link', { name: address }).waitFor()
    await expect.poll(() => web.requestCount('/end')).toBe(1)
    await expect(cardOf(page, '/end')).toHaveCount(0)
    release()
    await cardOf(page, '/end').waitFor()
    await restingBox(cardOf(page, '/end'))
    const left = () =>
      page
        .locator('[data-part=message-scroll]')
        .evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight)
    await expect.poll(left).toBeLessThanOrEqual(2)
    const link = cardOf(page, '/end')
    await expect(link).toHaveAttribute('rel', /noopener noreferrer/)
    await expect
      .poll(() => link.locator('img').evaluate((it: HTMLImageElement) => it.src))
      .toContain(server.url)
    const opened = phone.context.waitForEvent('page')
    await link.click()
    await (await opened).close()
    expect(phone.complaints).toEqual([])
    await phone.close()
  })

  test('appears above and below the message being read without moving it', async () => {
    const above = await send('上面')
    for (let n = 41; n <= 60; n += 1) await send(`第 ${n} 条`)
    const inside = await send('近处')
    for (let n = 61; n <= 90; n += 1) await send(`第 ${n} 条`)
    const phone = await openRoom()
    const { page } = phone
    const message = page.locator('[data-part=message-text]', { hasText: '第 62 条' })
    // Rows out of view are not rendered: scroll up until this one is.
    await expect
      .poll(
        async () => {
          const isShown = await message.isVisible()
          if (!isShown)
            await page.locator('[data-part=message-scroll]').evaluate((it) => it.scrollBy(0, -300))
          return isShown
        },
        { intervals: [50] },
      )
      .toBe(true)
    await message.evaluate((it) => it.scrollIntoView({ block: 'start' }))
    const before = await restingBox(message)
    for (const [msg_id, path] of [[above, '/above'] as const, [inside, '/inside'] as const]) {
      web.serve(path, pageAt(path))
      await server.as('owner').call(updateMessage, { msg_id, content: web.at(path) })
    }
    await server.settled()
    await cardOf(page, '/inside').waitFor({ state: 'attached' })
    expect(Math.abs((await restingBox(message)).y - before.y)).toBeLessThanOrEqual(2)
    expect(phone.complaints).toEqual([])
    await phone.close()
  })

  test(`is shown when the room is opened`, async () => {
    const { address, release } = delayedPage('/opened')
    await send(`看看 ${address}`)
    await expect.poll(() => web.requestCount('/opened')).toBe(1)
    release()
    await server.settled()
    const phone = await openRoom()
    await cardOf(phone.page, '/opened').locator('img').waitFor()
    await look(phone.page, 'embed')
    expect(phone.complaints).toEqual([])
    await phone.close()
  })
})
