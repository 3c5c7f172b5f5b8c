/** The variables of the SMS providers. */
import { ConfigError } from './configError.ts'
import type { Read } from './variables.ts'

/**
 * An account of Alibaba Cloud with an approved signature and template. The template has the variable `code`.
 */
export interface AliyunSms {
  readonly name: 'aliyun'
  readonly accessKeyId: string
  readonly accessKeySecret: string
  readonly signName: string
  readonly templateCode: string
  /** The template for numbers outside of China. */
  readonly templateAbroad: string
}

/**
 * An account of Tencent Cloud with an approved signature and template. The template's only variable is the
 * code.
 */
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
  /** The part of a day's messages that is kept for numbers with an account, percent. */
  readonly reservedShare: number
}

type Provider = 'aliyun' | 'tencent'

/** What each provider needs. */
const NEEDED = {
  aliyun: [
    'ALIYUN_ACCESS_KEY_ID',
    'ALIYUN_ACCESS_KEY_SECRET',
    'ALIYUN_SMS_SIGN_NAME',
    'ALIYUN_SMS_TEMPLATE_CODE',
  ],
  tencent: [
    'TENCENT_SECRET_ID',
    'TENCENT_SECRET_KEY',
    'TENCENT_SMS_APP_ID',
    'TENCENT_SMS_SIGN_NAME',
    'TENCENT_SMS_TEMPLATE_ID',
  ],
} as const satisfies Record<Provider, readonly Parameters<Read>[0][]>

/** Without a bound of the operator's, so many messages a day cost about as much as a mistake may. */
const DAILY_MAX = 10_000

/** @throws ConfigError naming the variable */
export function readSms(read: Read, production: boolean): SmsConfig {
  const first = readProvider('SMS_PROVIDER', read)
  const second = readProvider('SMS_PROVIDER_2', read)
  if (first === null && second !== null)
    throw new ConfigError(
      'SMS_PROVIDER_2 is the second provider: set SMS_PROVIDER to the first, aliyun or tencent.',
    )
  if (first !== null && first === second)
    throw new ConfigError(`SMS_PROVIDER_2 must be another provider than SMS_PROVIDER, not ${second} again.`)
  if (first === null && production) throw new ConfigError(noProvider(read('SMS_PROVIDER') !== null))
  const names = [first, second].filter((name) => name !== null)
  return {
    providers: names.map((name) => (name === 'aliyun' ? readAliyun(read) : readTencent(read))),
    endpoint: readEndpoint(read('SMS_ENDPOINT')),
    prefixes: readPrefixes(read('SMS_PREFIXES') ?? '86'),
    dailyMax: readDailyMax(read('SMS_DAILY_MAX')) ?? (first === null ? null : DAILY_MAX),
    reservedShare: readShare(read('SMS_RESERVED_SHARE') ?? '40'),
  }
}

/** Null: the outbox. */
function readProvider(name: 'SMS_PROVIDER' | 'SMS_PROVIDER_2', read: Read): Provider | null {
  const value = read(name)
  if (value === null || (value === 'outbox' && name === 'SMS_PROVIDER')) return null
  if (value === 'aliyun' || value === 'tencent') return value
  const allowed = name === 'SMS_PROVIDER' ? 'aliyun, tencent or outbox' : 'aliyun or tencent'
  throw new ConfigError(`${name} must be ${allowed}, not "${value}".`)
}

function noProvider(isOutbox: boolean): string {
  const why = isOutbox
    ? 'SMS_PROVIDER is outbox, which shows codes instead of sending them and refuses to run in production'
    : 'SMS_PROVIDER is not set, and production needs somebody who sends codes'
  const ways = (['aliyun', 'tencent'] as const).map(
    (name) => `SMS_PROVIDER=${name} with ${NEEDED[name].join(', ')}`,
  )
  return `${why}: set ${ways.join(', or ')}.`
}

/** Refuses to go on without a value of all that a provider needs. */
function requireAll(read: Read, provider: Provider): (name: Parameters<Read>[0]) => string {
  const missing = NEEDED[provider].filter((name) => read(name) === null)
  if (missing.length > 0)
    throw new ConfigError(
      `${missing.join(', ')} missing: SMS by ${provider} needs ${NEEDED[provider].join(', ')}.`,
    )
  return (name) => read(name) ?? ''
}

function readAliyun(read: Read): AliyunSms {
  const value = requireAll(read, 'aliyun')
  const templateCode = value('ALIYUN_SMS_TEMPLATE_CODE')
  return {
    name: 'aliyun',
    accessKeyId: value('ALIYUN_ACCESS_KEY_ID'),
    accessKeySecret: value('ALIYUN_ACCESS_KEY_SECRET'),
    signName: value('ALIYUN_SMS_SIGN_NAME'),
    templateCode,
    templateAbroad: read('ALIYUN_SMS_TEMPLATE_CODE_ABROAD') ?? templateCode,
  }
}

function readTencent(read: Read): TencentSms {
  const value = requireAll(read, 'tencent')
  const templateId = value('TENCENT_SMS_TEMPLATE_ID')
  return {
    name: 'tencent',
    secretId: value('TENCENT_SECRET_ID'),
    secretKey: value('TENCENT_SECRET_KEY'),
    appId: value('TENCENT_SMS_APP_ID'),
    signName: value('TENCENT_SMS_SIGN_NAME'),
    templateId,
    templateAbroad: read('TENCENT_SMS_TEMPLATE_ID_ABROAD') ?? templateId,
  }
}

function readEndpoint(value: string | null): string | null {
  if (value === null) return null
  const url = URL.canParse(value) ? new URL(value) : null
  const isPlain = url?.pathname === '/' && !url.search && !url.hash && !url.username
  if (url && isPlain && ['http:', 'https:'].includes(url.protocol)) return url.origin
  throw new ConfigError('SMS_ENDPOINT must be http:// or https:// with a host and no path.')
}

function readPrefixes(value: string): readonly string[] {
  const prefixes = value.split(',').map((each) => each.trim().replace(/^\+/, ''))
  for (const prefix of prefixes)
    if (!/^[1-9]\d{0,3}$/.test(prefix))
      throw new ConfigError(`SMS_PREFIXES must be dialing prefixes such as 86, 852, not "${prefix}".`)
  return [...new Set(prefixes)]
}

function readDailyMax(value: string | null): number | null {
  if (value === null) return null
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new ConfigError(`SMS_DAILY_MAX must be a whole number from 1, not "${value}".`)
}

function readShare(value: string): number {
  if (/^\d{1,2}$/.test(value)) return Number(value)
  throw new ConfigError(`SMS_RESERVED_SHARE must be a percentage from 0 to 99, not "${value}".`)
}
