/**
 * The cryptography of WeChat Pay's API v3: RSA signatures over lines of text, and resources encrypted with
 * AES-256-GCM (pay.weixin.qq.com, "签名与验签", "证书和回调报文解密"). Pure.
 */
import { createDecipheriv, createHash, type KeyObject, sign, verify } from 'node:crypto'
import type { Millis } from '@guildhall/wire/unit.ts'

export const WECHAT_SCHEME = 'WECHATPAY2-SHA256-RSA2048'
export const WECHAT_ALGORITHM = 'AEAD_AES_256_GCM'
const HASH = 'sha256'
const TAG_BYTES = 16

/** A signature over lines, each with its line feed, in base64. */
export const signLines = (key: KeyObject, lines: readonly string[]): string =>
  sign(HASH, Buffer.from(linesOf(lines)), key).toString('base64')

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** A call that the merchant signs. */
export interface WechatRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query, as they are sent. */
  readonly target: string
  readonly at: Millis
  readonly nonce: string
  /** Empty for GET. */
  readonly body: string
}

/** The value of `Authorization`. */
export function wechatAuthorization(
  merchant: { readonly merchant: string; readonly serial: string; readonly key: KeyObject },
  { method, target, at, nonce, body }: WechatRequest,
): string {
  const timestamp = secondsOf(at)
  const signature = signLines(merchant.key, [method, target, timestamp, nonce, body])
  const fields = {
    mchid: merchant.merchant,
    nonce_str: nonce,
    timestamp,
    serial_no: merchant.serial,
    signature,
  }
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')
  return `${WECHAT_SCHEME} ${text}`
}

interface Prepaid {
  readonly appId: string
  readonly at: Millis
  readonly nonce: string
  readonly prepayId: string
}

/** The parameters of `getBrandWCPayRequest`, with which a page inside of WeChat opens the cashier. */
export function wechatPageParams(
  key: KeyObject,
  { appId, at, nonce, prepayId }: Prepaid,
): Record<string, string> {
  const timeStamp = secondsOf(at)
  const packed = `prepay_id=${prepayId}`
  return {
    appId,
    timeStamp,
    nonceStr: nonce,
    package: packed,
    signType: 'RSA',
    paySign: signLines(key, [appId, timeStamp, nonce, packed]),
  }
}

/** The parameters of a `PayReq` of the SDK, with which a native app opens the cashier. */
export function wechatAppParams(
  key: KeyObject,
  { appId, at, nonce, prepayId, merchant }: Prepaid & { readonly merchant: string },
): Record<string, string> {
  const timeStamp = secondsOf(at)
  return {
    appId,
    partnerId: merchant,
    prepayId,
    packageValue: 'Sign=WXPay',
    nonceStr: nonce,
    timeStamp,
    sign: signLines(key, [appId, timeStamp, nonce, prepayId]),
  }
}

const secondsOf = (at: Millis): string => String(Math.floor(at / 1_000))

/** What WeChat signs: an answer, or a message to the server. */
export interface WechatSigned {
  readonly timestamp: string
  readonly nonce: string
  readonly signature: string
  /** The exact bytes. */
  readonly body: Uint8Array
}

/** Whether the owner of a key signed this. */
export function isWechatSignature(
  key: KeyObject,
  { timestamp, nonce, signature, body }: WechatSigned,
): boolean {
  const bytes = Buffer.from(signature, 'base64')
  // The decoder ignores what it does not know: the same signature would be there in several ways of writing.
  if (bytes.toString('base64') !== signature) return false
  return verify(
    HASH,
    Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from('\n')]),
    key,
    bytes,
  )
}

/** An encrypted part of an answer or of a message. */
export interface WechatResource {
  readonly nonce: string
  readonly associated_data?: string | null | undefined
  /** Base64, with the tag at its end. */
  readonly ciphertext: string
}

/** The plain text; null when it was encrypted with another key, or changed. `apiV3Key`: 32 bytes. */
export function decryptWechat(apiV3Key: string, input: WechatResource): Buffer | null {
  const bytes = Buffer.from(input.ciphertext, 'base64')
  if (bytes.length < TAG_BYTES || input.nonce === '') return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', apiV3Key, input.nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(input.associated_data ?? ''))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

/** The hash of a bill, hexadecimal in lower case. */
export const sha1Of = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex')
