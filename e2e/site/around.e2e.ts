/**
 * Ways out of the page: links to other sites through the page that warns of them (commerce.md §2 "/go-wild"),
 * and WeChat's button for the app.
 */
import { createMessage } from '@guildhall/wire/message/message.ts'
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import type { Who } from '../../server/src/testing/calls.ts'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { openTestWebServer, pageWith, type TestWebServer } from '../../server/src/testing/web.ts'
import { HOSTILE_LINKS } from '../../wire/src/fixtures/hostileLinks.ts'
import { goWildPath } from '../../wire/src/site/outside.ts'
import { clickAway } from '../ask.ts'
import { expectAccessible, openBrowser, openPhone, type Phone, picture } from '../phone.ts'

const OUTSIDE = 'https://evil.example/a?b=c&d=%E5%85%AC'
const TRUSTED = 'https://docs.site.example/guide#start'

const REPORTED = /image 'https:\/\/open\.weixin\.qq\.com\//

let web: TestWebServer
let server: TestServer
let browser: Browser
const phones: Phone[] = []
const channel = () => server.channel('夜宵')
const room = () => `/channels/${server.guildId}/${channel()}`

test.beforeAll(async () => {
  web = await openTestWebServer()
  server = await openTestServer(
    { TRUSTED_LINK_HOSTS: '.site.example', APP_SCHEME: 'hall', WECHAT_OPEN_APP_ID: 'wx0123456789abcdef' },
    web.safeFetch,
  )
  browser = await openBrowser('whole')
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
  await web?.close()
})
test.afterEach(async () => {
  // WeChat's script reports the page by a picture, which the content policy refuses.
  const complaints = phones.flatMap((phone) => phone.complaints).filter((it) => !REPORTED.test(it))
  for (const phone of phones.splice(0)) await phone.close()
  expect(complaints).toEqual([])
})

async function send(content: string, type = 9, sender: Who = 'owner'): Promise<void> {
  await server.as(sender).call(createMessage, { target_id: channel(), type, content })
}

/** A phone of a member, or of a guest, at a path. The other sites exist in it alone. */
async function open(
  path: string,
  { isGuest = false, ...options }: Parameters<typeof openPhone>[2] & { isGuest?: boolean } = {},
) {
  const phone = await openPhone(browser, server.url, options)
  phones.push(phone)
  const asked: string[] = []
  await phone.context.route(/^https?:\/\/[^/]*\.example\//, (route) => {
    asked.push(route.request().url())
    return route.fulfill({ contentType: 'text/html', body: '<title>elsewhere</title><p>elsewhere' })
  })
  if (!isGuest) {
    const token = await server.login('member')
    await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  }
  await phone.page.goto(path)
  return { ...phone, asked }
}

/** What opens in a new tab. */
async function tabOf(context: BrowserContext, act: () => Promise<void>): Promise<Page> {
  const tab = context.waitForEvent('page')
  await act()
  const page = await tab
  await page.waitForLoadState()
  return page
}
const warnedOf = (page: Page) => new URL(page.url()).searchParams.get('url')
const heading = (page: Page) => page.getByRole('heading', { name: '你即将离开公会厅，前往其他网站' })

test.describe('a link to another site', () => {
  test('in a message warns, shows where it leads, and goes on only by hand', async () => {
    await send(`[活动](${OUTSIDE})`)
    const { page, context, asked } = await open(room())
    const link = page.getByRole('link', { name: '活动' })
    await expect(link).toHaveAttribute('title', OUTSIDE)
    const tab = await tabOf(context, () => link.click())
    await expect(heading(tab)).toBeVisible()
    await expect(tab.getByText('请注意账号和财产安全')).toBeVisible()
    await expect(tab.locator('[data-part=outside-host]')).toHaveText('evil.example')
    await expect(tab.locator('[data-part=outside-address]')).toHaveText('https://evil.example/a?b=c&d=公')
    await expect(tab).toHaveTitle('前往其他网站 · 公会厅')
    await expect.poll(() => tab.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
    await expect(link).toHaveAttribute('title', OUTSIDE)
    expect(asked).toEqual([])

    const goOn = tab.getByRole('link', { name: '继续访问' })
    await expect(goOn).toHaveAttribute('rel', 'noopener noreferrer nofollow')
    await goOn.click()
    await expect(tab).toHaveURL(OUTSIDE)
    await expect.poll(() => tab.evaluate(() => document.referrer)).toBe('')
  })

  test('warns however it is opened', async () => {
    await send(`[中键](${OUTSIDE})`)
    const { page, context } = await open(room(), { isDesk: true })
    const link = page.getByRole('link', { name: '中键' })
    const ways: (() => Promise<void>)[] = [
      () => link.click({ button: 'middle' }),
      () => link.click({ modifiers: ['ControlOrMeta'] }),
      () => link.press('Enter'),
      // As a menu does that is opened by holding the link.
      async () => {
        const address = await link.evaluate((it: HTMLAnchorElement) => it.href)
        await page.evaluate((it) => window.open(it, '_blank', 'noopener') && undefined, address)
      },
    ]
    for (const way of ways) {
      const tab = await tabOf(context, way)
      await expect.poll(() => warnedOf(tab)).toBe(OUTSIDE)
      await tab.close()
    }
  })

  test('in a card’s words, its button and a preview warns', async () => {
    web.serve('/page', pageWith('<title>开荒攻略</title><meta name="description" content="站位">'))
    const button = {
      type: 'button',
      theme: 'primary',
      click: 'link',
      value: OUTSIDE,
      text: { type: 'plain-text', content: '前往' },
    }
    const modules = [
      { type: 'section', text: { type: 'kmarkdown', content: `[卡片](${OUTSIDE})` } },
      { type: 'action-group', elements: [button] },
    ]
    const bot = await server.command<{ token: string }>(`bot create --name 报时 --guild ${server.guildId}`)
    const cards = JSON.stringify([{ type: 'card', theme: 'primary', size: 'lg', modules }])
    await send(cards, 10, { bot: bot.token })
    await send(`看看 ${web.at('/page')}`)
    await server.settled()
    const { page, context } = await open(room())
    for (const [link, address] of [
      [page.getByRole('link', { name: '卡片' }), OUTSIDE],
      [page.getByRole('link', { name: '前往' }), OUTSIDE],
      [page.locator('[data-part=link-card]', { hasText: '开荒攻略' }), web.at('/page')],
    ] as const) {
      await expect(link).toHaveAttribute('title', address)
      const tab = await tabOf(context, () => link.click())
      await expect.poll(() => warnedOf(tab)).toBe(address)
      await tab.close()
    }
  })

  test('leads back: a tab of its own closes, another page is shown again', async () => {
    await send(`[回来](${OUTSIDE})`)
    const { page, context } = await open(room())
    const tab = await tabOf(context, () => page.getByRole('link', { name: '回来' }).click())
    await clickAway(tab.getByRole('button', { name: '返回' }), tab.waitForEvent('close'))
    await page.goto(goWildPath(OUTSIDE))
    await page.getByRole('button', { name: '返回' }).click()
    await expect(page).toHaveURL(new RegExp(`${room()}$`))
  })

  test('of a host that the operator trusts opens at once, and one of this site in place', async () => {
    await send(`[文档](${TRUSTED}) [消息](${server.url}${room()}) [邀请](${server.url}/${server.invite})`)
    const { page, context, asked } = await open(room())
    const tab = await tabOf(context, () => page.getByRole('link', { name: '文档' }).click())
    await expect(tab).toHaveURL(TRUSTED)
    await tab.close()
    expect(asked).toEqual([TRUSTED.replace(/#.*/, '')])
    await page.getByRole('link', { name: '邀请' }).click()
    await expect(page).toHaveURL(`${server.url}/invite/${server.invite}`)
    await page.goto(goWildPath(`${server.url}/terms`))
    await expect(page).toHaveURL(`${server.url}/terms`)
    expect(context.pages()).toHaveLength(1)
  })
})

test.describe('the warning page', () => {
  test('goes nowhere with a hostile address, and says so with a way back', async () => {
    const { page, asked } = await open(goWildPath('https://evil.example/'), { isGuest: true })
    await expect(heading(page)).toBeVisible()
    for (const address of HOSTILE_LINKS) {
      // Within the page: the browser's own parser reads each, and the server's answers have a test of their
      // own.
      await page.evaluate((path) => {
        history.pushState(null, '', path)
        dispatchEvent(new PopStateEvent('popstate'))
      }, goWildPath(address))
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        /^(?:没有要打开的地址|无法打开这个链接|已拦截这个链接)$/,
      )
      await expect(page.getByRole('button', { name: '返回' })).toBeVisible()
      await expect(page.locator('a[href]'), address).toHaveCount(0)
    }
    await page.goto('/go-wild')
    await expect(page.getByRole('heading', { name: '没有要打开的地址' })).toBeVisible()
    expect(asked).toEqual([])
  })

  test('names the host of an address that poses as another', async () => {
    const { page } = await open('/', { isGuest: true })
    await page.goto(goWildPath('https://docs.site.example@evil.example/'))
    await expect(page.getByText('它真正指向的是 evil.example')).toBeVisible()
    await page.goto(goWildPath('https://аррӏе.com/login'))
    await expect(page.locator('[data-part=outside-host]')).toHaveText('xn--80ak6aa92e.com')
    await expect(page.getByText('аррӏе.com')).toBeVisible()
  })

  const long = `https://docs.site.example.evil.example/${'path/'.repeat(300)}`
  for (const [theme, locale] of [
    ['light', 'zh-CN'],
    ['dark', 'en-US'],
  ] as const)
    test(`can be read in the ${theme} theme and in ${locale}`, async () => {
      const { page } = await open('/', { isGuest: true, theme, locale })
      for (const [name, path] of [
        ['plain', goWildPath('https://www.bilibili.com/video/BV1xx411c7mD?p=2')],
        ['posing', goWildPath('http://аррӏе.com/login')],
        ['long', goWildPath(long)],
        ['login', goWildPath('https://docs.site.example@evil.example/')],
        ['missing', '/go-wild'],
      ] as const) {
        await page.goto(path)
        // The state before it has a heading too.
        await page.getByRole('button', { name: /^(?:返回|Back)$/ }).waitFor()
        await picture(page, `outside-${name}-${theme}`)
        await expectAccessible(page)
      }
    })
})

const WECHAT =
  'Mozilla/5.0 (Linux; Android 13; 2211133C) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 MMWEBID/3062 MicroMessenger/8.0.44.2502(0x28002C51) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64'

/**
 * WeChat around the page: it answers its script, and draws its tags apart from the page. `accepts`: whether
 * it lets the page use it.
 */
function playWechat(accepts: boolean): void {
  Object.assign(window, {
    WeixinJSBridge: {
      on: () => undefined,
      invoke(name: string, _args: unknown, done?: (answer: object) => void) {
        const isRefused = !accepts && name === 'preVerifyJSAPI'
        Object.assign(window, { [name]: true })
        done?.({ err_msg: `${name}:${isRefused ? 'fail, invalid signature' : 'ok'}` })
      },
    },
  })
  customElements.define(
    'wx-open-launch-app',
    class extends HTMLElement {
      connectedCallback() {
        const template = this.querySelector('script[type="text/wxtag-template"]')
        this.attachShadow({ mode: 'open' }).innerHTML = template?.textContent ?? ''
        this.shadowRoot?.querySelector('button')?.addEventListener('click', () => {
          this.dispatchEvent(new CustomEvent('error', { detail: { errMsg: 'launch:fail' } }))
        })
      }
    },
  )
}

test.describe('inside of WeChat the mask of an invite', () => {
  for (const accepts of [true, false])
    test(
      accepts ? 'has WeChat’s own button for the app' : 'has no such button where WeChat refuses the page',
      async () => {
        const phone = await openPhone(browser, server.url, { userAgent: WECHAT })
        phones.push(phone)
        await phone.context.addInitScript(playWechat, accepts)
        const { page } = phone
        const signed = page.waitForResponse((it) => it.url().includes('/wx-sign'))
        await page.goto(`/invite/${server.invite}?token=secret`)
        await page.getByRole('button', { name: '接受邀请' }).click()
        await expect(page.getByText('请点击右上角，选择「在浏览器中打开」')).toBeVisible()
        await expect(page.getByRole('button', { name: '在此继续' })).toBeVisible()
        expect((await signed).status()).toBe(200)
        const tag = page.locator('wx-open-launch-app')
        await page.waitForFunction(() => 'preVerifyJSAPI' in window)
        if (!accepts) {
          // Longer than the button takes where the page is accepted.
          await page.waitForTimeout(500)
          return expect(tag).toHaveCount(0)
        }
        await expect(tag).toHaveAttribute('appid', 'wx0123456789abcdef')
        await expect(tag).toHaveAttribute('extinfo', `/invite/${server.invite}`)
        await expectAccessible(page)
        await tag.getByRole('button', { name: '打开 APP' }).click()
        await expect(page.getByText('APP 没有打开，可能还没有安装')).toBeVisible()
        await picture(page, 'weixin-open-app')
        await expect(page.locator('script[type="text/wxtag-template"]')).toHaveCount(1)
      },
    )
})
