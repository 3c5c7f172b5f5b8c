/**
 * The gallery of the development build: every state of every kind of message, in both themes and both
 * languages.
 */

import path from 'node:path'
import type { Browser, Page, Request } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { createServer, type ViteDevServer } from 'vite'
import { freePort } from '../../server/src/testing/port.ts'
import { atRest, clickThose, expectFits, restingBox } from '../ask.ts'
import { expectInOrder, look } from '../look.ts'
import { openBrowser, openPhone } from '../phone.ts'

const WEB = path.join(import.meta.dirname, '../../web')

let vite: ViteDevServer
let browser: Browser
let url: string

test.beforeAll(async () => {
  vite = await createServer({
    root: WEB,
    configFile: path.join(WEB, 'vite.config.ts'),
    logLevel: 'error',
    server: { host: '127.0.0.1', port: await freePort(), hmr: false, watch: null },
  })
  await vite.listen()
  url = vite.resolvedUrls!.local[0]!
  browser = await openBrowser()
  // On the first visit Vite optimizes the packages and may reload the page.
  const phone = await openPhone(browser, url)
  await open(phone.page)
  await phone.close()
})

test.afterAll(async () => {
  await browser?.close()
  await vite?.close()
})

async function open(page: Page): Promise<void> {
  await page.goto('/dev/gallery')
  await page.locator('[data-shade=keyword]').first().waitFor()
}
/** Shows a screen of the gallery without loading the page again, and waits until all of it is there. */
async function show(page: Page, loading: ReadonlySet<Request>, name: string, language: string) {
  await page.evaluate((path) => {
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, `/dev/gallery/${name}?${language}`)
  await page.waitForFunction(
    ([shown, lang]) =>
      document.querySelector(`[data-screen=${shown}]`) &&
      document.querySelector('h1') &&
      document.documentElement.lang === lang,
    [name, language] as const,
  )
  await expect
    .poll(
      async () => {
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))))
        // What is loaded later is asked for once its outline is drawn.
        return loading.size + (await page.locator('[class*=Skeleton_]').count())
      },
      { intervals: [20] },
    )
    .toBe(0)
}
/** What the page is loading now. */
function watchLoading(page: Page): ReadonlySet<Request> {
  const loading = new Set<Request>()
  const ended = (it: Request) => void loading.delete(it)
  page.on('request', (it) => void loading.add(it))
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return loading
}
const state = (page: Page, name: string) => page.locator(`[data-state="${name}"]`)

for (const language of ['zh-CN', 'en'] as const)
  test(`every state is accessible and logs no error, in ${language}`, async () => {
    const phone = await openPhone(browser, url, { locale: language === 'en' ? 'en-US' : 'zh-CN' })
    const { page } = phone
    await open(page)
    await look(page, `gallery-${language}`, 'page')
    // A revealed spoiler is no longer a button. It looks the same in both languages.
    const hidden = page.locator('[data-part=spoiler][role=button]')
    if (language === 'zh-CN') {
      await expect
        .poll(async () => {
          await clickThose(hidden)
          return hidden.count()
        })
        .toBe(0)
      await look(page)
    }
    await expectFits(page)
    expect(phone.complaints).toEqual([])
    await phone.close()
  })

for (const isDesk of [false, true])
  test(`every screen is in order ${isDesk ? 'at a desk' : 'on a phone'}`, async () => {
    const phone = await openPhone(browser, url, { isDesk })
    const { page } = phone
    const loading = watchLoading(page)
    await open(page)
    const screens = await atRest(() => page.locator('nav[aria-label=Screens]').locator('a').allInnerTexts())
    // Each theme and each language is judged once, and every width with the words of both.
    const languages = isDesk ? ['en', 'zh-CN'] : ['zh-CN', 'en']
    for (const name of screens)
      for (const [at, language] of languages.entries())
        await test.step(`${name} ${language}`, async () => {
          await show(page, loading, name, language)
          if (at === 0) await look(page, `screen-${name}-${language}`, 'small')
          else await expectInOrder(page)
          await expectFits(page)
          expect(phone.complaints).toEqual([])
        })
    await phone.close()
  })

test('spoilers are revealed, and code is scrolled and copied, by keyboard', async () => {
  const phone = await openPhone(browser, url)
  const { page } = phone
  await phone.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(page)
  const hidden = state(page, 'hidden')
  const link = hidden.getByRole('link', { name: /example\.com/ })
  await hidden.locator('[data-part=spoiler]').waitFor()
  await expect(link).toHaveCount(0)
  await hidden.locator('[data-part=spoiler]').focus()
  await page.keyboard.press('Enter')
  await link.waitFor()
  await expect
    .poll(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset.part))
    .toBe('spoiler')

  const code = state(page, 'code')
  await code.locator('[data-part=copy-code]').focus()
  await page.keyboard.press('Enter')
  await page.getByText('已复制').waitFor()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('export async function raid')
  await page.keyboard.press('Tab')
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowRight')
      return page.evaluate(() => document.activeElement!.scrollLeft)
    })
    .toBeGreaterThan(0)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollLeft)).toBe(0)
  await phone.close()
})

test('the first tap on a spoiler in a link reveals it without opening the link', async () => {
  const phone = await openPhone(browser, url)
  const { page } = phone
  await open(page)
  const link = state(page, 'hidden in a link').getByRole('link', { name: /去$/ })
  await link.locator('[data-part=spoiler]').click()
  await link.getByText('到这里').waitFor()
  expect(phone.context.pages()).toHaveLength(1)
  await phone.close()
})

test('the spinner of a message on its way is as wide as it is high', async () => {
  const phone = await openPhone(browser, url)
  const { page } = phone
  await open(page)
  const spinner = page.locator('article[data-state=sending] [role=img] > span').first()
  await expect
    .poll(() => spinner.evaluate((it) => [(it as HTMLElement).offsetWidth, (it as HTMLElement).offsetHeight]))
    .toEqual([12, 12])
  await phone.close()
})

test('a custom emoji is at most 50 px, and emoji alone are larger than among text', async () => {
  const phone = await openPhone(browser, url)
  const { page } = phone
  await open(page)
  for (const name of ['emoji with a picture', 'pictures alone']) {
    const box = await restingBox(state(page, name).locator('img').first())
    expect(Math.min(box.width, box.height)).toBeGreaterThan(20)
    expect(Math.max(box.width, box.height)).toBeLessThanOrEqual(50)
  }
  await state(page, 'emoji whose picture is gone').getByText(':加油:').waitFor()
  const sizeOf = (name: string) =>
    atRest(() =>
      state(page, name)
        .locator('[data-part=message-text]')
        .evaluate((it) => Number.parseFloat(getComputedStyle(it).fontSize)),
    )
  expect(await sizeOf('emoji alone')).toBeGreaterThan(2 * (await sizeOf('emoji among words')))
  await phone.close()
})
