/** The configuration: every environment variable, parsed once. */
import { isIP } from 'node:net'
import path from 'node:path'
import { ConfigError } from './config/configError.ts'
import { readSms } from './config/sms.ts'

export { ConfigError } from './config/configError.ts'

/** An environment variable and its description for operators; `docs/config.md` is generated from these. */
export interface Variable {
  readonly name: string
  readonly meaning: string
  readonly default: string
  readonly example: string
}

/** Every variable that the program reads, in the order of `docs/config.md`. */
export const VARIABLES = [
  {
    name: 'PORT',
    meaning: 'The TCP port that serves the page, the API and the gateway. 0 takes a free one.',
    default: '8080',
    example: '80',
  },
  {
    name: 'HOST',
    meaning:
      'The address to listen on. Use `0.0.0.0` or `::` to be reachable from other machines, such as a phone.',
    default: '127.0.0.1',
    example: '0.0.0.0',
  },
  {
    name: 'DATA_DIR',
    meaning: 'Directory of the embedded database, uploads and generated keys. Created when missing.',
    default: './data',
    example: '/var/lib/guildhall/data',
  },
  {
    name: 'DATABASE_URL',
    meaning: 'A PostgreSQL to use. Unset: PostgreSQL is embedded and keeps its files in `DATA_DIR`.',
    default: '(unset)',
    example: 'postgres://guildhall:secret@db.example.com:5432/guildhall',
  },
  {
    name: 'REDIS_URL',
    meaning:
      'A Redis 7 or Valkey through which several nodes on one `DATABASE_URL` form one system. Unset: this node is alone.',
    default: '(unset)',
    example: 'redis://cache.example.com:6379',
  },
  {
    name: 'PUBLIC_URL',
    meaning: 'The address people use, as it appears in invite links. No path, no trailing slash.',
    default: 'http://HOST:PORT (`localhost` when HOST means every address)',
    example: 'https://guildhall.example.com',
  },
  {
    name: 'DEMO',
    meaning: '1 seeds the demo world into an empty database, 0 leaves it empty.',
    default: '1, and 0 when NODE_ENV is `production`',
    example: '0',
  },
  {
    name: 'SMS_PROVIDER',
    meaning:
      'The provider of verification codes: `aliyun` (Alibaba Cloud), `tencent` (Tencent Cloud), each with its variables below, or `outbox`, which shows them at `GET /dev/outbox`, for development; the server does not start with it when NODE_ENV is `production`.',
    default: 'outbox',
    example: 'aliyun',
  },
  {
    name: 'SMS_PROVIDER_2',
    meaning: 'The provider that is asked when the first one fails: `aliyun` or `tencent`.',
    default: '(unset)',
    example: 'tencent',
  },
  {
    name: 'SMS_PREFIXES',
    meaning:
      'Dialing prefixes that codes are sent to, separated by commas, without `+`. Each but the first gets at most 100 codes an hour. `1` includes the Caribbean.',
    default: '86',
    example: '86, 852, 853',
  },
  {
    name: 'SMS_DAILY_MAX',
    meaning:
      'Messages a day at most, all nodes together; then codes are refused until midnight of the server’s time zone. Set an alarm well below it.',
    default: '10000, and no bound with the outbox',
    example: '2000',
  },
  {
    name: 'SMS_ENDPOINT',
    meaning: 'Another address of the providers’ API, for tests.',
    default: '(the provider’s own)',
    example: 'http://127.0.0.1:9000',
  },
  {
    name: 'ALIYUN_ACCESS_KEY_ID',
    meaning: 'The access key of a RAM user of Alibaba Cloud that may call `dysms:SendSms`.',
    default: '(unset)',
    example: 'LTAI5tExample',
  },
  {
    name: 'ALIYUN_ACCESS_KEY_SECRET',
    meaning: 'The secret that belongs to `ALIYUN_ACCESS_KEY_ID`.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'ALIYUN_SMS_SIGN_NAME',
    meaning: 'The approved signature of the messages.',
    default: '(unset)',
    example: '公会厅',
  },
  {
    name: 'ALIYUN_SMS_TEMPLATE_CODE',
    meaning: 'The approved template; its only variable is `code`.',
    default: '(unset)',
    example: 'SMS_123456789',
  },
  {
    name: 'ALIYUN_SMS_TEMPLATE_CODE_ABROAD',
    meaning: 'The template for numbers outside of China.',
    default: 'that of ALIYUN_SMS_TEMPLATE_CODE',
    example: 'SMS_987654321',
  },
  {
    name: 'TENCENT_SECRET_ID',
    meaning: 'The secret id of a user of Tencent Cloud that may call `sms:SendSms`.',
    default: '(unset)',
    example: 'AKIDexample',
  },
  {
    name: 'TENCENT_SECRET_KEY',
    meaning: 'The key that belongs to `TENCENT_SECRET_ID`.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'TENCENT_SMS_APP_ID',
    meaning: 'The application of the SMS console (SdkAppId).',
    default: '(unset)',
    example: '1400006666',
  },
  {
    name: 'TENCENT_SMS_SIGN_NAME',
    meaning: 'The approved signature of the messages.',
    default: '(unset)',
    example: '公会厅',
  },
  {
    name: 'TENCENT_SMS_TEMPLATE_ID',
    meaning: 'The approved template; its only variable is the code.',
    default: '(unset)',
    example: '449739',
  },
  {
    name: 'TENCENT_SMS_TEMPLATE_ID_ABROAD',
    meaning: 'The template for numbers outside of China.',
    default: 'that of TENCENT_SMS_TEMPLATE_ID',
    example: '449740',
  },
  {
    name: 'OUTBOX_TOKEN',
    meaning:
      'A caller with `Authorization: Bearer …` or `?token=…` of this token may read `GET /dev/outbox` from another machine, and with it enter any account; at least 16 characters. Unset: callers on this machine alone.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'S3_ENDPOINT',
    meaning:
      'Address of an S3-compatible store for uploads. `{bucket}` in its host is replaced by the bucket’s name; without it the bucket is the first segment of the path. Unset: uploads are stored in `DATA_DIR`.',
    default: '(unset)',
    example: 'https://{bucket}.s3.example.com',
  },
  {
    name: 'S3_BUCKET',
    meaning: 'The bucket, which exists already. Needed with `S3_ENDPOINT`, as are the two keys.',
    default: '(unset)',
    example: 'guildhall',
  },
  {
    name: 'S3_REGION',
    meaning: 'The region that requests to the store are signed for.',
    default: 'us-east-1',
    example: 'cn-beijing',
  },
  {
    name: 'S3_ACCESS_KEY_ID',
    meaning: 'The access key for the store. Needs the right to put, get and delete objects of the bucket.',
    default: '(unset)',
    example: 'guildhall',
  },
  {
    name: 'S3_SECRET_ACCESS_KEY',
    meaning: 'The secret that belongs to `S3_ACCESS_KEY_ID`.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'UPLOAD_DAILY_MB',
    meaning: 'How many MB of files one person may store within a day.',
    default: '2048',
    example: '500',
  },
  {
    name: 'DISK_RESERVE_MB',
    meaning:
      'Uploads are refused while the disk of `DATA_DIR` has fewer MB free than this, so that the database and the logs go on.',
    default: '512',
    example: '10240',
  },
  {
    name: 'FETCH_OUTSIDE',
    meaning:
      '1: the server fetches link previews and the pictures of bots’ cards from public addresses; never from private ones. 0: it fetches nothing.',
    default: '1',
    example: '0',
  },
  {
    name: 'TRUSTED_PROXIES',
    meaning:
      'Addresses or networks of the reverse proxies, separated by commas. `X-Forwarded-For` is trusted only from these, so that rate limits count clients and not the proxy.',
    default: '(none)',
    example: '127.0.0.1, 10.0.0.0/8',
  },
  {
    name: 'RATE_LIMIT_SCALE',
    meaning:
      'Multiplies how many calls, messages and guesses a person and a place may make (docs/operations.md "Limits"); from 0.1 to 100000.',
    default: '1',
    example: '2',
  },
  {
    name: 'METRICS_TOKEN',
    meaning:
      'A caller with `Authorization: Bearer …` of this token may read `GET /metrics`; at least 16 characters. Unset: callers on this machine may, and nobody when NODE_ENV is `production`.',
    default: '(unset)',
    example: 'a-long-random-text',
  },
  {
    name: 'NODE_ENV',
    meaning: '`production` turns off everything that exists for development and logs as JSON.',
    default: 'development',
    example: 'production',
  },
] as const satisfies readonly Variable[]

/** An S3 bucket and its credentials. */
export interface S3 {
  /**
   * The store's address. `{bucket}` in its host is replaced by the bucket's name; without it the bucket is the first
   * segment of the path, as with most self-hosted stores.
   */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** An account of Alibaba Cloud with an approved signature and template. The template has the variable `code`. */
export interface AliyunSms {
  readonly name: 'aliyun'
  readonly accessKeyId: string
  readonly accessKeySecret: string
  readonly signName: string
  readonly templateCode: string
  /** The template for numbers outside of China. */
  readonly templateAbroad: string
}

/** An account of Tencent Cloud with an approved signature and template. The template's only variable is the code. */
export interface TencentSms {
  readonly name: 'tencent'
  readonly secretId: string
  readonly secretKey: string
  readonly appId: string
  readonly signName: string
  readonly templateId: string
  /** The template for numbers outside of China, which need no signature. */
  readonly templateAbroad: string
}

/** Who sends verification codes, and to whom. */
export interface SmsConfig {
  /** In the order in which they are asked; empty: codes are shown at `/dev/outbox`. */
  readonly providers: readonly (AliyunSms | TencentSms)[]
  /** Another address of the providers' API; null: their own. */
  readonly endpoint: string | null
  /** Dialing prefixes without `+`; the first has no limit of its own. */
  readonly prefixes: readonly string[]
  /** Null: no bound. */
  readonly dailyMax: number | null
}

/** The environment, parsed. Paths are absolute, `publicUrl` has no trailing slash. */
export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  /** Null: PostgreSQL is embedded in `dataDir`. */
  readonly databaseUrl: string | null
  /** Null: this node is alone. */
  readonly redisUrl: string | null
  readonly publicUrl: string
  readonly demo: boolean
  readonly sms: SmsConfig
  /** Null: `/dev/outbox` answers on this machine alone. */
  readonly outboxToken: string | null
  /** Null: uploads are kept in `dataDir`. */
  readonly s3: S3 | null
  /** What one person may store within a day, MB. */
  readonly uploadDailyMb: number
  /** Uploads are refused below this much free space, MB. */
  readonly diskReserveMb: number
  /** Whether anything is fetched from the web. */
  readonly fetchOutside: boolean
  /** Addresses and networks in CIDR notation; empty: no proxy is trusted. */
  readonly trustedProxies: readonly string[]
  /** Multiplies the limits of calls, messages and guesses. */
  readonly rateLimitScale: number
  /** Null: `/metrics` has no token. */
  readonly metricsToken: string | null
  readonly production: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the variables of `VARIABLES`. Unset and empty are the same; a relative DATA_DIR starts at `cwd`.
 * @throws ConfigError naming the variable
 */
export function readConfig(env: Environment, cwd: string): Config {
  const read: Read = (name) => env[name]?.trim() || null

  const production = readMode(read('NODE_ENV'))
  const port = readPort(read('PORT') ?? '8080')
  const host = readHost(read('HOST') ?? '127.0.0.1')
  const redisUrl = readRedisUrl(read('REDIS_URL'))
  if (redisUrl !== null && read('DATABASE_URL') === null)
    throw new ConfigError('REDIS_URL is for nodes that share one database: set DATABASE_URL too.')

  return {
    port,
    host,
    dataDir: path.resolve(cwd, read('DATA_DIR') ?? './data'),
    databaseUrl: readDatabaseUrl(read('DATABASE_URL')),
    redisUrl,
    publicUrl: readPublicUrl(read('PUBLIC_URL')) ?? defaultPublicUrl(host, port),
    demo: readSwitch('DEMO', read('DEMO')) ?? !production,
    sms: readSms(read, production),
    outboxToken: readToken('OUTBOX_TOKEN', read),
    s3: readS3(read),
    uploadDailyMb: readMb('UPLOAD_DAILY_MB', read('UPLOAD_DAILY_MB') ?? '2048'),
    diskReserveMb: readMb('DISK_RESERVE_MB', read('DISK_RESERVE_MB') ?? '512'),
    fetchOutside: readSwitch('FETCH_OUTSIDE', read('FETCH_OUTSIDE')) ?? true,
    trustedProxies: readProxies(read('TRUSTED_PROXIES') ?? ''),
    rateLimitScale: readScale(read('RATE_LIMIT_SCALE') ?? '1'),
    metricsToken: readToken('METRICS_TOKEN', read),
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

function readPort(value: string): number {
  const port = Number(value)
  if (/^\d{1,5}$/.test(value) && port <= 65_535) return port
  throw new ConfigError(`PORT must be a whole number from 0 to 65535, not "${value}".`)
}

function readHost(value: string): string {
  if (/^[A-Za-z0-9.:_-]+$/.test(value)) return value
  throw new ConfigError(`HOST must be an address or a host name, without a scheme or a port, not "${value}".`)
}

function readDatabaseUrl(value: string | null): string | null {
  if (value === null) return null
  if (URL.canParse(value) && ['postgres:', 'postgresql:'].includes(new URL(value).protocol)) return value
  throw new ConfigError('DATABASE_URL must look like postgres://user:password@host:5432/database.')
}

function readRedisUrl(value: string | null): string | null {
  if (value === null) return null
  if (URL.canParse(value) && ['redis:', 'rediss:'].includes(new URL(value).protocol)) return value
  throw new ConfigError('REDIS_URL must look like redis://user:password@host:6379.')
}

function readPublicUrl(value: string | null): string | null {
  if (value === null) return null
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && !url.search && !url.hash)
    return url.origin
  throw new ConfigError('PUBLIC_URL must be http:// or https:// with a host and no path.')
}

/** A variable's value; null when it is unset or empty. */
export type Read = (name: (typeof VARIABLES)[number]['name']) => string | null

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

function readProxies(value: string): readonly string[] {
  const proxies = value.split(',').flatMap((each) => each.trim() || [])
  for (const proxy of proxies) {
    const [address = '', bits, ...rest] = proxy.split('/')
    const family = isIP(address)
    const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
    if (family === 0 || !fits || rest.length > 0)
      throw new ConfigError(
        `TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, not "${proxy}".`,
      )
  }
  return proxies
}

function readScale(value: string): number {
  const scale = Number(value)
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(value) && scale >= 0.1 && scale <= 100_000) return scale
  throw new ConfigError(`RATE_LIMIT_SCALE must be a number from 0.1 to 100000, not "${value}".`)
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
