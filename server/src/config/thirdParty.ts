/** The variables of login by third parties. */
import { ConfigError } from './configError.ts'
import type { Read } from './variables.ts'

/** An application at a provider. */
export interface ProviderApp {
  readonly appId: string
  readonly secret: string
}

export interface QqConfig extends ProviderApp {
  /** Another address of the provider; null: its own. */
  readonly endpoint: string | null
}

export interface WeixinConfig {
  /** The official account, for logins inside of WeChat's browser. */
  readonly account: ProviderApp
  /** The website application, for all others. */
  readonly site: ProviderApp
  /** Another address of the provider; null: its own. */
  readonly endpoint: string | null
}

/** Null: not configured. */
export interface ThirdPartyConfig {
  readonly qq: QqConfig | null
  readonly weixin: WeixinConfig | null
}

type Name = Parameters<Read>[0]

/** @throws ConfigError naming the variable */
export function readThirdParties(read: Read): ThirdPartyConfig {
  const qq = readApp(read, 'QQ_APP_ID', 'QQ_APP_KEY')
  const account = readApp(read, 'WECHAT_APP_ID', 'WECHAT_APP_SECRET')
  const site = readApp(read, 'WECHAT_SITE_APP_ID', 'WECHAT_SITE_APP_SECRET')
  const qqEndpoint = readAddress(read, 'QQ_ENDPOINT')
  const weixinEndpoint = readAddress(read, 'WECHAT_ENDPOINT')
  if (!qq && qqEndpoint !== null) throw lonely('QQ_ENDPOINT', 'QQ_APP_ID')
  if (!account && site) throw lonely('WECHAT_SITE_APP_ID', 'WECHAT_APP_ID')
  if (!account && weixinEndpoint !== null) throw lonely('WECHAT_ENDPOINT', 'WECHAT_APP_ID')
  return {
    qq: qq && { ...qq, endpoint: qqEndpoint },
    weixin: account && { account, site: site ?? account, endpoint: weixinEndpoint },
  }
}

const lonely = (name: Name, missing: Name): ConfigError =>
  new ConfigError(`${name} is set, but ${missing} is missing.`)

function readApp(read: Read, idName: Name, secretName: Name): ProviderApp | null {
  const [appId, secret] = [read(idName), read(secretName)]
  if (appId === null && secret === null) return null
  if (appId === null) throw lonely(secretName, idName)
  if (secret === null) throw lonely(idName, secretName)
  if (!/^\w{1,64}$/.test(appId))
    throw new ConfigError(`${idName} must be letters and digits, not "${appId}".`)
  return { appId, secret }
}

function readAddress(read: Read, name: Name): string | null {
  const value = read(name)
  if (value === null) return null
  const url = URL.canParse(value) ? new URL(value) : null
  const isPlain = url?.pathname === '/' && !url.search && !url.hash && !url.username
  if (url && isPlain && ['http:', 'https:'].includes(url.protocol)) return url.origin
  throw new ConfigError(`${name} must be http:// or https:// with a host and no path.`)
}
