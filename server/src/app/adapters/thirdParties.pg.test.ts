import { beginPath, wxSign } from '@guildhall/wire/auth/thirdParty.ts'
import { vipProducts } from '@guildhall/wire/buff/buff.ts'
import { createOrder } from '@guildhall/wire/order/order.ts'
import { createByCode, wxJsapi } from '@guildhall/wire/pay/pay.ts'
import { latestVersion } from '@guildhall/wire/site/site.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { agree } from '../../testing/pay/providerServer.ts'
import { openTestServer, type TestServer } from '../../testing/server.ts'
import { openThirdParties } from './thirdParties.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({
    CAPTCHA: 'never',
    IOS_STORE_URL: 'https://apps.example/1',
    IOS_VERSION: '2.1',
    PAY_SANDBOX: '1',
  })
})
afterAll(() => server?.close())

const AUTHORIZE = '/dev/identity/oauth2.0/authorize'

describe('the local identity provider', () => {
  it('is absent in production, beside a configured one, and where codes are sent', () => {
    const sms = {
      SMS_PROVIDER: 'tencent',
      TENCENT_SECRET_ID: 'x',
      TENCENT_SECRET_KEY: 'x',
      TENCENT_SMS_APP_ID: 'x',
    }
    const sent = { ...sms, TENCENT_SMS_SIGN_NAME: 'x', TENCENT_SMS_TEMPLATE_ID: 'x' }
    const open = (env: Record<string, string>) => openThirdParties(readConfig(env, '/'))
    for (const env of [sent, { ...sent, NODE_ENV: 'production' }, { QQ_APP_ID: '1', QQ_APP_KEY: 'k' }])
      expect(open(env).endpoints).toEqual([])
    expect(open(sent).providers).toEqual([])
    expect(open({ QQ_APP_ID: '1', QQ_APP_KEY: 'k' }).providers.map(({ name }) => name)).toEqual(['qq'])
    expect(open({}).providers.map(({ name }) => name)).toEqual(['qq', 'weixin'])
  })

  it('is absent, as those of the configuration are, where there is nothing to bind them to', () => {
    const open = (env: Record<string, string>) => openThirdParties(readConfig(env, '/'))
    const qq = { QQ_APP_ID: '1', QQ_APP_KEY: 'k' }
    const here = { network: '', address: '127.0.0.1' } as never
    for (const env of [{}, qq]) {
      const { providers, endpoints, pageCookie } = open({ ...env, REGISTRATION: 'invite' })
      expect(providers).toEqual([])
      expect(endpoints).toEqual([])
      expect(pageCookie(here).value).toBe('')
    }
    expect(open({ ...qq, REGISTRATION: 'email,invite' }).providers).toHaveLength(1)
  })

  it('is for this machine and holders of the token alone, as the outbox is', async () => {
    const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } }
    expect((await fetch(`${server.url}${AUTHORIZE}`)).status).toBe(400)
    expect((await fetch(`${server.url}${AUTHORIZE}`, forwarded)).status).toBe(404)
    const other = await openTestServer({ OUTBOX_TOKEN: 'a-token-of-the-test' })
    try {
      const from = (query: string) => fetch(`${other.url}${AUTHORIZE}${query}`, forwarded)
      expect((await from('')).status).toBe(404)
      expect((await from('?token=a-token-of-the-test')).status).toBe(400)
    } finally {
      await other.close()
    }
  })

  it('shows a page on which nothing runs and which nobody frames', async () => {
    const begun = await fetch(`${server.url}${beginPath('qq')}`, { redirect: 'manual' })
    const page = await fetch(`${server.url}${begun.headers.get('location')}`)
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self' http:\/\/127\.0\.0\.1:\d+; frame-ancestors 'none'; base-uri 'none'$/,
    )
    const text = await page.text()
    expect(text).toContain('同意')
    expect(text).not.toContain('<script')
  })

  it.each([
    ['another address', 'redirect_uri', 'https://evil.example/login'],
    ['another page of this site', 'redirect_uri', '/channels/'],
    ['another application', 'client_id', '999'],
    ['another scope', 'scope', 'list_album'],
    ['markup', 'client_id', '"><script>alert(1)</script>'],
  ])('refuses %s', async (_what, name, value) => {
    const begun = await fetch(`${server.url}${beginPath('qq')}`, { redirect: 'manual' })
    const url = new URL(begun.headers.get('location') ?? '', server.url)
    url.searchParams.set(name, value)
    const page = await fetch(url)
    expect(page.status).toBe(400)
    expect(await page.text()).not.toContain('<script>alert')
  })

  it('gives its people pictures that a page may show, as of who pays inside of WeChat', async () => {
    const buyer = server.as('member')
    const [product] = (await buyer.call(vipProducts)).items
    const { code: id } = await buyer.call(createOrder, { product_id: product!.id, key: 'picture' })
    const { pay_data } = await server.as(null).call(createByCode, { id, platform: 1 })
    const back = (await agree(pay_data.mobile_pay, '小林')).searchParams
    const paying = { code: back.get('code') ?? '', state: back.get('state') ?? '' }
    const { user } = await server.as(null).call(wxJsapi, paying)
    expect(user.name).toBe('小林')
    expect(user.avatar.startsWith(`${server.url}/`)).toBe(true)
    expect((await fetch(user.avatar)).headers.get('content-type')).toContain('image/')
  })

  it('says that the person cancelled as each provider does', async () => {
    for (const [name, search] of [
      ['qq', /^\?usercancel=1&state=qqlogin\.\w{43}$/],
      ['weixin', /^\?state=wxlogin\.\w{43}$/],
    ] as const) {
      const begun = await fetch(`${server.url}${beginPath(name)}`, { redirect: 'manual' })
      const back = await agree(new URL(begun.headers.get('location') ?? '', server.url).href, '小林', 'no')
      expect(back.search).toMatch(search)
    }
  })

  it('signs pages, too', async () => {
    const signed = await server.as(null).call(wxSign, { url: `${server.url}/login` })
    expect(signed).toMatchObject({
      appId: expect.stringMatching(/^wx/),
      signature: expect.stringMatching(/^\w{40}$/),
    })
  })
})

it.each([
  ['the page that asks', (url: string) => `${url}/login?a=b`, 200],
  ['no page of another site', () => 'https://evil.example/login', 400],
  ['nothing when it is not known who asks', () => '', 400],
])('a call without an address has signed %s', async (_what, referer, status) => {
  const headers = { referer: referer(server.url) }
  expect((await fetch(`${server.url}/api/v2/auth/wx-sign`, { headers })).status).toBe(status)
})

describe('the newest app', () => {
  it.each([
    ['ios', { url: 'https://apps.example/1', version: '2.1' }],
    ['iOS', { url: 'https://apps.example/1', version: '2.1' }],
    ['android', { url: '', version: '' }],
    ['symbian', { url: '', version: '' }],
  ])('of %s is what the operator says', async (platform, wanted) => {
    expect(await server.as(null).call(latestVersion, { platform })).toEqual(wanted)
  })

  it('needs a platform', async () => {
    expect(await server.as(null).refusal(latestVersion)).toBe('bad_input')
  })
})
