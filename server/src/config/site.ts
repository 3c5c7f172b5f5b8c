/** The variables of the native app beside the pages, and of what the operator says on them. */
import { ConfigError } from './configError.ts'
import type { Read } from './variables.ts'

/** What opens or downloads the native app; empty where nothing is set. */
export interface AppConfig {
  /** The scheme of its addresses, without `:`. */
  readonly scheme: string
  readonly version: string
  /** Its addresses in the stores. */
  readonly iosUrl: string
  readonly androidUrl: string
  /** The application identifier of universal links: team and bundle, `TEAM.com.example.app`. */
  readonly iosLink: string
  /** The package and the SHA-256 fingerprints of its certificates; null: no app links. */
  readonly androidLink: { readonly packageName: string; readonly fingerprints: readonly string[] } | null
  /** Its id at WeChat's open platform. */
  readonly wechatId: string
}

/** A registration notice, and the address at which it can be checked; empty without one. */
export interface SiteRecord {
  readonly text: string
  readonly url: string
}

/** What the operator says on the pages. */
export interface SiteConfig {
  readonly contact: string
  readonly copyright: string
  readonly records: readonly SiteRecord[]
  /** Paths of the video of screen sharing and of its cover; empty where nothing is set. */
  readonly goliveVideo: { readonly cover: string; readonly url: string }
  /** Hosts that links lead to without a warning; `.example.com` means its subdomains too. */
  readonly trustedLinkHosts: readonly string[]
}

/** The newest app of a platform; empty where nothing is set. */
export interface AppVersion {
  readonly url: string
  readonly version: string
}

type Name = Parameters<Read>[0]

/** @throws ConfigError naming the variable */
export function readApp(read: Read): AppConfig {
  return {
    scheme: readScheme(read('APP_SCHEME') ?? ''),
    version: readVersion(read, 'APP_VERSION'),
    iosUrl: readStoreUrl(read, 'APP_IOS_URL'),
    androidUrl: readStoreUrl(read, 'APP_ANDROID_URL'),
    iosLink: readIosLink(read('APP_LINK_IOS') ?? ''),
    androidLink: readAndroidLink(read('APP_LINK_ANDROID')),
    wechatId: readWechatId(read('WECHAT_OPEN_APP_ID') ?? ''),
  }
}

const APP_VARIABLES: readonly Name[] = [
  'APP_SCHEME',
  'APP_VERSION',
  'APP_IOS_URL',
  'APP_ANDROID_URL',
  'APP_LINK_IOS',
  'APP_LINK_ANDROID',
  'WECHAT_OPEN_APP_ID',
  'IOS_STORE_URL',
  'IOS_VERSION',
  'ANDROID_STORE_URL',
  'ANDROID_VERSION',
]

/** Whether the operator says nothing of an app, also not that there is none: an empty variable says that. */
export const isNothingSaidOfApp = (env: Readonly<Record<string, string | undefined>>): boolean =>
  APP_VARIABLES.every((name) => env[name] === undefined)

/**
 * The newest app of each platform, as `latest-version` tells it: the variables of the platform go before
 * those of the app.
 * @throws ConfigError naming the variable
 */
export function readApps(read: Read): Readonly<Record<'ios' | 'android', AppVersion>> {
  const app = readApp(read)
  const of = (url: Name, version: Name, other: string): AppVersion => ({
    url: readStoreUrl(read, url) || other,
    version: readVersion(read, version) || app.version,
  })
  return {
    ios: of('IOS_STORE_URL', 'IOS_VERSION', app.iosUrl),
    android: of('ANDROID_STORE_URL', 'ANDROID_VERSION', app.androidUrl),
  }
}

/** @throws ConfigError naming the variable */
export function readSite(read: Read): SiteConfig {
  return {
    contact: readLine(read, 'SITE_CONTACT'),
    copyright: readLine(read, 'SITE_COPYRIGHT'),
    records: readRecords(read('SITE_RECORDS') ?? ''),
    goliveVideo: {
      cover: readPath(read, 'GOLIVE_VIDEO_COVER'),
      url: readPath(read, 'GOLIVE_VIDEO'),
    },
    trustedLinkHosts: readHosts(read('TRUSTED_LINK_HOSTS') ?? ''),
  }
}

/** A path on this server; empty without one. @throws ConfigError naming the variable */
function readPath(read: Read, name: Name): string {
  const value = read(name) ?? ''
  if (/^(?:\/[\w.%~-]+)*$/.test(value)) return value
  throw new ConfigError(`${name} must be a path such as /media/golive.mp4, not "${value}".`)
}

/** An address of a store, http or https; empty without one. @throws ConfigError naming the variable */
export function readStoreUrl(read: Read, name: Name): string {
  const value = read(name)
  if (value === null) return ''
  if (isWebAddress(value)) return value
  throw new ConfigError(`${name} must be http:// or https:// with a host.`)
}

/** @throws ConfigError naming the variable */
export function readVersion(read: Read, name: Name): string {
  const value = read(name)
  if (value === null) return ''
  if (/^\d{1,6}(?:\.\d{1,6}){0,3}$/.test(value)) return value
  throw new ConfigError(`${name} must be a version such as 1.2.3, not "${value}".`)
}

const isWebAddress = (value: string): boolean =>
  URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol)

/** Schemes that a browser or the system itself handles. */
const TAKEN = /^(?:https?|file|data|blob|javascript|about|mailto|tel|sms|intent|view-source|wss?|ftp)$/i

function readScheme(value: string): string {
  if (value === '' || (/^[a-z][a-z\d+.-]{1,40}$/i.test(value) && !TAKEN.test(value)))
    return value.toLowerCase()
  throw new ConfigError(`APP_SCHEME must be the scheme of the app's own addresses, not "${value}".`)
}

function readIosLink(value: string): string {
  if (value === '' || /^[A-Z\d]{10}(?:\.[A-Za-z\d-]+)+$/.test(value)) return value
  throw new ConfigError(`APP_LINK_IOS must look like ABCDE12345.com.example.app, not "${value}".`)
}

const FINGERPRINT = /^(?:[\dA-F]{2}:){31}[\dA-F]{2}$/i

function readAndroidLink(value: string | null): AppConfig['androidLink'] {
  if (value === null) return null
  const [packageName = '', ...fingerprints] = value.split(/[\s,]+/)
  const isWhole = fingerprints.length > 0 && fingerprints.every((it) => FINGERPRINT.test(it))
  if (/^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/.test(packageName) && isWhole)
    return { packageName, fingerprints: fingerprints.map((it) => it.toUpperCase()) }
  throw new ConfigError(
    'APP_LINK_ANDROID must be the package, a space, and the SHA-256 fingerprint of its certificate: com.example.app 14:6D:….',
  )
}

function readWechatId(value: string): string {
  if (value === '' || /^wx[\da-f]{16}$/.test(value)) return value
  throw new ConfigError(`WECHAT_OPEN_APP_ID must look like wx0123456789abcdef, not "${value}".`)
}

const LINE_MAX = 200

function readLine(read: Read, name: Name): string {
  const value = read(name) ?? ''
  if (value.length <= LINE_MAX && !/\p{Cc}/u.test(value)) return value
  throw new ConfigError(`${name} must be one line of at most ${LINE_MAX} characters.`)
}

function readRecords(value: string): SiteRecord[] {
  const entries = value
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  return entries.map((entry) => {
    const [, text = '', url = ''] = /^(.*?)(?:\s+(https?:\/\/\S+))?$/.exec(entry) ?? []
    if (text !== '' && text.length <= LINE_MAX && !text.includes('://') && (url === '' || isWebAddress(url)))
      return { text, url }
    throw new ConfigError(
      'SITE_RECORDS must be notices separated by semicolons, each followed by a space and an address, or by nothing.',
    )
  })
}

function readHosts(value: string): string[] {
  const hosts = value.split(/[\s,]+/).filter((host) => host !== '')
  for (const host of hosts)
    if (!/^\.?[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(host))
      throw new ConfigError(`TRUSTED_LINK_HOSTS must be host names separated by commas, not "${host}".`)
  return hosts.map((host) => host.toLowerCase())
}
