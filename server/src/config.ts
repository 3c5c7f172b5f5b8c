/** The configuration: every environment variable, parsed once. */
import { isIP } from 'node:net'
import path from 'node:path'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { type CaptchaMode, readCaptcha } from './config/captcha.ts'
import { ConfigError } from './config/configError.ts'
import { type ContentReviewConfig, readContentReview } from './config/contentReview.ts'
import { type KeysConfig, readKeys } from './config/keys.ts'
import { type PayConfig, readPay } from './config/pay.ts'
import { type RealNameConfig, readRealName } from './config/realName.ts'
import { type RegistrationConfig, readRegistration } from './config/registration.ts'
import {
  type AppConfig,
  type AppVersion,
  isNothingSaidOfApp,
  readApp,
  readApps,
  readSite,
  type SiteConfig,
} from './config/site.ts'
import { readSms, type SmsConfig } from './config/sms.ts'
import { readStaffBounds, type StaffBounds } from './config/staff.ts'
import { readThirdParties, type ThirdPartyConfig } from './config/thirdParty.ts'
import type { Read } from './config/variables.ts'
import { NETWORK_SHOWN, type NetworkShown } from './kit/limits/network.ts'
import { parseRedisUrl, type RedisAddress } from './kit/redis/address.ts'

export { ConfigError } from './config/configError.ts'
export type { KeysConfig } from './config/keys.ts'
export type { AlipayConfig, PayConfig, WechatPayConfig } from './config/pay.ts'
export type { AppConfig, AppVersion, SiteConfig, SiteRecord } from './config/site.ts'
export type { AliyunSms, SmsConfig, TencentSms } from './config/sms.ts'
export type {
  ProviderApp,
  QqConfig,
  ThirdPartyConfig,
  WeixinConfig,
} from './config/thirdParty.ts'
export { VARIABLES, type Variable } from './config/variables.ts'

/** An S3 bucket and its credentials. */
export interface S3 {
  /**
   * The store's address. `{bucket}` in its host is replaced by the bucket's name; without it the bucket is
   * the first segment of the path, as with most self-hosted stores.
   */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The environment, parsed. Paths are absolute, `publicUrl` has no trailing slash. */
export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  /** Null: PostgreSQL is embedded in `dataDir`. */
  readonly databaseUrl: string | null
  /** A replica of `databaseUrl`, or a proxy before several; null: everything is read from the primary. */
  readonly databaseReadUrl: string | null
  /** Null: this node is alone. */
  readonly redis: RedisAddress | null
  readonly publicUrl: string
  readonly demo: boolean
  readonly sms: SmsConfig
  /** By what one registers and logs in. */
  readonly registration: RegistrationConfig
  /** When a captcha is asked for. */
  readonly captcha: CaptchaMode
  readonly thirdParties: ThirdPartyConfig
  /** Who is paid, and where one may buy. */
  readonly pay: PayConfig
  /** What seals data. */
  readonly keys: KeysConfig
  readonly realName: RealNameConfig
  readonly contentReview: ContentReviewConfig
  /** What opens or downloads the native app. */
  readonly app: AppConfig
  /**
   * The demo world shows the whole product: the reference shell is its app, and a bot greets.
   * `demo/showcase.ts`.
   */
  readonly hasDemoApp: boolean
  /** What the operator says on the pages. */
  readonly site: SiteConfig
  /** The folder of the operator's own face; null: there is none. */
  readonly siteDir: string | null
  /** Whether search engines get a map of the recommended guilds. */
  readonly hasSiteMap: boolean
  /** Whether guests see recommended guilds on the start page. */
  readonly showsPublicGuilds: boolean
  /** The newest app by platform. */
  readonly apps: Readonly<Record<'ios' | 'android', AppVersion>>
  /** Null: `/dev/outbox` answers on this machine alone. */
  readonly outboxToken: string | null
  /** Null: uploads are kept in `uploadsSharedDir`, or in `dataDir`. */
  readonly s3: S3 | null
  /** Null: this node's directory of uploads is its own. */
  readonly uploadsSharedDir: string | null
  /** What one person may store within a day, MB. */
  readonly uploadDailyMb: number
  /** Uploads are refused below this much free space, MB. */
  readonly diskReserveMb: number
  /** Other sites whose pages may show files. */
  readonly filesEmbedOrigins: readonly string[]
  /** Whether anything is fetched from the web. */
  readonly fetchOutside: boolean
  /** Addresses and networks in CIDR notation; empty: no proxy is trusted. */
  readonly trustedProxies: readonly string[]
  /** The same; empty: the staff console is open to every address. */
  readonly staffAddresses: readonly string[]
  /** What one member of staff may do without another one. */
  readonly staffBounds: StaffBounds
  /** Multiplies the limits of calls, messages and guesses. */
  readonly rateLimitScale: number
  /** How much of a client's network the request log shows. */
  readonly logNetwork: NetworkShown
  /** Null: `/metrics` has no token. */
  readonly metricsToken: string | null
  /** How far this server's clock is moved, ms. For tests of what happens later. */
  readonly clockOffsetMs: number
  readonly production: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the variables of `VARIABLES`. Unset and empty are the same, but for what an empty APP_SCHEME says of
 * the demo app; relative directories start at `cwd`.
 * @throws ConfigError naming the variable
 */
export function readConfig(env: Environment, cwd: string): Config {
  const read: Read = (name) => env[name]?.trim() || null

  const production = readMode(read('NODE_ENV'))
  const port = readPort('PORT', read('PORT') ?? '8080')
  const host = readHost(read('HOST') ?? '127.0.0.1')
  const demo = readSwitch('DEMO', read('DEMO')) ?? !production
  const redis = readRedis(read)
  const s3 = readS3(read)

  const dataDir = path.resolve(cwd, read('DATA_DIR') ?? './data')
  const registration = readRegistration(read, production)
  const directory = (given: string | null) => (given === null ? null : path.resolve(cwd, given))

  return {
    port,
    host,
    dataDir,
    databaseUrl: readDatabaseUrl('DATABASE_URL', read),
    databaseReadUrl: readReplicaUrl(read),
    redis,
    publicUrl: readPublicUrl(read('PUBLIC_URL')) ?? defaultPublicUrl(host, port),
    demo,
    sms: readSms(read, production && registration.ways.includes('sms')),
    registration,
    captcha: readCaptcha(read('CAPTCHA') ?? 'auto', production),
    thirdParties: readThirdParties(read),
    pay: readPay(read, {
      production,
      isCluster: redis !== null,
      inBrowser: readSwitch('PURCHASE_IN_BROWSER', read('PURCHASE_IN_BROWSER')) ?? false,
      appleSandbox: readSwitch('APPLE_SANDBOX', read('APPLE_SANDBOX')) ?? false,
      sandbox: readSwitch('PAY_SANDBOX', read('PAY_SANDBOX')),
      sandboxPort: readPort('PAY_SANDBOX_PORT', read('PAY_SANDBOX_PORT') ?? '0'),
    }),
    contentReview: readContentReview(read, { production }),
    keys: readKeys(read, cwd, dataDir),
    realName: readRealName(read, { production, isCluster: redis !== null }),
    app: readApp(read),
    hasDemoApp: demo && !production && isNothingSaidOfApp(env),
    site: readSite(read),
    siteDir: directory(read('SITE_DIR')),
    hasSiteMap: readSwitch('SITE_MAP', read('SITE_MAP')) ?? false,
    showsPublicGuilds: readSwitch('PUBLIC_GUILDS', read('PUBLIC_GUILDS')) ?? (demo && !production),
    apps: readApps(read),
    outboxToken: readToken('OUTBOX_TOKEN', read),
    s3,
    uploadsSharedDir: directory(readSharedDir(read, s3)),
    uploadDailyMb: readMb('UPLOAD_DAILY_MB', read('UPLOAD_DAILY_MB') ?? '2048'),
    filesEmbedOrigins: readOrigins('FILES_EMBED_ORIGINS', read('FILES_EMBED_ORIGINS') ?? ''),
    diskReserveMb: readMb('DISK_RESERVE_MB', read('DISK_RESERVE_MB') ?? '512'),
    fetchOutside: readSwitch('FETCH_OUTSIDE', read('FETCH_OUTSIDE')) ?? true,
    trustedProxies: readNetworks('TRUSTED_PROXIES', read('TRUSTED_PROXIES') ?? ''),
    staffAddresses: readNetworks('STAFF_ADDRESSES', read('STAFF_ADDRESSES') ?? ''),
    staffBounds: readStaffBounds(read),
    rateLimitScale: readScale(read('RATE_LIMIT_SCALE') ?? '1'),
    logNetwork: readNetworkShown(read('LOG_NETWORK') ?? 'short'),
    metricsToken: readToken('METRICS_TOKEN', read),
    clockOffsetMs: readOffset(read('CLOCK_OFFSET_S'), production),
    production,
  }
}

/** The address for a browser on this machine, used without PUBLIC_URL. */
export function defaultPublicUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return port === 80 ? `http://${name}` : `http://${name}:${port}`
}

function readMode(value: string | null): boolean {
  if (value === null || value === 'development' || value === 'test') return false
  if (value === 'production') return true
  throw new ConfigError(`NODE_ENV must be development, test or production, not "${value}".`)
}

function readPort(name: string, value: string): number {
  const port = Number(value)
  if (/^\d{1,5}$/.test(value) && port <= 65_535) return port
  throw new ConfigError(`${name} must be a whole number from 0 to 65535, not "${value}".`)
}

function readNetworkShown(value: string): NetworkShown {
  const found = NETWORK_SHOWN.find((each) => each === value)
  if (found) return found
  throw new ConfigError(`LOG_NETWORK must be full, short or none, not "${value}".`)
}

function readHost(value: string): string {
  if (/^[A-Za-z0-9.:_-]+$/.test(value)) return value
  throw new ConfigError(`HOST must be an address or a host name, without a scheme or a port, not "${value}".`)
}

function readDatabaseUrl(name: 'DATABASE_URL' | 'DATABASE_READ_URL', read: Read): string | null {
  const value = read(name)
  if (value === null) return null
  if (URL.canParse(value) && ['postgres:', 'postgresql:'].includes(new URL(value).protocol)) return value
  throw new ConfigError(`${name} must look like postgres://user:password@host:5432/database.`)
}

function readReplicaUrl(read: Read): string | null {
  const url = readDatabaseUrl('DATABASE_READ_URL', read)
  if (url !== null && read('DATABASE_URL') === null)
    throw new ConfigError('DATABASE_READ_URL is a replica of the database of DATABASE_URL: set that too.')
  return url
}

function readRedis(read: Read): RedisAddress | null {
  const value = read('REDIS_URL')
  if (value === null) return null
  if (read('DATABASE_URL') === null)
    throw new ConfigError('REDIS_URL is for nodes that share one database: set DATABASE_URL too.')
  const address = parseRedisUrl(value)
  if (address) return address
  throw new ConfigError(
    'REDIS_URL must look like redis://user:password@host:6379, or for a cluster like redis+cluster://user:password@host:6379,host:6379.',
  )
}

/** @throws ConfigError */
function readOrigins(name: string, value: string): readonly string[] {
  return value.split(',').flatMap((each) => {
    const text = each.trim()
    if (text === '') return []
    const url = URL.canParse(text) ? new URL(text) : null
    const isOrigin = url && ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/`
    if (isOrigin) return [url.origin]
    throw new ConfigError(`${name} must be origins such as https://wiki.example.com, not "${text}".`)
  })
}

function readPublicUrl(value: string | null): string | null {
  if (value === null) return null
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && !url.search && !url.hash)
    return url.origin
  throw new ConfigError('PUBLIC_URL must be http:// or https:// with a host and no path.')
}

/** A variable's value; null when it is unset or empty. */
function readS3(read: Read): S3 | null {
  const endpoint = read('S3_ENDPOINT')
  const rest = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  if (endpoint === null) {
    const lonely = rest.find((name) => read(name) !== null)
    if (lonely)
      throw new ConfigError(`${lonely} is set, but S3_ENDPOINT is not: there is no store to use it for.`)
    return null
  }
  const [bucket, accessKeyId, secretAccessKey] = rest.map((name) => {
    const value = read(name)
    if (value === null) throw new ConfigError(`${name} is missing: S3_ENDPOINT needs it.`)
    return value
  }) as [string, string, string]
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new ConfigError(
      `S3_BUCKET must be a bucket's name: 3 to 63 small letters, digits, dots and dashes.`,
    )
  const address = endpoint.replace('{bucket}', bucket)
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.search || url.hash)
    throw new ConfigError('S3_ENDPOINT must be http:// or https:// with a host.')
  return { endpoint, bucket, region: read('S3_REGION') ?? 'us-east-1', accessKeyId, secretAccessKey }
}

function readSharedDir(read: Read, s3: S3 | null): string | null {
  const directory = read('UPLOADS_SHARED_DIR')
  if (s3 && directory !== null)
    throw new ConfigError('UPLOADS_SHARED_DIR and S3_ENDPOINT are two places for uploads: set one of them.')
  return directory
}

function readNetworks(name: string, value: string): readonly string[] {
  const networks = value.split(',').flatMap((each) => each.trim() || [])
  for (const network of networks) {
    const [address = '', bits, ...rest] = network.split('/')
    const family = isIP(address)
    const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
    if (family === 0 || !fits || rest.length > 0)
      throw new ConfigError(`${name} must be addresses or networks such as 10.0.0.0/8, not "${network}".`)
  }
  return networks
}

function readScale(value: string): number {
  const scale = Number(value)
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(value) && scale >= 0.1 && scale <= 100_000) return scale
  throw new ConfigError(`RATE_LIMIT_SCALE must be a number from 0.1 to 100000, not "${value}".`)
}

/** A hundred years, s. */
const OFFSET_MAX_S = 3_155_760_000

function readOffset(value: string | null, production: boolean): number {
  if (value === null) return 0
  if (production) throw new ConfigError('CLOCK_OFFSET_S is for tests: unset it when NODE_ENV is production.')
  const seconds = Number(value)
  if (/^-?\d{1,10}$/.test(value) && Math.abs(seconds) <= OFFSET_MAX_S) return seconds * SECOND_MS
  throw new ConfigError(`CLOCK_OFFSET_S must be a whole number of seconds, not "${value}".`)
}

function readToken(name: 'METRICS_TOKEN' | 'OUTBOX_TOKEN', read: Read): string | null {
  const value = read(name)
  if (value === null || /^\S{16,}$/.test(value)) return value
  throw new ConfigError(`${name} must have at least 16 characters and no spaces.`)
}

/** As large as a day's KB still fit into the database's column. */
const MB_MAX = 2_000_000

function readMb(name: string, value: string): number {
  if (/^\d{1,7}$/.test(value) && Number(value) <= MB_MAX) return Number(value)
  throw new ConfigError(`${name} must be a whole number of MB from 0 to ${MB_MAX}, not "${value}".`)
}

function readSwitch(name: string, value: string | null): boolean | null {
  if (value === null) return null
  if (value === '1') return true
  if (value === '0') return false
  throw new ConfigError(`${name} must be 1 or 0, not "${value}".`)
}
