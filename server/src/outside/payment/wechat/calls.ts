/** Calls of WeChat Pay's API v3: signed by the merchant, their answers verified. */
import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'
import type { WechatPayConfig } from '../../../config/pay.ts'
import { clock } from '../../../kit/clock.ts'
import { fieldsIn, jsonOf } from '../../answer.ts'
import { PAY_TIMEOUT_MS, PayFailed } from '../payProvider.ts'
import { isWechatSignature, type WechatRequest, wechatAuthorization } from './crypto.ts'
import { isFresh, openWechatKeys, type SignedAnswer, type WechatKeys } from './keys.ts'

const API = 'https://api.mch.weixin.qq.com'
/** The longest answer, and the longest bill, bytes. */
const ANSWER_MAX = 256 * 1024
const BILL_MAX = 64 * 1024 * 1024

/** A genuine answer. `code`: why it is refused, WeChat's own. */
export type WechatAnswer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly status: number; readonly code: string }

/** The address of the API, without a slash at its end. */
export const apiOf = ({ endpoint }: Pick<WechatPayConfig, 'endpoint'>): string => endpoint ?? API

export class WechatCalls {
  /** The merchant's private key. */
  readonly key: KeyObject
  readonly keys: WechatKeys
  readonly #config: WechatPayConfig
  readonly #ask: typeof fetch

  /** @throws Error for keys that are none; nothing of them is told */
  constructor(config: WechatPayConfig, ask: typeof fetch) {
    if (Buffer.byteLength(config.apiV3Key) !== 32) throw new Error('the APIv3 key must have 32 characters')
    this.key = merchantKey(config.privateKey)
    this.#config = config
    this.#ask = ask
    this.keys = openWechatKeys(config, () => this.#certificates())
  }

  /** `target`: path and query. @throws PayFailed */
  async ask(
    method: 'GET' | 'POST',
    target: string,
    content: object | null,
    signal: AbortSignal,
  ): Promise<WechatAnswer> {
    const body = content === null ? '' : JSON.stringify(content)
    const carried = await this.#send({ method, target, body }, ANSWER_MAX, signal)
    const { status } = carried
    if (status >= 500 || status === 429) throw new PayFailed('wechat', `answers ${codeIn(carried)}`)
    await verifyAnswer(this.keys, carried)
    if (status < 400) return { ok: true, body: jsonOf(carried.body) }
    const code = ownCodeIn(carried)
    // A refusal that cannot be read is no decision.
    if (code === null) throw new PayFailed('wechat', `answers status ${status}`)
    return { ok: false, status, code }
  }

  /**
   * What an address of version 2 answers, which carries its own signature. WeChat does not sign the answer.
   * @throws PayFailed
   */
  async get(target: string, signal: AbortSignal): Promise<Uint8Array> {
    const init = { method: 'GET', headers: { 'user-agent': 'guildhall' } }
    const { status, body } = await this.#carry(target, init, ANSWER_MAX, signal)
    if (status !== 200) throw new PayFailed('wechat', `answers status ${status}`)
    return body
  }

  /** The bytes at an address that an answer named. WeChat does not sign them. @throws PayFailed */
  async download(address: string, signal: AbortSignal): Promise<Uint8Array> {
    const target = billTarget(address, this.#config.endpoint)
    const carried = await this.#send({ method: 'GET', target, body: '' }, BILL_MAX, signal)
    if (carried.status !== 200) throw new PayFailed('wechat', `answers ${codeIn(carried)} without the bill`)
    return carried.body
  }

  async #certificates(): Promise<SignedAnswer> {
    const call = { method: 'GET', target: '/v3/certificates', body: '' } as const
    const carried = await this.#send(call, ANSWER_MAX, AbortSignal.timeout(PAY_TIMEOUT_MS))
    if (carried.status !== 200)
      throw new PayFailed('wechat', `answers ${codeIn(carried)} without certificates`)
    return signedIn(carried)
  }

  #send(
    { method, target, body }: Pick<WechatRequest, 'method' | 'target' | 'body'>,
    most: number,
    signal: AbortSignal,
  ): Promise<Carried> {
    const { merchant, serial, publicKey } = this.#config
    const request: WechatRequest = { method, target, body, at: clock.now(), nonce: newNonce() }
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': 'guildhall',
      authorization: wechatAuthorization({ merchant, serial, key: this.key }, request),
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...(publicKey && { 'wechatpay-serial': publicKey.id }),
    }
    return this.#carry(target, { method, headers, ...(method === 'POST' && { body }) }, most, signal)
  }

  #carry(target: string, init: RequestInit, most: number, signal: AbortSignal): Promise<Carried> {
    return carry(this.#ask, new URL(target, apiOf(this.#config)).href, init, most, signal)
  }
}

/** 32 letters and digits. */
export const newNonce = (): string => randomBytes(16).toString('hex')

function merchantKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // Its message may have a part of the text.
  }
  throw new Error('the private key for WeChat Pay must be an RSA key as PEM')
}

interface Carried {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

/** Sends a request and reads what it is answered with. */
async function carry(
  ask: typeof fetch,
  address: string,
  init: RequestInit,
  most: number,
  signal: AbortSignal,
): Promise<Carried> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(PAY_TIMEOUT_MS)])
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    const answer = await ask(address, { ...init, signal: within, redirect: 'error' })
    for await (const part of answer.body ?? []) {
      bytes += part.length
      if (bytes > most) throw new PayFailed('wechat', 'answers with too much')
      parts.push(part)
    }
    return { status: answer.status, headers: answer.headers, body: Buffer.concat(parts) }
  } catch (cause) {
    if (cause instanceof PayFailed) throw cause
    throw new PayFailed('wechat', within.aborted ? 'does not answer in time' : 'cannot be reached')
  }
}

/**
 * What an answer is signed with. WeChat signs every answer to a call that the merchant signed rightly.
 * @throws PayFailed
 */
function signedIn(carried: Carried): SignedAnswer {
  const [timestamp, nonce, signature, serial] = ['timestamp', 'nonce', 'signature', 'serial'].map((name) =>
    carried.headers.get(`wechatpay-${name}`),
  )
  if (!timestamp || !nonce || !signature || !serial)
    throw new PayFailed('wechat', `answers ${codeIn(carried)} without a signature`)
  if (!isFresh(timestamp)) throw new PayFailed('wechat', 'answers with a signature of another time')
  return { serial, signed: { timestamp, nonce, signature, body: carried.body } }
}

/** @throws PayFailed */
async function verifyAnswer(keys: WechatKeys, carried: Carried): Promise<void> {
  const { serial, signed } = signedIn(carried)
  const key = await keys.keyOf(serial)
  if (!key || !isWechatSignature(key, signed))
    throw new PayFailed('wechat', 'answers with a signature that is not its own')
}

/** The code of a refusal, as a log may hold it; the status where there is none. */
const codeIn = (carried: Carried): string => ownCodeIn(carried) ?? `status ${carried.status}`

function ownCodeIn({ body }: Carried): string | null {
  const { code } = fieldsIn(jsonOf(body))
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : null
}

/** Path and query of a bill's address, which must be WeChat's: the call is signed. @throws PayFailed */
function billTarget(address: string, endpoint: string | null): string {
  const url = URL.canParse(address) ? new URL(address) : null
  const isOwn =
    url !== null &&
    (endpoint === null
      ? url.protocol === 'https:' && /(?:^|\.)mch\.weixin\.qq\.com$/.test(url.hostname)
      : url.origin === new URL(endpoint).origin)
  if (!url || !isOwn) throw new PayFailed('wechat', 'answers with an address that is not its own')
  return `${url.pathname}${url.search}`
}
