/** The variables of payments. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { type AppleConfig, readApple } from './apple.ts'
import { ConfigError } from './configError.ts'
import type { Read } from './variables.ts'

/** A merchant at WeChat Pay (API v3). Keys are PEM. */
export interface WechatPayConfig {
  /** `mchid`. */
  readonly merchant: string
  /** The official account whose pages are inside of WeChat. */
  readonly appId: string
  /** The native app's; null without one. */
  readonly openAppId: string | null
  /** The merchant's certificate serial and private key, with which calls are signed. */
  readonly serial: string
  readonly privateKey: string
  /** 32 characters: notifications are encrypted with it. */
  readonly apiV3Key: string
  /** 32 characters: contracts are signed in browsers with it; null: they are not. */
  readonly apiV2Key: string | null
  /** WeChat's public key and its id, `PUB_KEY_ID_…`; null: platform certificates are downloaded. */
  readonly publicKey: { readonly id: string; readonly pem: string } | null
  /** The template (委托代扣模板) by which people sign contracts; null: nothing renews itself by WeChat. */
  readonly planId: string | null
  /** Another address of the API, for the sandbox; null: WeChat's own. */
  readonly endpoint: string | null
}

/** An application at Alipay's open platform. Keys are PEM or bare base64. */
export interface AlipayConfig {
  readonly appId: string
  /** The seller's id (`seller_id`, `2088…`). */
  readonly merchant: string
  readonly privateKey: string
  readonly alipayPublicKey: string
  /**
   * The scene (`sign_scene`) of 商家扣款 in which people sign agreements; null: nothing renews itself by Alipay.
   */
  readonly signScene: string | null
  /** Another address of the gateway, for the sandbox; null: Alipay's own. */
  readonly endpoint: string | null
}

export interface PayConfig {
  /** Null: nobody pays by WeChat. */
  readonly wechat: WechatPayConfig | null
  /** Null: nobody pays by Alipay. */
  readonly alipay: AlipayConfig | null
  /** Null: no subscription at Apple is shown. */
  readonly apple: AppleConfig | null
  /** The local providers; null: there are none. `port` 0: the one of the last time, or a free one. */
  readonly sandbox: { readonly port: number } | null
  /** Whether one may buy in a browser, outside of the native app. */
  readonly inBrowser: boolean
}

type Name = Parameters<Read>[0]

export interface PayContext {
  readonly production: boolean
  /** Whether this is one of several nodes. */
  readonly isCluster: boolean
  readonly inBrowser: boolean
  /** Whether the purchases of testers at Apple count. */
  readonly appleSandbox: boolean
  /** Null: the variable is not set. */
  readonly sandbox: boolean | null
  readonly sandboxPort: number
}

/** @throws ConfigError naming the variable */
export function readPay(read: Read, input: PayContext): PayConfig {
  const [wechat, alipay] = [readWechatPay(read), readAlipay(read)]
  const isReal = wechat !== null || alipay !== null
  if (input.sandbox && input.production)
    throw new ConfigError('PAY_SANDBOX is for development: it lets everybody buy without money.')
  if (input.sandbox && isReal)
    throw new ConfigError('PAY_SANDBOX is 1, but WECHAT_PAY_MERCHANT or ALIPAY_APP_ID is set: choose one.')
  if (input.sandbox && input.isCluster)
    throw new ConfigError('PAY_SANDBOX is for a node that is alone, and REDIS_URL is set.')
  const hasSandbox = input.sandbox ?? !(input.production || isReal || input.isCluster)
  return {
    wechat,
    alipay,
    inBrowser: input.inBrowser,
    apple: readApple(read, { isSandbox: input.appleSandbox }),
    sandbox: hasSandbox ? { port: input.sandboxPort } : null,
  }
}

/** All values of a provider, or null when none is set. @throws ConfigError for one that is missing */
function readTogether<N extends Name>(
  read: Read,
  names: readonly N[],
  others: readonly Name[],
): Record<N, string> | null {
  const given = [...names, ...others].find((name) => read(name) !== null)
  if (given === undefined) return null
  const values = names.map((name) => {
    const value = read(name)
    if (value === null) throw new ConfigError(`${given} is set, but ${name} is missing.`)
    return [name, value] as const
  })
  return Object.fromEntries(values) as Record<N, string>
}

function readWechatPay(read: Read): WechatPayConfig | null {
  const it = readTogether(
    read,
    ['WECHAT_PAY_MERCHANT', 'WECHAT_PAY_SERIAL', 'WECHAT_PAY_PRIVATE_KEY', 'WECHAT_PAY_API_V3_KEY'],
    [
      ...(['WECHAT_PAY_PUBLIC_KEY', 'WECHAT_PAY_PUBLIC_KEY_ID'] as const),
      ...(['WECHAT_PAY_PLAN', 'WECHAT_PAY_V2_KEY', 'WECHAT_PAY_ENDPOINT'] as const),
    ],
  )
  if (!it) return null
  const appId = read('WECHAT_APP_ID')
  if (appId === null)
    throw new ConfigError(
      'WECHAT_PAY_MERCHANT is set, but WECHAT_APP_ID is missing: the official account that is bound to the merchant.',
    )
  const [plan, apiV2Key] = [read('WECHAT_PAY_PLAN'), read('WECHAT_PAY_V2_KEY')]
  const publicKey = readTogether(read, ['WECHAT_PAY_PUBLIC_KEY_ID', 'WECHAT_PAY_PUBLIC_KEY'], [])
  return {
    merchant: matching('WECHAT_PAY_MERCHANT', it.WECHAT_PAY_MERCHANT, /^\d{8,10}$/, '8 to 10 digits'),
    appId,
    openAppId: read('WECHAT_OPEN_APP_ID'),
    serial: matching('WECHAT_PAY_SERIAL', it.WECHAT_PAY_SERIAL, /^[0-9A-Fa-f]{8,64}$/, 'hexadecimal digits'),
    privateKey: readPrivateKey('WECHAT_PAY_PRIVATE_KEY', it.WECHAT_PAY_PRIVATE_KEY),
    apiV3Key: matching('WECHAT_PAY_API_V3_KEY', it.WECHAT_PAY_API_V3_KEY, /^\S{32}$/, '32 characters'),
    apiV2Key: apiV2Key && matching('WECHAT_PAY_V2_KEY', apiV2Key, /^[!-~]{32}$/, '32 characters'),
    publicKey: publicKey && {
      id: publicKey.WECHAT_PAY_PUBLIC_KEY_ID,
      pem: readPublicKey('WECHAT_PAY_PUBLIC_KEY', publicKey.WECHAT_PAY_PUBLIC_KEY),
    },
    planId: plan && matching('WECHAT_PAY_PLAN', plan, /^[1-9]\d{0,11}$/, 'digits'),
    endpoint: readEndpoint('WECHAT_PAY_ENDPOINT', read),
  }
}

function readAlipay(read: Read): AlipayConfig | null {
  const it = readTogether(
    read,
    ['ALIPAY_APP_ID', 'ALIPAY_SELLER_ID', 'ALIPAY_PRIVATE_KEY', 'ALIPAY_PUBLIC_KEY'],
    ['ALIPAY_SIGN_SCENE', 'ALIPAY_ENDPOINT'],
  )
  if (!it) return null
  const scene = read('ALIPAY_SIGN_SCENE')
  return {
    appId: matching('ALIPAY_APP_ID', it.ALIPAY_APP_ID, /^\d{10,20}$/, 'digits'),
    merchant: matching(
      'ALIPAY_SELLER_ID',
      it.ALIPAY_SELLER_ID,
      /^2088\d{12}$/,
      '16 digits that begin with 2088',
    ),
    privateKey: readPrivateKey('ALIPAY_PRIVATE_KEY', it.ALIPAY_PRIVATE_KEY),
    alipayPublicKey: readPublicKey('ALIPAY_PUBLIC_KEY', it.ALIPAY_PUBLIC_KEY),
    signScene:
      scene &&
      matching('ALIPAY_SIGN_SCENE', scene, /^[A-Z_]+\|[A-Z_]+$/, 'written like INDUSTRY|SOCIALIZATION'),
    endpoint: readEndpoint('ALIPAY_ENDPOINT', read),
  }
}

function matching(name: Name, value: string, pattern: RegExp, what: string): string {
  if (pattern.test(value)) return value
  // The value may be a secret.
  throw new ConfigError(`${name} must be ${what}.`)
}

/** An API's address, which may have a path. */
function readEndpoint(name: Name, read: Read): string | null {
  const value = read(name)
  if (value === null) return null
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.search && !url.hash)
    return value.replace(/\/$/, '')
  throw new ConfigError(`${name} must be http:// or https:// with a host.`)
}

const readPrivateKey = (name: Name, value: string): string =>
  pemOf(name, value, 'private key', [
    (key) => createPrivateKey(key),
    (_key, der) => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
    (_key, der) => createPrivateKey({ key: der, format: 'der', type: 'pkcs1' }),
  ])

const readPublicKey = (name: Name, value: string): string =>
  pemOf(name, value, 'public key', [
    (key) => createPublicKey(key),
    (_key, der) => createPublicKey({ key: der, format: 'der', type: 'spki' }),
  ])

/**
 * The consoles give PEM or bare base64; a file of variables may have `\n` for the ends of lines. The answer
 * is PEM.
 */
function pemOf(
  name: Name,
  value: string,
  what: string,
  ways: readonly ((pem: string, der: Buffer) => KeyObject)[],
): string {
  const pem = value.replaceAll('\\n', '\n')
  const der = Buffer.from(value, 'base64')
  for (const way of ways)
    try {
      const key = way(pem, der)
      if (key.asymmetricKeyType === 'rsa')
        return key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' }).toString()
    } catch {
      // It is of another form.
    }
  throw new ConfigError(`${name} must be an RSA ${what}, as PEM or as base64.`)
}
