/** A merchant's call of WeChat Pay's API v3, as WeChat checks it, and how its answers are signed. */
import { randomBytes, sign, verify, X509Certificate } from 'node:crypto'
import { clock } from '@guildhall/server/kit/clock.ts'
import { beijingTime } from '@guildhall/wire/beijing.ts'
import { type Out, type Schema, z } from '@guildhall/wire/schema.ts'
import { MINUTE_MS, type Millis } from '@guildhall/wire/unit.ts'
import type { SandboxAnswer, SandboxRequest } from '../dialogue.ts'
import type { Keys, SandboxKeys } from '../keys.ts'

const SCHEME = 'WECHATPAY2-SHA256-RSA2048'
const CLOCK_MS = 5 * MINUTE_MS
const NONCES_MAX = 20_000

/** What WeChat refuses, with its status and code. */
export class WechatRefused extends Error {
  override name = 'WechatRefused'
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const authorization = z.object({
  mchid: z.string(),
  nonce_str: z.string().check(z.regex(/^[0-9a-zA-Z]{1,32}$/)),
  timestamp: z.string().check(z.regex(/^\d{10,11}$/)),
  serial_no: z.string(),
  signature: z.string(),
})

/** Checks who calls. A nonce counts once within the five minutes for which a signature does. */
export function openWechatGuard(keys: SandboxKeys): (request: SandboxRequest) => void {
  const nonces = new Map<string, number>()
  return ({ method, path, search, headers, body }) => {
    const refuse = (message: string): never => {
      throw new WechatRefused(401, 'SIGN_ERROR', message)
    }
    const [scheme, rest = ''] = String(headers.authorization ?? '').split(/ (.*)/s)
    const fields = authorization.safeParse(
      Object.fromEntries([...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
    )
    if (scheme !== SCHEME || !fields.success) return refuse('Http头Authorization值格式错误')
    const { mchid, nonce_str, timestamp, serial_no, signature } = fields.data
    const { merchant, certificate } = keys.now.wechat
    if (mchid !== merchant) refuse('商户号不存在')
    if (serial_no !== certificate.serial) refuse('商户证书序列号有误')
    if (Math.abs(clock.now() - Number(timestamp) * 1_000) > CLOCK_MS)
      refuse('timestamp与当前时间不得超过5分钟')
    const signed = Buffer.concat([
      Buffer.from(`${method}\n${path}${search}\n${timestamp}\n${nonce_str}\n`),
      body,
      Buffer.from('\n'),
    ])
    const { publicKey } = new X509Certificate(certificate.certificate)
    if (!verify('sha256', signed, publicKey, Buffer.from(signature, 'base64'))) refuse('错误的签名，验签失败')
    if (nonces.has(nonce_str)) refuse('请求重放')
    nonces.set(nonce_str, clock.now())
    for (const [nonce, at] of nonces) {
      if (nonces.size <= NONCES_MAX && clock.now() - at <= 2 * CLOCK_MS) break
      nonces.delete(nonce)
    }
  }
}

/** The headers of what WeChat signs. `serial`: the one that is asked for; null: the newest certificate. */
export function signedHeaders(
  { wechat }: Keys,
  body: string | Uint8Array,
  { serial = null, at = clock.now() }: { readonly serial?: string | null; readonly at?: number } = {},
): Record<string, string> {
  const newest = wechat.platform.at(-1)
  const key = serial === wechat.publicKey.id ? wechat.publicKey.privateKey : newest?.privateKey
  const named = serial === wechat.publicKey.id ? wechat.publicKey.id : (newest?.serial ?? '')
  return signedBy(key ?? '', named, body, at)
}

/** As `signedHeaders`, with any key under any serial. */
export function signedBy(
  privateKey: string,
  serial: string,
  body: string | Uint8Array,
  at: number = clock.now(),
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000))
  const nonce = randomBytes(16).toString('hex')
  const signed = Buffer.concat([
    Buffer.from(`${timestamp}\n${nonce}\n`),
    Buffer.from(body),
    Buffer.from('\n'),
  ])
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-signature': sign('sha256', signed, privateKey).toString('base64'),
    'wechatpay-signature-type': SCHEME,
    'wechatpay-serial': serial,
  }
}

/** An answer in JSON; without a body for null. */
export const answerJson = (status: number, body: object | null): SandboxAnswer => ({
  status,
  body: body === null ? '' : JSON.stringify(body),
  headers: {
    ...(body !== null && { 'content-type': 'application/json; charset=utf-8' }),
    'request-id': randomBytes(12).toString('hex').toUpperCase(),
  },
})

export const answerRefused = ({ status, code, message }: WechatRefused): SandboxAnswer =>
  answerJson(status, { code, message })

/** What a call sends. @throws WechatRefused */
export function readContent<S extends Schema>(schema: S, { body }: SandboxRequest): Out<S> {
  let content: unknown
  try {
    content = JSON.parse(body.toString('utf8'))
  } catch {
    throw new WechatRefused(400, 'PARAM_ERROR', '请求体不是JSON')
  }
  const parsed = schema.safeParse(content)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues.map(({ path }) => path.join('.')).join(', ')
  throw new WechatRefused(400, 'PARAM_ERROR', `参数错误: ${where}`)
}

/** A time as WeChat writes it. */
export const timeText = (at: Millis): string => `${beijingTime(at).replace(' ', 'T')}+08:00`
