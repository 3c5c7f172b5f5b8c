/** Login by QQ: "网站应用" of QQ Connect, OAuth 2.0 with authorization code (wiki.connect.qq.com). */
import type { QqConfig } from '../../config.ts'
import {
  type Ask,
  answered,
  askProvider,
  idIn,
  isFine,
  type ThirdParty,
  ThirdPartyFailed,
  ThirdPartyRefused,
  textIn,
  withParams,
} from './thirdParty.ts'

const ENDPOINT = 'https://graph.qq.com'
/** "公共返回码": the code is wrong, was used, is too old, or was made for another application or address. */
const OF_CODE: ReadonlySet<string> = new Set(['100019', '100020', '100021', '100010'])
/** UnionIDs are not granted to this application: it goes on with the openid alone. */
const NO_UNIONID = '100048'

/** `page`: the address that browsers reach the provider under, where it is another. */
export function openQq(input: QqConfig, ask: Ask = fetch, page?: string): ThirdParty {
  const api = input.endpoint ?? ENDPOINT
  const get = (path: string, params: Record<string, string>, signal: AbortSignal) =>
    askProvider('qq', ask, withParams(`${api}${path}`, params), signal)
  return {
    name: 'qq',
    surfaceOf: (userAgent) =>
      /\bQQ\//.test(userAgent) ? 'inside' : /Mobi/.test(userAgent) ? 'phone' : 'desk',
    authorizeUrl({ surface, state, redirectUri }) {
      const params = new URLSearchParams({
        response_type: 'code',
        client_id: input.appId,
        redirect_uri: redirectUri,
        state,
        scope: 'get_user_info',
        ...(surface !== 'desk' && { display: 'mobile' }),
      })
      return `${page ?? api}/oauth2.0/authorize?${params}`
    },
    async identify({ code, redirectUri }, signal) {
      const token = await get(
        '/oauth2.0/token',
        {
          grant_type: 'authorization_code',
          client_id: input.appId,
          client_secret: input.secret,
          code,
          redirect_uri: redirectUri,
          fmt: 'json',
          need_openid: '1',
        },
        signal,
      )
      refuseError(token)
      const access_token = textIn(token.access_token, 512)
      if (access_token === null) throw new ThirdPartyFailed('qq', 'answers without a token')
      const ids = { access_token, fmt: 'json' }
      let me = await get('/oauth2.0/me', { ...ids, unionid: '1' }, signal)
      if (String(me.error) === NO_UNIONID) me = await get('/oauth2.0/me', ids, signal)
      if (!isFine(me.error)) throw answered('qq', me.error)
      const openid = idIn(me.openid)
      // The token must be one of this application: one made for another must not log anybody in here. It
      // names whose it is, too.
      const isOther = String(me.client_id) !== input.appId || (idIn(token.openid) ?? openid) !== openid
      if (openid === null || isOther) throw new ThirdPartyFailed('qq', 'answers without an openid')
      return {
        openid,
        unionid: idIn(me.unionid),
        async profile() {
          const params = { access_token, oauth_consumer_key: input.appId, openid, format: 'json' }
          const info = await get('/user/get_user_info', params, signal)
          if (!isFine(info.ret)) throw answered('qq', info.ret)
          const avatar = textIn(info.figureurl_qq_2, 1024) ?? textIn(info.figureurl_qq_1, 1024) ?? ''
          return { nickname: textIn(info.nickname, 200) ?? '', avatar }
        },
      }
    },
  }
}

/** @throws ThirdPartyRefused, ThirdPartyFailed */
function refuseError({ error }: Readonly<Record<string, unknown>>): void {
  if (isFine(error)) return
  if (OF_CODE.has(String(error))) throw new ThirdPartyRefused('qq', String(error))
  throw answered('qq', error)
}
