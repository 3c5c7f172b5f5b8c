/**
 * The keys of the sandbox's providers and of its merchant: made at the first start, then the same. One file,
 * for its account only.
 */
import { access, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AlipayConfig, WechatPayConfig } from '@guildhall/server/config/pay.ts'
import { PRIVATE_FILE } from '@guildhall/server/kit/files/directory.ts'
import { ids } from '@guildhall/server/kit/ids.ts'
import type { Certified, KeyPair } from './certificate.ts'

const FILE = 'keys.json'

export interface Keys {
  /** Who has it may do what a buyer or an attacker does. */
  readonly controlToken: string
  readonly wechat: {
    readonly merchant: string
    readonly appId: string
    readonly openAppId: string
    readonly apiV3Key: string
    readonly apiV2Key: string
    readonly certificate: Certified
    /** WeChat's certificates, the newest last: with it WeChat signs. */
    readonly platform: readonly Certified[]
    /** WeChat's public key, for merchants that are configured with it. */
    readonly publicKey: KeyPair & { readonly id: string }
  }
  readonly alipay: {
    readonly appId: string
    readonly merchant: string
    readonly application: KeyPair
    readonly alipay: KeyPair
  }
  /** Of nobody: with them messages are forged. */
  readonly stranger: Certified
}

export interface SandboxKeys {
  readonly now: Keys
  /** WeChat makes a new certificate; those before count until they end. */
  addPlatformCertificate(): Promise<void>
}

/**
 * `make`: makes the keys of a directory that has none. @throws the system's error, and SyntaxError for a file
 * that is no keys
 */
export async function openKeys(dir: string, make: () => Promise<Keys> = makeKeys): Promise<SandboxKeys> {
  const file = path.join(dir, FILE)
  const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  let now = found === null ? await make() : readKeys(found)
  if (JSON.stringify(now, null, 2) !== found) await store(file, now)
  return {
    get now() {
      return now
    },
    async addPlatformCertificate() {
      const { makeCertified } = await import('./certificate.ts')
      const made = await makeCertified(PLATFORM)
      now = { ...now, wechat: { ...now.wechat, platform: [...now.wechat.platform, made] } }
      await store(file, now)
    },
  }
}

/** Keys that an older sandbox has made have no APIv2 key. */
function readKeys(text: string): Keys {
  const it = JSON.parse(text) as Keys
  return { ...it, wechat: { ...it.wechat, apiV2Key: it.wechat.apiV2Key ?? newApiKey() } }
}

const newApiKey = (): string => ids.token().slice(0, 32)

/** Begins to make the keys of a directory that has none yet, and writes nothing: they take a second. */
export async function keysInAdvance(dir: string): Promise<(() => Promise<Keys>) | null> {
  const isThere = await access(path.join(dir, FILE)).then(
    () => true,
    () => false,
  )
  if (isThere) return null
  const making = makeKeys()
  // Who needs them is told.
  making.catch(() => undefined)
  return () => making
}

const PLATFORM = 'CN=Tenpay.com sandbox'

async function makeKeys(): Promise<Keys> {
  const { makeCertified, makeKeyPair } = await import('./certificate.ts')
  const [certificate, platform, stranger, publicKey, application, alipay] = await Promise.all([
    makeCertified('CN=Merchant of the sandbox'),
    makeCertified(PLATFORM),
    makeCertified('CN=Stranger'),
    makeKeyPair(),
    makeKeyPair(),
    makeKeyPair(),
  ] as const)
  return {
    controlToken: ids.token(),
    wechat: {
      merchant: `16${ids.digits(8)}`,
      appId: `wx${hex(16)}`,
      openAppId: `wx${hex(16)}`,
      apiV3Key: newApiKey(),
      apiV2Key: newApiKey(),
      certificate,
      platform: [platform],
      publicKey: { ...publicKey, id: `PUB_KEY_ID_01${ids.digits(32)}` },
    },
    alipay: {
      appId: `2021${ids.digits(12)}`,
      merchant: `2088${ids.digits(12)}`,
      application,
      alipay,
    },
    stranger,
  }
}

const hex = (length: number): string => ids.uuid().replaceAll('-', '').slice(-length)

/** Replaced as a whole: a kill leaves the file before, or the new one. */
async function store(file: string, keys: Keys): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(keys, null, 2), { mode: PRIVATE_FILE })
  await rename(`${file}.new`, file)
}

/** The template and the scene in which people sign contracts here. */
export const SANDBOX_PLAN = '12535'
export const SANDBOX_SCENE = 'INDUSTRY|SOCIALIZATION'

/** What the server is configured with to use the sandbox. */
export const wechatConfigOf = ({ wechat }: Keys, url: string): WechatPayConfig => ({
  merchant: wechat.merchant,
  appId: wechat.appId,
  openAppId: wechat.openAppId,
  serial: wechat.certificate.serial,
  privateKey: wechat.certificate.privateKey,
  apiV3Key: wechat.apiV3Key,
  apiV2Key: wechat.apiV2Key,
  publicKey: null,
  planId: SANDBOX_PLAN,
  endpoint: url,
})

export const alipayConfigOf = ({ alipay }: Keys, url: string): AlipayConfig => ({
  appId: alipay.appId,
  merchant: alipay.merchant,
  privateKey: alipay.application.privateKey,
  alipayPublicKey: alipay.alipay.publicKey,
  signScene: SANDBOX_SCENE,
  endpoint: `${url}/gateway.do`,
})
