/**
 * Alipay's gateway: calls signed by the application (RSA2), answers verified with Alipay's public key. The
 * SDK signs. It does not carry the calls: its client has no signal, no longest answer and no time for a whole
 * call, and it verifies text, where Alipay signs bytes of either of two charsets.
 */
import { createPrivateKey, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { beijingTime } from '@guildhall/wire/beijing.ts'
import { AlipaySdk } from 'alipay-sdk'
import type { AlipayConfig } from '../../../config/pay.ts'
import { clock } from '../../../kit/clock.ts'
import { objectOf } from '../../answer.ts'
import { PAY_TIMEOUT_MS, PayFailed } from '../payProvider.ts'

const GATEWAY = 'https://openapi.alipay.com/gateway.do'
/** The longest answer of the gateway, and the longest bill, bytes. */
const ANSWER_MAX = 256 * 1024
const BILL_MAX = 64 * 1024 * 1024
/** The mark of the byte order, as bytes. */
const MARK = /^\xef\xbb\xbf/
/**
 * "公共错误码": the call or the application is called too often, or the gateway does not reach the system behind
 * it.
 */
const BUSY = /^(?:20000|40005)$/
const BUSY_SUB = /^(?:isp\.unknow-error|aop\.|.*(?:SYSTEM_ERROR|call-limited)$)/

export type AlipayContent = Readonly<Record<string, unknown>>

/** An answer with Alipay's signature. `code`: why it is refused, `sub_code` where there is one. */
export type AlipayAnswer =
  | { readonly ok: true; readonly body: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly code: string; readonly isOfBusiness: boolean }

export interface AlipayGateway {
  /** The signed parameters of a call that the buyer's device makes. */
  orderStr(method: string, content: AlipayContent, notifyUrl: string): string
  /** The address of a page, for the buyer's browser. */
  pageUrl(method: string, content: AlipayContent, notifyUrl: string, returnUrl: string): string
  /** @throws PayFailed */
  ask(method: string, content: AlipayContent, signal: AbortSignal, notifyUrl?: string): Promise<AlipayAnswer>
  /** The bytes at an address that an answer named. @throws PayFailed */
  download(address: string, signal: AbortSignal): Promise<Uint8Array>
  /**
   * Whether Alipay signed these bytes, each of them a letter (`latin1`): they may be of another charset than
   * UTF-8.
   */
  isGenuine(bytes: string, signature: string): boolean
}

/** @throws Error for a key that is none */
export function openAlipayGateway(config: AlipayConfig): AlipayGateway {
  const gateway = config.endpoint ?? GATEWAY
  const { mine, theirs } = keysOf(config)
  const sdk = new AlipaySdk({
    appId: config.appId,
    gateway,
    signType: 'RSA2',
    keyType: 'PKCS1',
    camelcase: false,
    privateKey: mine.export({ type: 'pkcs1', format: 'pem' }).toString().trim(),
    alipayPublicKey: theirs.export({ type: 'spki', format: 'pem' }).toString().trim(),
  })
  // The SDK would write the time of this machine's zone.
  const now = () => ({ timestamp: beijingTime(clock.now()) })
  const isGenuine = (bytes: string, text: string): boolean => {
    const signature = Buffer.from(text, 'base64')
    // The decoder of base64 ignores what it does not know.
    if (signature.toString('base64') !== text) return false
    return verify('RSA-SHA256', Buffer.from(bytes, 'latin1'), theirs, signature)
  }
  return {
    isGenuine,
    orderStr: (method, bizContent, notifyUrl) => sdk.sdkExecute(method, { ...now(), notifyUrl, bizContent }),
    pageUrl: (method, bizContent, notifyUrl, returnUrl) =>
      sdk.pageExecute(method, 'GET', { ...now(), notifyUrl, returnUrl, bizContent }),
    async ask(method, bizContent, signal, notifyUrl) {
      const signed = new URLSearchParams(
        sdk.sdkExecute(method, { ...now(), ...(notifyUrl && { notifyUrl }), bizContent }),
      )
      const body = new URLSearchParams({ biz_content: signed.get('biz_content') ?? '' })
      signed.delete('biz_content')
      const bytes = await carry(`${gateway}?${signed}`, { method: 'POST', body }, ANSWER_MAX, signal)
      return readAnswer(bytes, `${method.replaceAll('.', '_')}_response`, isGenuine)
    },
    download: (address, signal) =>
      carry(billAddress(address, config.endpoint), { method: 'GET' }, BILL_MAX, signal),
  }
}

/** The application's private key and Alipay's public one. Nothing of a text is told: it may be a secret. */
function keysOf(config: AlipayConfig): { readonly mine: KeyObject; readonly theirs: KeyObject } {
  const [secret, open] = [derOf(config.privateKey), derOf(config.alipayPublicKey)]
  const mine = firstKey(
    () => createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' }),
    () => createPrivateKey({ key: secret, format: 'der', type: 'pkcs1' }),
  )
  const theirs = firstKey(
    () => createPublicKey({ key: open, format: 'der', type: 'spki' }),
    () => createPublicKey({ key: open, format: 'der', type: 'pkcs1' }),
  )
  if (!mine || !theirs) throw new Error('a key for Alipay must be an RSA key of 2048 bits, as PEM or base64')
  // The console shows both public keys on one page.
  if (createPublicKey(mine.export({ type: 'pkcs1', format: 'pem' })).equals(theirs))
    throw new Error('the public key must be Alipay’s, and it is the application’s own')
  return { mine, theirs }
}

const derOf = (text: string): Buffer => Buffer.from(text.replace(/-----[^-]+-----/g, ''), 'base64')

function firstKey(...forms: readonly (() => KeyObject)[]): KeyObject | null {
  for (const form of forms)
    try {
      const key = form()
      if (key.asymmetricKeyType === 'rsa' && Number(key.asymmetricKeyDetails?.modulusLength) >= 2_048)
        return key
    } catch {
      // Another form, then.
    }
  return null
}

/**
 * Sends a request and reads what it is answered with. No address is told: its query has signatures and
 * tokens.
 */
async function carry(
  address: string,
  init: { readonly method: string; readonly body?: URLSearchParams },
  most: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(PAY_TIMEOUT_MS)])
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    const answer = await fetch(address, { ...init, signal: within, redirect: 'error' })
    if (answer.status !== 200) throw new PayFailed('alipay', `answers with status ${answer.status}`)
    for await (const part of answer.body ?? []) {
      bytes += part.length
      if (bytes > most) throw new PayFailed('alipay', 'answers with too much')
      parts.push(part)
    }
  } catch (cause) {
    if (cause instanceof PayFailed) throw cause
    throw new PayFailed('alipay', within.aborted ? 'does not answer in time' : 'cannot be reached')
  }
  return Buffer.concat(parts)
}

/** Alipay's own addresses of bills are http. @throws PayFailed */
function billAddress(address: string, endpoint: string | null): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url && endpoint !== null && url.origin === new URL(endpoint).origin) return url.href
  if (!url || !/(?:^|\.)alipay\.com$/.test(url.hostname) || !['http:', 'https:'].includes(url.protocol))
    throw new PayFailed('alipay', 'answers with an address that is not its own')
  url.protocol = 'https:'
  return url.href
}

/**
 * The object of JSON that is written as bytes, each of them a letter; null for what is none. The gateway
 * answers in GBK now and then, busy ones most of all, whatever it was asked for.
 */
function objectIn(json: string): Readonly<Record<string, unknown>> | null {
  const bytes = Buffer.from(json, 'latin1')
  return objectOf(bytes) ?? objectOf(new TextDecoder('gbk').decode(bytes))
}

/** Reads exactly the bytes that were verified. @throws PayFailed */
function readAnswer(answer: Uint8Array, name: string, isGenuine: AlipayGateway['isGenuine']): AlipayAnswer {
  // A byte of a longer letter is no quotation mark in either charset.
  const members = membersOf(Buffer.from(answer).toString('latin1').replace(MARK, ''))
  const content = members?.get(name) ?? members?.get('error_response')
  if (!members || content === undefined)
    throw new PayFailed('alipay', 'answers with something else than an answer')
  const sign = objectIn(`{"sign":${members.get('sign') ?? 'null'}}`)?.sign
  const unsigned = objectIn(content)
  if (typeof sign !== 'string')
    throw new PayFailed('alipay', `answers without a signature: ${codeIn(unsigned)}`)
  // Alipay's own SDKs do this too: some answers are signed before their slashes are escaped.
  const genuine = [content, content.replaceAll('\\/', '/')].find((it) => isGenuine(it, sign))
  const body = genuine === undefined ? null : objectIn(genuine)
  if (!body) throw new PayFailed('alipay', 'answers with a signature that is not its own')
  if (String(body.code) === '10000') return { ok: true, body }
  const code = codeIn(body)
  if (BUSY.test(String(body.code)) || BUSY_SUB.test(code)) throw new PayFailed('alipay', `answers ${code}`)
  return { ok: false, code, isOfBusiness: String(body.code) === '40004' }
}

/** The code of a refusal, as a log may hold it. */
const codeIn = (body: Readonly<Record<string, unknown>> | null): string => {
  const code = String(body?.sub_code || body?.code)
  return /^[\w.-]{1,80}$/.test(code) ? code : 'no code'
}

/**
 * The members of a JSON object, as they are written; null for anything else and for a name that is there
 * twice.
 */
export function membersOf(text: string): ReadonlyMap<string, string> | null {
  if (!objectOf(text)) return null
  const members = new Map<string, string>()
  let at = text.indexOf('{') + 1
  while (text.slice(at).trim() !== '}') {
    const name = text.indexOf('"', at)
    const afterName = endOfText(text, name)
    const value = text.indexOf(':', afterName) + 1
    const end = endOfValue(text, value)
    const key = JSON.parse(text.slice(name, afterName)) as string
    if (members.has(key)) return null
    members.set(key, text.slice(value, end).trim())
    at = text[end] === ',' ? end + 1 : end
  }
  return members
}

/** Where the text that begins at a quotation mark ends. The JSON is known to be right. */
function endOfText(json: string, from: number): number {
  let at = from + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

/** Where the value of a member ends: at a comma or brace of its own object. */
function endOfValue(json: string, from: number): number {
  let depth = 0
  for (let at = from; ; ) {
    const char = json[at]
    if (depth === 0 && (char === ',' || char === '}')) return at
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') depth -= 1
    at = char === '"' ? endOfText(json, at) : at + 1
  }
}
