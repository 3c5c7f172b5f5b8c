/**
 * Login by WeChat: inside of its browser by an official account ("网页授权", snsapi_userinfo), elsewhere by a
 * website application ("网站应用微信登录", snsapi_login, a QR code); and what signs pages for its JS-SDK
 * (developers.weixin.qq.com).
 */
import type { ProviderApp, WeixinConfig } from '../../config.ts'
import {
  type Ask,
  answered,
  askProvider,
  idIn,
  isFine,
  type Surface,
  type ThirdParty,
  ThirdPartyFailed,
  ThirdPartyRefused,
  textIn,
  withParams,
} from './thirdParty.ts'

const PAGES = 'https://open.weixin.qq.com'
const API = 'https://api.weixin.qq.com'
/** "全局返回码": the code is wrong, was used, or is too old. */
const OF_CODE: ReadonlySet<string> = new Set(['40029', '40163', '42003', '41008'])

const SNAPSHOT = 'is_snapshotuser'

/** A value that WeChat grants this application for a while. */
export interface Granted {
  readonly value: string
  readonly expiresInSeconds: number
}

/** Signs pages for the JS-SDK. */
export interface WeixinTickets {
  readonly appId: string
  /** @throws ThirdPartyFailed */
  accessToken(signal: AbortSignal): Promise<Granted>
  /** @throws ThirdPartyFailed */
  ticket(accessToken: string, signal: AbortSignal): Promise<Granted>
}

const openGet = (input: WeixinConfig, ask: Ask) => {
  const api = input.endpoint ?? API
  return (path: string, params: Record<string, string>, signal: AbortSignal) =>
    askProvider('weixin', ask, withParams(`${api}${path}`, params), signal)
}

/** `page`: the address that browsers reach the provider under, where it is another. */
export function openWeixin(input: WeixinConfig, ask: Ask = fetch, page?: string): ThirdParty {
  const get = openGet(input, ask)
  const appOf = (surface: Surface): ProviderApp => (surface === 'inside' ? input.account : input.site)
  return {
    name: 'weixin',
    surfaceOf: (userAgent) =>
      /MicroMessenger/.test(userAgent) ? 'inside' : /Mobi/.test(userAgent) ? 'phone' : 'desk',
    authorizeUrl({ surface, state, redirectUri }) {
      const isInside = surface === 'inside'
      // WeChat asks for this order, and for the fragment.
      const params = new URLSearchParams({
        appid: appOf(surface).appId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: isInside ? 'snsapi_userinfo' : 'snsapi_login',
        state,
      })
      const path = isInside ? '/connect/oauth2/authorize' : '/connect/qrconnect'
      return `${page ?? input.endpoint ?? PAGES}${path}?${params}#wechat_redirect`
    },
    async identify({ code, surface }, signal) {
      const { appId, secret } = appOf(surface)
      const params = { appid: appId, secret, code, grant_type: 'authorization_code' }
      const token = await get('/sns/oauth2/access_token', params, signal)
      refuseError(token)
      // Who looks at a snapshot of the page has an account of WeChat's making, which is nobody's.
      if (Number(token[SNAPSHOT]) === 1) throw new ThirdPartyRefused('weixin', SNAPSHOT)
      const access_token = textIn(token.access_token, 512)
      const openid = idIn(token.openid)
      if (access_token === null || openid === null)
        throw new ThirdPartyFailed('weixin', 'answers without a token')
      return {
        openid,
        unionid: idIn(token.unionid),
        async profile() {
          const info = await get('/sns/userinfo', { access_token, openid, lang: 'zh_CN' }, signal)
          if (!isFine(info.errcode)) throw answered('weixin', info.errcode)
          return { nickname: textIn(info.nickname, 200) ?? '', avatar: textIn(info.headimgurl, 1024) ?? '' }
        },
      }
    },
  }
}

export function openWeixinTickets(input: WeixinConfig, ask: Ask = fetch): WeixinTickets {
  const get = openGet(input, ask)
  const { appId, secret } = input.account
  const granted = (answer: Readonly<Record<string, unknown>>, name: string): Granted => {
    if (!isFine(answer.errcode)) throw answered('weixin', answer.errcode)
    const value = textIn(answer[name], 1024)
    const seconds = Number(answer.expires_in)
    if (value === null || !(seconds > 0)) throw new ThirdPartyFailed('weixin', `answers without ${name}`)
    return { value, expiresInSeconds: Math.min(seconds, 7200) }
  }
  return {
    appId,
    async accessToken(signal) {
      const params = { grant_type: 'client_credential', appid: appId, secret }
      return granted(await get('/cgi-bin/token', params, signal), 'access_token')
    },
    async ticket(access_token, signal) {
      const params = { access_token, type: 'jsapi' }
      return granted(await get('/cgi-bin/ticket/getticket', params, signal), 'ticket')
    },
  }
}

/** @throws ThirdPartyRefused, ThirdPartyFailed */
function refuseError({ errcode }: Readonly<Record<string, unknown>>): void {
  if (isFine(errcode)) return
  if (OF_CODE.has(String(errcode))) throw new ThirdPartyRefused('weixin', String(errcode))
  throw answered('weixin', errcode)
}
