/** What every call and every page stands, whoever sends what. */
import { logout } from '@guildhall/wire/auth/auth.ts'
import { login } from '@guildhall/wire/auth/login.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import type { FailureName } from '@guildhall/wire/failure.ts'
import { BODY_MAX_BYTES } from '@guildhall/wire/limit.ts'
import { pathParams, type Route } from '@guildhall/wire/route.ts'
import { routes as byName } from '@guildhall/wire/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giveBotToken } from '../auth/auth.ts'
import { commit } from '../kit/events/events.ts'
import { newNetwork, requestOf } from '../testing/calls.ts'
import { openConnection } from '../testing/connection.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { registerBot } from '../user/user.ts'
import { SCREENS } from './pages/screens.ts'

const routes: readonly Route[] = [...byName.values()]
let world: TestWorld
let token: string
beforeAll(async () => {
  world = await openWorld()
  token = await world.tokenOf('member')
})
afterAll(() => world?.close())

interface Sent {
  readonly payload?: string | Buffer
  readonly url?: string
  readonly headers?: Record<string, string>
  readonly isUser?: boolean
}

/** Sends a call as it is given; returns how it is answered. */
async function send(route: Route, { payload, url, headers = {}, isUser = false }: Sent) {
  const reply = await world.app.inject({
    method: route.method,
    url: url ?? requestOf(route, Object.fromEntries(pathParams(route.path).map((name) => [name, '1']))).url,
    headers: { 'content-type': 'application/json', ...(isUser && { authorization: token }), ...headers },
    ...(payload !== undefined && route.method !== 'GET' && { payload }),
    remoteAddress: newNetwork(),
  })
  const body = JSON.parse(reply.text) as { error?: FailureName; data?: { error?: FailureName } }
  return { status: reply.status, failure: body.error ?? body.data?.error, headers: reply.headers }
}

const described = (sent: unknown): string => JSON.stringify(sent).slice(0, 120)

const BODIES: readonly (string | Buffer)[] = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '"text"',
  '[]',
  '[{}]',
  '{',
  '{"mobile":',
  'a=b&c=d',
  '\u0000',
  '\ufeff{}',
  '[]'.repeat(9),
  '['.repeat(30_000),
  '{"mobile":'.repeat(6_000),
  '{"__proto__":{"mobile":"1"}}',
  '{"constructor":{"prototype":{}}}',
  '{"toString":1,"length":-1}',
  `{"mobile":${'9'.repeat(5_000)}}`,
  Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
  Buffer.from('{"mobile":"\xc3\x28"}', 'latin1'),
]

/** What ends the session that the test has. */
const ENDS = new Set(['/api/v2/auths', '/api/v3/user/sign-out-others', '/api/v3/user/delete'])

describe('a body that is none of the call', () => {
  it.each(
    routes.filter(({ form }) => !form).map((route) => [`${route.method} ${route.path}`, route] as const),
  )('%s answers as to any other client', async (_, route) => {
    for (const payload of BODIES)
      for (const isUser of ENDS.has(route.path) ? [false] : [false, true]) {
        const { status, failure } = await send(route, { payload, isUser })
        expect(status, described([payload, isUser])).toBeLessThan(500)
        expect(failure, described([payload, isUser])).not.toBe('internal')
      }
  })

  it('is refused where it is too large, by every call', async () => {
    const payload = `{"mobile":"${'1'.repeat(BODY_MAX_BYTES)}"}`
    for (const route of routes)
      if (route.method !== 'GET' && !route.form)
        expect((await send(route, { payload })).failure, route.path).toBe('too_large')
  })
})

/** What the calls about accounts take, as it would be taken. */
const ACCOUNT_CALLS: readonly (readonly [path: string, input: Record<string, unknown>])[] = [
  [
    '/api/v3/auth/phone-verification',
    { mobile: '13812340001', mobile_prefix: '86', type: 'login', sign: 'x' },
  ],
  [
    '/api/v2/auth/phone-verification',
    { mobile: '13812340001', mobile_prefix: '86', type: 'forgot', sign: 'x' },
  ],
  [
    '/api/v3/auth/mobile-login',
    {
      type: 'invite_reg',
      mobile: '13812340001',
      mobile_prefix: '86',
      code: '123456',
      remember: true,
      invite_code: 'ABCDEFGH',
      sign: 'x',
    },
  ],
  [
    '/api/v2/auth/verify-code-login',
    { mobile: '13812340001', mobile_prefix: '86', code: '123456', remember: true, sign: 'x' },
  ],
  [
    '/api/v2/auth/login',
    {
      mobile: '13812340001',
      mobile_prefix: '86',
      password: 'secret1',
      remember: true,
      sign: 'x',
      second_factor: '123456',
    },
  ],
  [
    '/api/v2/auth/third-part-login',
    {
      token_type: 'qq',
      auth_code: 'c',
      remember: true,
      type: 'h5',
      state: 'qqlogin.n',
      second_factor: '123456',
      proof: 'x',
    },
  ],
  [
    '/api/v2/auth/third-part-bind-mobile',
    {
      bind_info: 'x',
      mobile: '13812340001',
      mobile_prefix: '86',
      code: '123456',
      remember: true,
      replace: true,
      sign: 'x',
    },
  ],
  [
    '/api/v2/auth/forgot',
    { mobile: '13812340001', mobile_prefix: '86', code: '123456', password: 'secret1', sign: 'x' },
  ],
  ['/api/v2/auth/wx-sign', { url: 'http://localhost/' }],
  ['/api/v2/auths/invite-code-verification', { invite_code: 'ABCDEFGH' }],
  ['/api/v3/promotion/ref-code', { code: 'ABCDEFGH' }],
  ['/api/file/captcha', { refresh: '1', kind: 'work' }],
  ['/api/file/check-captcha', { id: 'x', captcha: 'x', mobile: '13812340001', mobile_prefix: '86' }],
  ['/api/v2/updates/latest-version', { platform: 'ios' }],
  ['/api/v3/user/sign-out-device', { id: '00000000-0000-4000-8000-000000000000' }],
  ['/api/v3/user/second-factor-begin', { owner: { password: 'x', code: 'x' } }],
  ['/api/v3/user/second-factor-confirm', { setup: 'x', code: '123456' }],
  ['/api/v3/user/second-factor-off', { owner: { password: 'x', code: 'x' }, second_factor: '123456' }],
  ['/api/v3/user/recovery-codes', { owner: { password: 'x', code: 'x' }, second_factor: '123456' }],
  ['/api/v3/user/unlink-third-party', { token_type: 'qq', owner: { password: 'x', code: 'x' } }],
  ['/api/v3/user/delete', { password: 'x', code: 'x', words: true }],
  ['/api/v3/user/update', { password: 'x', username: '', invite_code: 'x', owner: { password: 'x' } }],
  [
    '/api/v2/users',
    {
      mobile: { mobile: '13812340001', code: '123456', mobile_prefix: '86' },
      username: '',
      owner: { password: '', code: '' },
      sign: 'x',
    },
  ],
  [
    '/api/v2/users/log',
    {
      user: { id: '1', username: 'x' },
      location: '/',
      errorEvent: { filename: 'x', error: { name: 'x', message: 'x', stack: 'x' } },
    },
  ],
]

/** Each is refused, or taken as what it says. */
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  [],
  ['13812340001'],
  {},
  { toString: 1 },
  [[[[[[]]]]]],
  '',
  '\u0000',
  '\ud800',
  "'; drop table session; --",
  '%',
  '%00',
  '../../x',
  '\u202e',
  'x'.repeat(10_000),
  '1'.repeat(400),
  '９'.repeat(11),
  '+',
  '00',
  '0086',
  '\r\nset-cookie: a=b',
  '{{n}}',
  '{n}',
]

describe('a value that no form sends', () => {
  it.each(ACCOUNT_CALLS)('%s refuses or takes it, in each of its fields', async (path, input) => {
    const found = routes.filter((route) => route.path === path)
    expect(found).not.toEqual([])
    for (const route of found)
      for (const field of Object.keys(input))
        for (const value of VALUES) {
          // In a query everything is text.
          const sent = route.method === 'GET' && typeof value === 'object' ? JSON.stringify(value) : value
          const changed = { ...input, [field]: sent }
          const isUser = route.who !== 'anyone'
          const { status, failure, headers } = await send(route, {
            url: requestOf(route, changed).url,
            payload: JSON.stringify(changed),
            isUser,
          })
          expect(status, described({ [field]: value })).toBeLessThan(500)
          expect(failure, described({ [field]: value })).not.toBe('internal')
          expect(headers['set-cookie'], described({ [field]: value })).toBeUndefined()
        }
    // None of it ended the session or locked the account.
    expect((await world.as({ token }).call(userState)).user.id).toBe(world.people.member.id)
  })
})

describe('a header', () => {
  const HEADERS: readonly Record<string, string>[] = [
    { 'x-client-source': '7' },
    { 'x-client-source': '4, 4' },
    { 'x-client-source': 'x'.repeat(2_000) },
    { 'accept-language': '*'.repeat(4_000) },
    { 'accept-language': 'zh;q=x, \t, en;q=-1' },
    { 'user-agent': '('.repeat(8_000) },
    { 'user-agent': `Mozilla/5.0 ${'Chrome/1 '.repeat(800)}` },
    { cookie: 'third-party=; __Host-third-party=x; logins=%0d%0aevil' },
    { cookie: '='.repeat(4_000) },
    { authorization: 'Bearer x' },
    { authorization: `Bot ${'/'.repeat(128)}` },
    { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'evil.example', forwarded: 'for=127.0.0.1' },
    { host: 'evil.example', origin: 'https://evil.example', referer: 'https://evil.example/' },
    { host: 'evil.example/x?' },
  ]
  it('that is made up changes neither the outcome of a call nor a header of its answer', async () => {
    for (const [path, input] of ACCOUNT_CALLS)
      for (const route of routes.filter((each) => each.path === path && each.who === 'anyone'))
        for (const headers of HEADERS) {
          const it = { url: requestOf(route, input).url, payload: JSON.stringify(input), headers }
          const answer = await send(route, it)
          expect(answer.status, described([path, headers])).toBeLessThan(500)
          expect(JSON.stringify(answer.headers), described([path, headers])).not.toContain('evil')
        }
  })

  it('of another host leads nobody there, by no page and no link', async () => {
    for (const headers of HEADERS.filter(({ host }) => host !== undefined))
      for (const url of ['/api/v2/auth/third-part/qq', '/api/v2/auth/third-part/qq?here=1', '/login']) {
        const reply = await world.app.inject({ method: 'GET', url, headers })
        expect(reply.headers.location ?? '', described([url, headers])).not.toContain('evil')
      }
    const links = await world.app.inject({
      method: 'GET',
      url: '/api/v2/users/invite-codes',
      headers: { host: 'evil.example', authorization: token },
    })
    expect(links.text).not.toContain('evil')
  })
})

it('a token that was logged out is refused by every call that needs one', async () => {
  const { mobile, password } = world.people.member
  const { token: ended } = await world.as(null).call(login, { mobile, password })
  await world.as({ token: ended }).call(logout)
  for (const route of routes.filter(({ who, form }) => who !== 'anyone' && !form)) {
    const { failure } = await send(route, { payload: '{}', headers: { authorization: ended } })
    expect(failure, `${route.method} ${route.path}`).toBe('not_logged_in')
  }
})

it('a bot is refused by every call that is for people: it buys, redeems and proves nothing', async () => {
  const botToken = await commit(world.app.appContext, async (tx, emit) => {
    const bot = await registerBot(tx, '小助手')
    return giveBotToken(tx, emit, bot.id)
  })
  for (const route of routes.filter(({ who }) => who === 'person')) {
    const { failure } = await send(route, { payload: '{}', headers: { authorization: `Bot ${botToken}` } })
    expect(failure, `${route.method} ${route.path}`).toBe('forbidden')
  }
})

it('a gateway address of a session that was logged out connects nobody', async () => {
  const { mobile, password } = world.people.member
  const session = await world.as(null).call(login, { mobile, password })
  await world.as({ token: session.token }).call(logout)
  const connection = await openConnection(session.gateway_url, Number(new URL(await world.app.listen()).port))
  expect(await connection.closed).toBe(4002)
})

it('no page, no call and no tool of development can be framed by another site', async () => {
  const addresses = [
    ...Object.keys(SCREENS).map((path) => path.replace(/:\w+(?:\([^)]*\))?/g, '1')),
    '/invite/ABCDEFGH',
    '/user-invite/ABCDEFGH',
    `/invite/${world.invite}`,
    '/nowhere',
    '/%',
    '/discover',
    '/dev/outbox?mobile=1',
    '/dev/captcha?id=1',
    '/healthz',
    '/readyz',
    '/metrics',
    '/logo.svg',
    '/dev/identity/oauth2.0/authorize',
    '/dev/identity/connect/oauth2/authorize',
    '/dev/identity/connect/qrconnect',
    '/dev/identity/consent',
    '/dev/gallery',
    '/dev/shell',
    '/api/v2/auth/third-part/qq',
    '/api/file/captcha',
    '/api/v3/user/me',
    '/avatars/1/x.svg',
  ]
  for (const url of addresses)
    for (const accept of ['text/html', '*/*']) {
      const { headers } = await world.app.inject({ method: 'GET', url, headers: { accept } })
      expect(headers['content-security-policy'], url).toContain("frame-ancestors 'none'")
      // The reference shell of development frames pages of its own server.
      const framed = { accept, 'sec-fetch-dest': 'iframe' }
      const inFrame = (await world.app.inject({ method: 'GET', url, headers: framed })).headers
      expect(inFrame['content-security-policy'], url).toMatch(/frame-ancestors '(?:none|self)'/)
    }
})
