/** Errors of a page arrive at the server scrubbed, once, and nothing else of the page suffers. */
import type { Browser } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { openBrowser, openPhone, type Phone } from '../phone.ts'

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
test.beforeEach(async () => {
  phone = await openPhone(browser, server.url)
})
test.afterEach(() => phone.close())

interface Row {
  readonly name: string
  readonly message: string
  readonly location: string
  readonly user_id: string | null
  readonly stack: readonly string[]
}
const stored = () => server.command<Row[]>('errors list')

type ErrorName = 'Error' | 'TypeError' | 'RangeError' | 'SyntaxError'

/** Throws in the page as a bug does: outside of what awaits it; or rejects a promise that nobody awaits. */
const breakPage = (name: ErrorName, message: string, how: 'throw' | 'reject' = 'throw') =>
  phone.page.evaluate(
    (it) => {
      setTimeout(() => {
        const error = new globalThis[it.name](it.message)
        if (it.how === 'throw') throw error
        void Promise.reject(error)
      }, 0)
    },
    { name, message, how },
  )

test('an error and a rejection of a page arrive scrubbed, and each once', async () => {
  const { page } = phone
  const bodies: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v2/users/log')) bodies.push(request.postData() ?? '')
  })
  await page.goto('/login?redir=%2Fchannels%2F13812345678')
  await page.getByRole('heading', { name: '登录', exact: true }).waitFor()
  expect(bodies).toEqual([])
  for (let i = 0; i < 3; i++) await breakPage('TypeError', 'no member "我的密码 13812345678"')
  // Two reports on their way at once may arrive in either order.
  await expect.poll(async () => (await stored()).length).toBe(1)
  await breakPage('RangeError', 'token sKd83jfKq02mdnXz81kdPq7v2mLw9xTz', 'reject')
  await expect.poll(async () => (await stored()).length).toBe(2)
  expect(await stored()).toMatchObject([
    { name: 'RangeError', message: 'token …', location: '/login?redir', user_id: null },
    { name: 'TypeError', message: 'no member "…"', location: '/login?redir', user_id: null },
  ])
  // What leaves the page is scrubbed already.
  expect(bodies).toHaveLength(2)
  expect(bodies.join()).not.toMatch(/密码|138123|sKd83/)
  expect(JSON.parse(bodies[0]!)).toEqual({
    user: { id: '', username: '' },
    location: '/login?redir',
    errorEvent: {
      filename: expect.any(String),
      error: { name: 'TypeError', message: 'no member "…"', stack: expect.any(String) },
    },
  })
  const [counted] = await server.command<{ times: number }[]>('errors count')
  expect(counted).toMatchObject({ times: 1 })
})

test('a page that is closed at once still reports, with who is logged in', async () => {
  const { page, context } = phone
  const token = await server.login('member')
  await context.addInitScript((it) => localStorage.setItem('authorization', it), token)
  await page.goto(`/channels/${server.guildId}`)
  await page.locator('[data-part=channel]').first().waitFor()
  const asked = page.waitForRequest((request) => request.url().endsWith('/api/v2/users/log'))
  await breakPage('SyntaxError', 'last words')
  await asked
  await page.close()
  await expect.poll(async () => (await stored())[0]?.name).toBe('SyntaxError')
  expect((await stored())[0]).toMatchObject({ user_id: server.person('member').id })
})

test('a server that cannot take reports leaves the page at work, and is not asked again and again', async () => {
  const { page } = phone
  let asked = 0
  await page.route('**/api/v2/users/log', (route) => {
    asked += 1
    return route.abort()
  })
  await page.goto('/login')
  await breakPage('Error', 'first')
  await expect.poll(() => asked).toBe(1)
  await breakPage('Error', 'first')
  await breakPage('Error', 'second')
  await expect.poll(() => asked).toBe(2)
  await page.getByRole('tab', { name: '密码登录' }).click()
  await page.getByLabel('密码', { exact: true }).waitFor()
  expect(asked).toBe(2)
})
