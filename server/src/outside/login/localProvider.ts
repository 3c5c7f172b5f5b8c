/**
 * An identity provider for development and tests: speaks the dialogues of QQ Connect and of WeChat, with a
 * page on which one chooses who one is. Checks application, secret, address, code and token as they do, and
 * answers their errors. Written after their documents, not after our code.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { drawnPicture } from '@guildhall/wire/user/letter.ts'
import type { QqConfig, WeixinConfig } from '../../config.ts'
import { clock } from '../../kit/clock.ts'
import { consentHeaders, consentPage, problemPage } from './localProviderPage.ts'

export interface LocalRequest {
  readonly method: 'GET' | 'POST'
  /** Without the prefix. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
}

export type LocalReply =
  | {
      readonly status: number
      readonly type: 'html' | 'json' | 'text'
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly redirect: string }

/** The applications that the provider knows. */
export interface LocalApps {
  readonly qq: Omit<QqConfig, 'endpoint'>
  readonly weixin: Omit<WeixinConfig, 'endpoint'>
}

export interface LocalProvider {
  readonly apps: LocalApps
  /** The paths of its pages and calls, without the prefix; `consent` is sent by POST. */
  readonly paths: readonly string[]
  /** `isCallback`: whether a login may return to an address, as the provider's console has it. */
  handle(request: LocalRequest, isCallback: (redirectUri: string) => boolean): LocalReply
}

type Kind = 'qq' | 'weixin'

/** A code, or a token, of a person for an application. */
interface Grant {
  readonly kind: Kind
  readonly appId: string
  readonly person: string
  readonly scope: string
  readonly redirectUri: string
  readonly until: number
  isUsed: boolean
}

export const CONSENT = '/consent'
const CODE_LIVES_MS: Readonly<Record<Kind, number>> = { qq: 10 * MINUTE_MS, weixin: 5 * MINUTE_MS }
const TOKEN_LIVES_MS = 120 * MINUTE_MS
const KEEPS = 500
const NAME_MAX = 60

/** Applications for a server that has none configured, with secrets that end with the process. */
export const localApps = (): LocalApps => ({
  qq: { appId: '100000001', secret: randomBytes(16).toString('hex') },
  weixin: {
    account: { appId: 'wx00000000000000a1', secret: randomBytes(16).toString('hex') },
    site: { appId: 'wx00000000000000b2', secret: randomBytes(16).toString('hex') },
  },
})

/** `site`: the public address of the server, which draws the pictures of its people. */
export function openLocalProvider(apps: LocalApps, site: string): LocalProvider {
  return new Provider(apps, site)
}

class Provider implements LocalProvider {
  readonly apps: LocalApps
  readonly #site: string
  readonly #key = randomBytes(32)
  readonly #codes = new Map<string, Grant>()
  readonly #tokens = new Map<string, Grant>()
  /** Tokens of applications themselves. */
  readonly #appTokens = new Set<string>()
  readonly #routes: Readonly<
    Record<string, (input: LocalRequest, isCallback: (address: string) => boolean) => LocalReply>
  > = {
    '/oauth2.0/authorize': (it, isCallback) => this.#page('qq', it, isCallback),
    '/connect/oauth2/authorize': (it, isCallback) => this.#page('weixin', it, isCallback),
    '/connect/qrconnect': (it, isCallback) => this.#page('weixin', it, isCallback),
    [CONSENT]: (it, isCallback) => this.#consent(it, isCallback),
    '/oauth2.0/token': ({ query }) => this.#qqToken(query),
    '/oauth2.0/me': ({ query }) => this.#qqMe(query),
    '/user/get_user_info': ({ query }) => this.#qqInfo(query),
    '/sns/oauth2/access_token': ({ query }) => this.#weixinToken(query),
    '/sns/userinfo': ({ query }) => this.#weixinInfo(query),
    '/cgi-bin/token': ({ query }) => this.#appToken(query),
    '/cgi-bin/ticket/getticket': ({ query }) => this.#ticket(query),
  }

  constructor(apps: LocalApps, site: string) {
    this.apps = apps
    this.#site = site
  }

  get paths(): readonly string[] {
    return Object.keys(this.#routes)
  }

  handle(request: LocalRequest, isCallback: (redirectUri: string) => boolean): LocalReply {
    const route = this.#routes[request.path]
    const wanted = request.path === CONSENT ? 'POST' : 'GET'
    if (!route || request.method !== wanted) return { status: 404, type: 'text', body: 'not found' }
    return route(request, isCallback)
  }

  // The pages.

  #page(kind: Kind, { path, query }: LocalRequest, isCallback: (address: string) => boolean): LocalReply {
    const asked = this.#asked(kind, path, query, isCallback)
    if (typeof asked === 'string')
      return { status: 400, type: 'html', body: problemPage(asked), headers: consentHeaders('') }
    const hidden = { kind, path, ...Object.fromEntries(query) }
    return {
      status: 200,
      type: 'html',
      headers: consentHeaders(asked.redirectUri),
      body: consentPage(kind, { action: `${actionOf(path)}${tokenOf(query)}`, hidden }),
    }
  }

  #consent({ body }: LocalRequest, isCallback: (address: string) => boolean): LocalReply {
    const form = new URLSearchParams(body)
    const kind: Kind = form.get('kind') === 'qq' ? 'qq' : 'weixin'
    const asked = this.#asked(kind, form.get('path') ?? '', form, isCallback)
    if (typeof asked === 'string')
      return { status: 400, type: 'html', body: problemPage(asked), headers: consentHeaders('') }
    const back = new URL(asked.redirectUri)
    const person = (form.get('name') || form.get('person') || '').slice(0, NAME_MAX)
    if (form.get('answer') !== 'yes' || person === '') {
      // QQ says that the person cancelled, WeChat sends no code.
      if (kind === 'qq') back.searchParams.set('usercancel', '1')
    } else {
      const until = clock.now() + CODE_LIVES_MS[kind]
      back.searchParams.set('code', keep(this.#codes, { ...asked, kind, person, until, isUsed: false }))
    }
    back.searchParams.set('state', form.get('state') ?? '')
    return { redirect: back.href }
  }

  /** What a page was asked for, or what is wrong with it. */
  #asked(
    kind: Kind,
    path: string,
    input: URLSearchParams,
    isCallback: (address: string) => boolean,
  ): Pick<Grant, 'appId' | 'scope' | 'redirectUri'> | string {
    const redirectUri = input.get('redirect_uri') ?? ''
    const appId = input.get(kind === 'qq' ? 'client_id' : 'appid') ?? ''
    const [wanted, scope] =
      kind === 'qq'
        ? [this.apps.qq.appId, 'get_user_info']
        : path === '/connect/qrconnect'
          ? [this.apps.weixin.site.appId, 'snsapi_login']
          : [this.apps.weixin.account.appId, 'snsapi_userinfo']
    if (appId !== wanted) return kind === 'qq' ? 'client id is illegal (100008)' : 'AppID 参数错误 (10003)'
    if (!isCallback(redirectUri)) return 'redirect uri is illegal (100010)'
    if (input.get('response_type') !== 'code') return 'response_type is not code (100000)'
    if (input.get('scope') !== scope) return 'Scope 参数错误或没有 Scope 权限 (10005)'
    return { appId, scope, redirectUri }
  }

  // The calls of QQ.

  #qqToken(input: URLSearchParams): LocalReply {
    const { appId, secret } = this.apps.qq
    const refuse = (error: number, error_description: string) => qqAnswer(input, { error, error_description })
    if (input.get('grant_type') !== 'authorization_code')
      return refuse(100004, 'param grant_type is wrong or lost')
    if (input.get('client_id') !== appId) return refuse(100008, 'client id is illegal')
    if (input.get('client_secret') !== secret) return refuse(100009, 'client secret is illegal')
    const grant = this.#codes.get(input.get('code') ?? '')
    if (grant?.kind !== 'qq' || grant.until <= clock.now())
      return refuse(100019, 'code to access token error')
    if (grant.isUsed) return refuse(100020, 'code is reused error')
    if (grant.redirectUri !== input.get('redirect_uri')) return refuse(100010, 'redirect uri is illegal')
    grant.isUsed = true
    const answer = { access_token: this.#tokenFor(grant), expires_in: 7776000, refresh_token: randomText() }
    if (input.get('fmt') === 'json') return json(answer)
    const pairs = Object.entries(answer).map(([name, value]): [string, string] => [name, String(value)])
    return { status: 200, type: 'text', body: String(new URLSearchParams(pairs)) }
  }

  #qqMe(input: URLSearchParams): LocalReply {
    const grant = this.#granted(input, 'qq')
    if (!grant) return qqAnswer(input, { error: 100016, error_description: 'access token check failed' })
    return qqAnswer(input, {
      client_id: grant.appId,
      openid: this.#openid(grant),
      ...(input.get('unionid') === '1' && {
        unionid: `UID_${this.#idOf(`union ${grant.person}`).slice(0, 32)}`,
      }),
    })
  }

  #qqInfo(input: URLSearchParams): LocalReply {
    const grant = this.#granted(input, 'qq')
    if (!grant) return json({ ret: 100016, msg: 'access token check failed' })
    if (input.get('oauth_consumer_key') !== grant.appId)
      return json({ ret: 100008, msg: 'client id is illegal' })
    if (input.get('openid') !== this.#openid(grant)) return json({ ret: 100007, msg: 'openid is wrong' })
    const picture = this.#pictureOf(grant.person)
    return json({
      ret: 0,
      msg: '',
      is_lost: 0,
      nickname: grant.person,
      gender: '男',
      figureurl: picture,
      figureurl_qq_1: picture,
      figureurl_qq_2: picture,
    })
  }

  // The calls of WeChat.

  #weixinToken(input: URLSearchParams): LocalReply {
    const { account, site } = this.apps.weixin
    const app = [account, site].find(({ appId }) => appId === input.get('appid'))
    if (!app) return weixinError(40013, 'invalid appid')
    if (input.get('secret') !== app.secret) return weixinError(40125, 'invalid appsecret')
    if (input.get('grant_type') !== 'authorization_code') return weixinError(40002, 'invalid grant_type')
    const code = input.get('code') ?? ''
    if (code === '') return weixinError(41008, 'missing code')
    const grant = this.#codes.get(code)
    if (grant?.kind !== 'weixin' || grant.appId !== app.appId || grant.until <= clock.now())
      return weixinError(40029, 'invalid code')
    if (grant.isUsed) return weixinError(40163, 'code been used')
    grant.isUsed = true
    return json({
      access_token: this.#tokenFor(grant),
      expires_in: 7200,
      refresh_token: randomText(),
      openid: this.#openid(grant),
      scope: grant.scope,
      unionid: this.#unionid(grant),
    })
  }

  #weixinInfo(input: URLSearchParams): LocalReply {
    const grant = this.#granted(input, 'weixin')
    if (!grant) return weixinError(40001, 'invalid credential, access_token is invalid or not latest')
    const openid = this.#openid(grant)
    if (input.get('openid') !== openid) return weixinError(40003, 'invalid openid')
    return json({
      openid,
      nickname: grant.person,
      sex: 0,
      province: '',
      city: '',
      country: '',
      privilege: [],
      headimgurl: this.#pictureOf(grant.person),
      unionid: this.#unionid(grant),
    })
  }

  #appToken(input: URLSearchParams): LocalReply {
    const { appId, secret } = this.apps.weixin.account
    if (input.get('grant_type') !== 'client_credential') return weixinError(40002, 'invalid grant_type')
    if (input.get('appid') !== appId) return weixinError(40013, 'invalid appid')
    if (input.get('secret') !== secret) return weixinError(40001, 'invalid credential')
    const access_token = randomText()
    this.#appTokens.add(access_token)
    return json({ access_token, expires_in: 7200 })
  }

  #ticket(input: URLSearchParams): LocalReply {
    if (!this.#appTokens.has(input.get('access_token') ?? '')) return weixinError(40001, 'invalid credential')
    if (input.get('type') !== 'jsapi') return weixinError(40097, 'invalid args')
    return json({ errcode: 0, errmsg: 'ok', ticket: randomText(), expires_in: 7200 })
  }

  #pictureOf(person: string): string {
    return `${this.#site}${drawnPicture(person, person)}`
  }

  #tokenFor(grant: Grant): string {
    return keep(this.#tokens, { ...grant, until: clock.now() + TOKEN_LIVES_MS })
  }

  #granted(input: URLSearchParams, kind: Kind): Grant | null {
    const grant = this.#tokens.get(input.get('access_token') ?? '')
    return grant?.kind === kind && grant.until > clock.now() ? grant : null
  }

  #openid({ kind, appId, person }: Grant): string {
    const id = this.#idOf(`${kind} ${appId} ${person}`)
    return kind === 'qq' ? id.slice(0, 32).toUpperCase() : `o${id.slice(0, 27)}`
  }

  #unionid = ({ person }: Grant): string => `o6_${this.#idOf(`union ${person}`).slice(0, 25)}`

  #idOf(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('hex')
  }
}

const randomText = (): string => randomBytes(24).toString('base64url')

/** Keeps a grant under a new name; the oldest of many go. */
function keep(grants: Map<string, Grant>, grant: Grant): string {
  const name = randomBytes(16).toString('hex').toUpperCase()
  grants.set(name, grant)
  for (const oldest of grants.keys()) {
    if (grants.size <= KEEPS) break
    grants.delete(oldest)
  }
  return name
}

/** The consent form's address, relative to a page of this path, whatever the prefix. */
const actionOf = (path: string): string => `${'../'.repeat(path.split('/').length - 2)}${CONSENT.slice(1)}`
/** Who may read the page by a token of the query sends it along. */
const tokenOf = (query: URLSearchParams): string => {
  const token = query.get('token')
  return token === null ? '' : `?token=${encodeURIComponent(token)}`
}

const json = (body: object): LocalReply => ({ status: 200, type: 'json', body: JSON.stringify(body) })
const weixinError = (errcode: number, errmsg: string): LocalReply => json({ errcode, errmsg })
const qqAnswer = (input: URLSearchParams, body: object): LocalReply =>
  input.get('fmt') === 'json'
    ? json(body)
    : { status: 200, type: 'text', body: `callback( ${JSON.stringify(body)} );\n` }
