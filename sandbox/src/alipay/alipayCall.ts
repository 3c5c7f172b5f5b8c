/** How Alipay's gateway is called, and how it answers: signed by both sides with RSA2. */
import { sign, verify } from 'node:crypto'
import { clock } from '@guildhall/server/kit/clock.ts'
import { fromBeijingTime } from '@guildhall/wire/beijing.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { SandboxAnswer } from '../dialogue.ts'
import type { Keys } from '../keys.ts'

export interface AlipayCall {
  readonly method: string
  readonly params: Readonly<Record<string, string>>
  /** `biz_content`. */
  readonly content: Content
}

/** A call that the gateway refuses: `code` is the gateway's, `sub` says why. */
export class AlipayRefused extends Error {
  override name = 'AlipayRefused'
  readonly code: string
  readonly sub: string
  constructor(code: '10003' | '20000' | '40001' | '40002' | '40004', sub: string) {
    super(`${code} ${sub}`)
    this.code = code
    this.sub = sub
  }
}

/** What the gateway refuses by the rules of business. */
export const refused = (sub: string): AlipayRefused => new AlipayRefused('40004', sub)

/** What a call says, or what it is answered. */
export type Content = Readonly<Record<string, unknown>>

export const textIn = (content: Content, name: string): string => {
  const value = content[name]
  return typeof value === 'string' ? value : ''
}
export const objectIn = (content: Content, name: string): Content => {
  const value = content[name]
  return typeof value === 'object' && value !== null ? (value as Content) : {}
}

/** The gateway takes calls of a machine whose clock is off by so much. */
const CLOCK_MAY_DIFFER_MS = 10 * MINUTE_MS
const NEEDED = ['app_id', 'method', 'charset', 'sign_type', 'sign', 'timestamp', 'version', 'biz_content']

/** The parameters that a text has which is encoded as a form. @throws AlipayRefused */
export function paramsOf(encoded: string): Readonly<Record<string, string>> {
  const pairs = [...new URLSearchParams(encoded)]
  const params = Object.fromEntries(pairs)
  if (Object.keys(params).length !== pairs.length) throw new AlipayRefused('40002', 'isv.invalid-parameter')
  return params
}

/** What the merchant's application signed. @throws AlipayRefused */
export function readCall(params: Readonly<Record<string, string>>, { alipay }: Keys): AlipayCall {
  for (const name of NEEDED)
    if (!params[name]) throw new AlipayRefused('40001', `isv.missing-${name.replaceAll('_', '-')}`)
  const { app_id, method = '', sign_type, sign: signature = '', charset, timestamp = '', version } = params
  if (app_id !== alipay.appId) throw new AlipayRefused('40002', 'isv.invalid-app-id')
  if (sign_type !== 'RSA2') throw new AlipayRefused('40002', 'isv.invalid-signature-type')
  const { publicKey } = alipay.application
  if (!verify('RSA-SHA256', Buffer.from(signedText(params)), publicKey, Buffer.from(signature, 'base64')))
    throw new AlipayRefused('40002', 'isv.invalid-signature')
  if (charset?.toLowerCase() !== 'utf-8') throw new AlipayRefused('40002', 'isv.invalid-charset')
  if (version !== '1.0') throw new AlipayRefused('40002', 'isv.invalid-version')
  const at = fromBeijingTime(timestamp)
  if (at === null || Math.abs(at - clock.now()) > CLOCK_MAY_DIFFER_MS)
    throw new AlipayRefused('40002', 'isv.invalid-timestamp')
  return { method, params, content: contentOf(params.biz_content ?? '') }
}

/** Parameters are signed in order, without empty ones and without the signature. */
export const signedText = (params: Readonly<Record<string, string>>): string =>
  Object.entries(params)
    .filter(([name, value]) => name !== 'sign' && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

export const signText = (text: string, privateKey: string, hash = 'RSA-SHA256'): string =>
  sign(hash, Buffer.from(text), privateKey).toString('base64')

function contentOf(text: string): Content {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Content
  } catch {
    // Falls through.
  }
  throw new AlipayRefused('40002', 'isv.invalid-parameter')
}

/** The answer to a call: the object as it is written is what is signed. */
export function answerCall(method: string, body: Content, keys: Keys): SandboxAnswer {
  const content = JSON.stringify({ code: '10000', msg: 'Success', ...body }).replaceAll('/', '\\/')
  const signature = signText(content, keys.alipay.alipay.privateKey)
  return text(`{"${method.replaceAll('.', '_')}_response":${content},"sign":"${signature}"}`)
}

const MESSAGES: Readonly<Record<string, string>> = {
  10003: 'order success pay inprocess',
  20000: 'Service Currently Unavailable',
  40001: 'Missing Required Arguments',
  40002: 'Invalid Arguments',
  40004: 'Business Failed',
}

/** A refusal. Who is not known, or names no method, is answered without a signature. */
export function answerRefused(
  method: string | undefined,
  { code, sub }: AlipayRefused,
  keys: Keys,
): SandboxAnswer {
  const body = { code, msg: MESSAGES[code], ...(sub !== '' && { sub_code: sub, sub_msg: `sandbox: ${sub}` }) }
  if (method && sub !== 'isv.invalid-app-id') return answerCall(method, body, keys)
  return text(JSON.stringify({ error_response: body }))
}

const text = (body: string): SandboxAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/html;charset=utf-8' },
  body,
})
