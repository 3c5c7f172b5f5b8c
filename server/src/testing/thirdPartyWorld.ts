/** What tests of accounts at third parties share: providers, a server that knows them, people, browsers. */
import { beginPath, type ThirdPartyName } from '@guildhall/wire/auth/thirdParty.ts'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { replaceClock } from '../kit/clock.ts'
import { agree, openProviderServer, type ProviderServer, providerVariables } from './pay/providerServer.ts'
import { openTestServer, type TestServer } from './server.ts'
import { openTestWebServer, type TestWebServer } from './web.ts'

export interface Answer {
  readonly status: number
  readonly body: {
    readonly code?: number
    readonly error?: string
    readonly token?: string
    readonly user?: { id: string; username: string; avatar: string; mobile: string }
    readonly data?: {
      readonly error?: string
      readonly extra?: { readonly bind_info?: string; readonly nickname?: string; readonly proof?: string }
    }
  }
}

export const infoIn = ({ body }: Answer): string => body.data?.extra?.bind_info ?? ''
export const failureOf = ({ body }: Answer): string | undefined => body.error ?? body.data?.error

/** Opens them before the tests of a file, and closes them afterwards. */
export function thirdPartyWorld() {
  const opened = {} as { provider: ProviderServer; web: TestWebServer; server: TestServer }
  let restore: () => void = () => undefined
  beforeAll(async () => {
    opened.provider = await openProviderServer()
    opened.web = await openTestWebServer()
    const proxied = { CAPTCHA: 'never', TRUSTED_PROXIES: '127.0.0.1' }
    opened.server = await openTestServer({ ...proxied, ...providerVariables(opened.provider.url) }, () =>
      opened.web.safeFetch(),
    )
  })
  afterAll(async () => {
    await opened.server?.close()
    await opened.web?.close()
    await opened.provider?.close()
  })
  afterEach(() => {
    restore()
    restore = () => undefined
    for (const path of ['/oauth2.0/token', '/user/get_user_info']) opened.provider.faultMode(path, null)
  })
  const later = (ms: number): void => {
    restore()
    restore = replaceClock(() => Date.now() + ms)
  }
  return Object.assign(opened, { later, ...peopleOf(opened) })
}

/** People whom nobody knows yet, and their browsers. */
function peopleOf(opened: { readonly server: TestServer }) {
  let people = 0
  let networks = 0
  let numbers = 13_600_000_000
  const newPerson = () => `人${++people}`
  const newNumber = () => String(++numbers)
  /** A network that has not asked for anything. */
  const newNetwork = () => `203.0.113.${++networks}`

  /** A code that is asked for from a network of its own: one network gets thirty an hour. */
  async function codeFor(mobile: string, type = 'login'): Promise<string> {
    const reply = await fetch(`${opened.server.url}/api/v2/auth/phone-verification`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': newNetwork() },
      body: JSON.stringify({ mobile, type }),
    })
    expect(reply.status).toBe(200)
    return opened.server.codeFor(mobile)
  }

  const openPerson = () => openBrowser(opened, codeFor)

  /** A person who has bound their account to a new number. */
  async function bound(who = newPerson(), mobile = newNumber()) {
    const browser = openPerson()
    const session = await browser.bind(await browser.comeBack(who), mobile)
    expect(session.status).toBe(200)
    return { who, mobile, user: session.body.user!, token: session.body.token! }
  }
  return { newPerson, newNumber, newNetwork, openPerson, codeFor, bound }
}

/** A browser with cookies of its own. */
function openBrowser(opened: { readonly server: TestServer }, codeFor: (mobile: string) => Promise<string>) {
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map((pair) => pair.join('=')).join('; ')
  return {
    cookies,
    /** The network it is in; null: this machine. */
    network: null as string | null,
    async start(name: ThirdPartyName, agent = 'Mozilla/5.0 (iPhone) Mobile Safari'): Promise<string> {
      const reply = await fetch(`${opened.server.url}${beginPath(name)}`, {
        redirect: 'manual',
        headers: { 'user-agent': agent, cookie: cookie() },
      })
      for (const line of reply.headers.getSetCookie()) {
        const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(key, value)
      }
      return reply.headers.get('location') ?? ''
    },
    async post(path: string, input: object, token?: string, headers: object = {}): Promise<Answer> {
      const reply = await fetch(`${opened.server.url}/api/v2/auth/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(this.network && { 'x-forwarded-for': this.network }),
          cookie: cookie(),
          ...(token && { authorization: token }),
          ...headers,
        },
        body: JSON.stringify(input),
      })
      return { status: reply.status, body: (await reply.json()) as Answer['body'] }
    },
    /** Sends what the provider's answer brings. */
    login(back: URL, name: ThirdPartyName = 'qq', token?: string, more: object = {}): Promise<Answer> {
      const [auth_code, state] = [back.searchParams.get('code'), back.searchParams.get('state')]
      return this.post(
        'third-part-login',
        { token_type: name, auth_code, state, remember: true, type: 'h5', ...more },
        token,
      )
    },
    async comeBack(who: string, name: ThirdPartyName = 'qq', agent?: string): Promise<Answer> {
      return this.login(await agree(await this.start(name, agent), who), name)
    },
    async bind(from: Answer, mobile: string, more: object = {}, headers: object = {}): Promise<Answer> {
      const code = await codeFor(mobile)
      const input = { bind_info: infoIn(from), mobile, code, ...more }
      return this.post('third-part-bind-mobile', input, undefined, headers)
    },
  }
}
