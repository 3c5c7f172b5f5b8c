import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  openProviderServer,
  type ProviderFaultMode,
  type ProviderServer,
} from '../../testing/pay/providerServer.ts'
import { openQq } from './qq.ts'
import type { Surface, ThirdParty } from './thirdParty.ts'
import { openWeixin, openWeixinTickets } from './weixin.ts'

let server: ProviderServer
let qq: ThirdParty
let weixin: ThirdParty
beforeAll(async () => {
  server = await openProviderServer()
  qq = openQq({ ...server.apps.qq, endpoint: server.url })
  weixin = openWeixin({ ...server.apps.weixin, endpoint: server.url })
})
afterAll(() => server.close())
afterEach(() => {
  for (const path of ['/oauth2.0/token', '/oauth2.0/me', '/sns/oauth2/access_token', '/cgi-bin/token'])
    server.faultMode(path, null)
})

const redirectUri = 'https://hall.example/login'
const state = 'qqlogin.nonce'
const soon = () => AbortSignal.timeout(5000)

/** Agrees as a person, and asks whose code came back. */
async function login(provider: ThirdParty, person: string, surface: Surface = 'phone') {
  const code = await server.codeFor(provider.authorizeUrl({ surface, state, redirectUri }), person)
  return { code, surface, redirectUri }
}
const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => new Error('it went well'),
    (thrown: Error) => thrown,
  )
  return `${error.name}: ${error.message}`
}

describe('a code that does not count', () => {
  it.each([
    ['qq', 'ThirdPartyRefused: qq does not accept the code: 100019'],
    ['weixin', 'ThirdPartyRefused: weixin does not accept the code: 40029'],
  ])('made up, at %s', async (name, text) => {
    const provider = name === 'qq' ? qq : weixin
    expect(await failure(provider.identify({ code: 'made-up', surface: 'desk', redirectUri }, soon()))).toBe(
      text,
    )
  })

  it.each([
    ['qq', '100020'],
    ['weixin', '40163'],
  ])('used, at %s', async (name, code) => {
    const provider = name === 'qq' ? qq : weixin
    const returned = await login(provider, '小林')
    await provider.identify(returned, soon())
    expect(await failure(provider.identify(returned, soon()))).toContain(`not accept the code: ${code}`)
  })

  it('of another address, at QQ', async () => {
    const returned = { ...(await login(qq, '小林')), redirectUri: 'https://evil.example/login' }
    expect(await failure(qq.identify(returned, soon()))).toContain('100010')
  })

  it('of the other application, at WeChat', async () => {
    const returned = { ...(await login(weixin, '小林', 'inside')), surface: 'desk' as const }
    expect(await failure(weixin.identify(returned, soon()))).toContain('40029')
  })
})

describe('a provider without a useful answer is named, and no secret is', () => {
  const faultModes: [ProviderFaultMode, string][] = [
    [{ status: 502 }, 'answers with status 502'],
    [{ status: 200, body: '<html>busy</html>' }, 'answers with something else than JSON'],
    [{ status: 200, body: '[]' }, 'answers with something else than JSON'],
    [{ json: {} }, 'answers without a token'],
    [{ json: { access_token: { a: 1 } } }, 'answers without a token'],
    ['huge', 'answers with too much'],
    ['hang up', 'cannot be reached'],
    ['redirect', 'cannot be reached'],
  ]
  it.each(faultModes)('%j', async (faultMode, text) => {
    server.faultMode('/oauth2.0/token', faultMode)
    server.faultMode('/sns/oauth2/access_token', faultMode)
    for (const provider of [qq, weixin]) {
      const said = await failure(provider.identify({ code: 'c', surface: 'desk', redirectUri }, soon()))
      expect(said).toBe(`ThirdPartyFailed: ${provider.name} ${text}`)
    }
  })

  it('silent until the caller has waited enough', async () => {
    server.faultMode('/oauth2.0/token', 'silent')
    const said = await failure(
      qq.identify({ code: 'c', surface: 'desk', redirectUri }, AbortSignal.timeout(50)),
    )
    expect(said).toBe('ThirdPartyFailed: qq does not answer in time')
  })

  it('a wrong secret is the operator’s fault, not the person’s', async () => {
    const wrongQq = openQq({ appId: server.apps.qq.appId, secret: 'no', endpoint: server.url })
    expect(await failure(wrongQq.identify(await login(qq, '小林'), soon()))).toBe(
      'ThirdPartyFailed: qq answers 100009',
    )
    const { account } = server.apps.weixin
    const no = { ...account, secret: 'no' }
    const wrong = openWeixin({ account: no, site: no, endpoint: server.url })
    expect(await failure(wrong.identify(await login(weixin, '小林', 'inside'), soon()))).toBe(
      'ThirdPartyFailed: weixin answers 40125',
    )
    expect(
      await failure(openWeixinTickets({ account: no, site: no, endpoint: server.url }).accessToken(soon())),
    ).toBe('ThirdPartyFailed: weixin answers 40001')
  })

  it('a token that was made for another application logs nobody in', async () => {
    const returned = await login(qq, '小林')
    server.faultMode('/oauth2.0/me', { json: { client_id: '999', openid: 'A'.repeat(32) } })
    expect(await failure(qq.identify(returned, soon()))).toContain('answers without an openid')
  })
})

/** What is no id of anybody: it would be the same for several people. */
const NOBODY: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ',
  0,
  1,
  true,
  {},
  [],
  ['0123456789ABCDEF0123456789ABCDEF'],
  '0'.repeat(32),
  '0',
  '-1',
  'null',
  'NULL',
  'undefined',
  'None',
  'false',
  'NaN',
  'unknown',
  '[object Object]',
]
const ID = '0123456789ABCDEF0123456789ABCDEF'
const returned = { code: 'c', surface: 'desk', redirectUri } as const

describe('what QQ sends otherwise than documented', () => {
  const TOKEN = '{"access_token":"T","expires_in":7776000}'
  const ME = `{"client_id":"101234567","openid":"${ID}","unionid":"UID_${ID}"}`
  const identify = (token: string, me: string) => {
    server.faultMode('/oauth2.0/token', { status: 200, body: token })
    server.faultMode('/oauth2.0/me', { status: 200, body: me })
    return qq.identify(returned, soon())
  }

  it.each([
    ['a form instead of JSON', 'access_token=T&expires_in=7776000&refresh_token=R', ME],
    ['a form with an end of line', 'access_token=T&expires_in=7776000\r\n', ME],
    ['JSON in a call', TOKEN, `callback( ${ME} );\n`],
    ['JSON in a call, without spaces and semicolon', `callback(${TOKEN})`, `callback(${ME})`],
    ['a mark of the byte order', `\uFEFF${TOKEN}`, `\uFEFFcallback( ${ME} );`],
    ['space around', `\n ${TOKEN}\r\n`, ` ${ME}\n\n`],
    ['a lifetime in text', TOKEN.replace('7776000', '"7776000"'), ME],
    ['the error 0', TOKEN.replace('{', '{"error":0,'), ME.replace('{', '{"error":0,')],
    ['the error 0 in text', TOKEN.replace('{', '{"error":"0",'), ME.replace('{', '{"error":"0",')],
    ['the error null', TOKEN.replace('{', '{"error":null,'), ME.replace('{', '{"error":null,')],
    ['an empty error', TOKEN.replace('{', '{"error":"",'), ME.replace('{', '{"error":"",')],
    ['the application as a number', TOKEN, ME.replace('"101234567"', '101234567')],
    ['the openid with the token', TOKEN.replace('{', `{"openid":"${ID}",`), ME],
  ])('is understood: %s', async (_what, token, me) => {
    expect(await identify(token, me)).toMatchObject({ openid: ID, unionid: `UID_${ID}` })
  })

  it.each([
    ['nothing', ''],
    ['an empty object', '{}'],
    ['null', 'null'],
    ['a page', '<html><a href="?a=b">busy</a></html>'],
    ['a token twice', 'access_token=T&access_token=U'],
    ['a form without a token', 'expires_in=7776000'],
    ['an empty token', 'access_token=&expires_in=7776000'],
    ['a call of something else', `other( ${TOKEN} );`],
    ['half of it', TOKEN.slice(0, -3)],
  ])('logs nobody in: %s instead of a token', async (_what, token) => {
    expect(await failure(identify(token, ME))).toMatch(/^ThirdPartyFailed/)
  })

  it.each(NOBODY)('logs nobody in: %j instead of an openid', async (openid) => {
    const me = JSON.stringify({ ...JSON.parse(ME), openid })
    expect(await failure(identify(TOKEN, me))).toBe('ThirdPartyFailed: qq answers without an openid')
  })

  it('logs nobody in: the token’s openid is another one', async () => {
    const token = TOKEN.replace('{', `{"openid":"${'F'.repeat(32)}",`)
    expect(await failure(identify(token, ME))).toBe('ThirdPartyFailed: qq answers without an openid')
  })

  it.each(NOBODY)('makes nobody the same as others: %j instead of a unionid', async (unionid) => {
    const me = JSON.stringify({ ...JSON.parse(ME), unionid })
    expect(await identify(TOKEN, me)).toMatchObject({ openid: ID, unionid: null })
  })

  it('knows a refusal as a form, in a call, and with its code in text', async () => {
    for (const body of [
      'error=100020&error_description=code+is+reused+error',
      'callback( {"error":100020,"error_description":"code is reused error"} );\n',
      '{"error":"100020"}',
    ])
      expect(await failure(identify(body, ME))).toBe('ThirdPartyRefused: qq does not accept the code: 100020')
  })

  it('takes a name when its code of success is text', async () => {
    const { profile } = await identify(TOKEN, ME)
    server.faultMode('/user/get_user_info', { json: { ret: '0', nickname: '小林', figureurl_qq_1: null } }, 1)
    expect(await profile()).toEqual({ nickname: '小林', avatar: '' })
  })
})

describe('what WeChat sends otherwise than documented', () => {
  const TOKEN = { access_token: 'T', expires_in: 7200, openid: `o6_${ID}`, unionid: `oU_${ID}` }
  const identify = (change: object | string) => {
    const body = typeof change === 'string' ? change : JSON.stringify({ ...TOKEN, ...change })
    server.faultMode('/sns/oauth2/access_token', { status: 200, body })
    return weixin.identify(returned, soon())
  }

  it.each([
    ['the error 0', { errcode: 0, errmsg: 'ok' }],
    ['the error 0 in text', { errcode: '0' }],
    ['the error null', { errcode: null }],
    ['a lifetime in text', { expires_in: '7200' }],
    ['that it is no snapshot', { is_snapshotuser: 0 }],
    ['a mark of the byte order', `\uFEFF${JSON.stringify(TOKEN)}\n`],
  ])('is understood: %s', async (_what, change) => {
    expect(await identify(change)).toMatchObject({ openid: TOKEN.openid, unionid: TOKEN.unionid })
  })

  it.each(NOBODY)('logs nobody in: %j instead of an openid', async (openid) => {
    expect(await failure(identify({ openid }))).toBe('ThirdPartyFailed: weixin answers without a token')
  })

  it.each(NOBODY)('makes nobody the same as others: %j instead of a unionid', async (unionid) => {
    expect(await identify({ unionid })).toMatchObject({ openid: TOKEN.openid, unionid: null })
  })

  it.each([1, '1', true])('logs nobody in who only looks at a snapshot of the page: %j', async (is) => {
    expect(await failure(identify({ is_snapshotuser: is }))).toBe(
      'ThirdPartyRefused: weixin does not accept the code: is_snapshotuser',
    )
  })

  it('knows a refusal with its code in text', async () => {
    expect(await failure(identify('{"errcode":"40163","errmsg":"code been used"}'))).toContain('40163')
  })

  it('tells who it is, though the name breaks the JSON', async () => {
    const { openid, profile } = await identify({})
    server.faultMode('/sns/userinfo', { status: 200, body: '{"nickname":"a\u0001b"}' }, 1)
    expect(openid).toBe(TOKEN.openid)
    expect(await failure(profile())).toMatch(/^ThirdPartyFailed/)
    server.faultMode('/sns/userinfo', { json: { errcode: '0', nickname: '阿杰', headimgurl: null } }, 1)
    expect(await profile()).toEqual({ nickname: '阿杰', avatar: '' })
  })

  it('grants a ticket with the error 0 in text, and a lifetime in text', async () => {
    const tickets = openWeixinTickets({ ...server.apps.weixin, endpoint: server.url })
    server.faultMode('/cgi-bin/token', { json: { errcode: '0', access_token: 'T', expires_in: '7200' } })
    expect(await tickets.accessToken(soon())).toEqual({ value: 'T', expiresInSeconds: 7200 })
  })
})

describe('QQ', () => {
  it('asks with the documented parameters', () => {
    const url = new URL(qq.authorizeUrl({ surface: 'phone', state, redirectUri }))
    expect(url.pathname).toBe('/oauth2.0/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: '101234567',
      redirect_uri: redirectUri,
      state,
      scope: 'get_user_info',
      display: 'mobile',
    })
    expect(qq.authorizeUrl({ surface: 'desk', state, redirectUri })).not.toContain('display')
    expect(
      openQq({ ...server.apps.qq, endpoint: null }).authorizeUrl({ surface: 'desk', state, redirectUri }),
    ).toMatch(/^https:\/\/graph\.qq\.com\/oauth2\.0\/authorize\?/)
  })

  it('tells who it is, the same at each login, and what they are called', async () => {
    const first = await qq.identify(await login(qq, 'Mia Chen'), soon())
    const again = await qq.identify(await login(qq, 'Mia Chen'), soon())
    const other = await qq.identify(await login(qq, '阿杰'), soon())
    expect(first.openid).toMatch(/^[0-9A-F]{32}$/)
    expect(first.unionid).toMatch(/^UID_/)
    expect([again.openid, again.unionid]).toEqual([first.openid, first.unionid])
    expect(other.openid).not.toBe(first.openid)
    expect((await first.profile()).nickname).toBe('Mia Chen')
  })

  it('goes on without a unionid where the application gets none', async () => {
    const returned = await login(qq, '小林')
    const body = 'callback( {"error":100048,"error_description":"companyid not set"} );\n'
    server.faultMode('/oauth2.0/me', { status: 200, body }, 1)
    const { openid, unionid } = await qq.identify(returned, soon())
    expect(openid).toMatch(/^[0-9A-F]{32}$/)
    expect(unionid).toBeNull()
  })
})

describe('WeChat', () => {
  it('asks the official account inside of its browser, and the website application elsewhere', () => {
    const inside = weixin.authorizeUrl({ surface: 'inside', state, redirectUri })
    expect(inside).toMatch(/\/connect\/oauth2\/authorize\?.*scope=snsapi_userinfo.*#wechat_redirect$/)
    expect(new URL(inside).searchParams.get('appid')).toBe('wxaccount')
    const desk = weixin.authorizeUrl({ surface: 'desk', state, redirectUri })
    expect(desk).toMatch(/\/connect\/qrconnect\?.*scope=snsapi_login.*#wechat_redirect$/)
    expect(new URL(desk).searchParams.get('appid')).toBe('wxsite')
    expect(weixin.surfaceOf('Mozilla/5.0 (iPhone) Mobile/15E148 MicroMessenger/8.0')).toBe('inside')
    expect(weixin.surfaceOf('Mozilla/5.0 (iPhone) Mobile/15E148 Safari/604.1')).toBe('phone')
  })

  it('tells the same unionid in and outside of its browser, with other openids', async () => {
    const inside = await weixin.identify(await login(weixin, '阿杰', 'inside'), soon())
    const desk = await weixin.identify(await login(weixin, '阿杰', 'desk'), soon())
    expect(inside.unionid).toBe(desk.unionid)
    expect(inside.openid).not.toBe(desk.openid)
    expect((await desk.profile()).nickname).toBe('阿杰')
  })

  it('grants tickets for its JS-SDK', async () => {
    const tickets = openWeixinTickets({ ...server.apps.weixin, endpoint: server.url })
    const { value, expiresInSeconds } = await tickets.accessToken(soon())
    expect(expiresInSeconds).toBe(7200)
    expect((await tickets.ticket(value, soon())).value).not.toBe('')
    expect(await failure(tickets.ticket('other', soon()))).toBe('ThirdPartyFailed: weixin answers 40001')
  })
})
