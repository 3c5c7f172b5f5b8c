/**
 * What WeChat Pay has in version 2 of its interface alone: signing a contract on a page inside of WeChat
 * ("公众号纯签约") and from a phone's browser ("H5纯签约"), and the messages of such contracts. Signed by the APIv2
 * key, which both sides have.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { WechatPayConfig } from '../../../config/pay.ts'
import { clock } from '../../../kit/clock.ts'
import {
  BadNotification,
  type ContractFact,
  type Contracts,
  type NewPayment,
  type Notification,
  type NotifyReply,
  PayFailed,
  PayRefused,
} from '../payProvider.ts'
import { apiOf, type WechatCalls } from './calls.ts'
import { readWechatXml, type WechatFields, writeWechatXml } from './xml.ts'

export type SignTypeV2 = 'MD5' | 'HMAC-SHA256'

/**
 * The signature of fields: of those that are not empty, sorted by name, and of the key. Capital hexadecimal
 * digits.
 */
export function signV2(fields: Iterable<readonly [string, string]>, key: string, type: SignTypeV2): string {
  const parts = [...fields]
    .filter(([name, value]) => name !== 'sign' && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
  const text = [...parts, `key=${key}`].join('&')
  const hash = type === 'MD5' ? createHash('md5') : createHmac('sha256', key)
  return hash.update(text).digest('hex').toUpperCase()
}

/** Whether fields have the right `sign`. Messages do not say how they are signed; the length tells it. */
export function isSignedV2(fields: WechatFields, key: string): boolean {
  const given = Buffer.from(fields.get('sign') ?? '')
  const right = Buffer.from(signV2(fields, key, given.length === 32 ? 'MD5' : 'HMAC-SHA256'))
  return given.length === right.length && timingSafeEqual(given, right)
}

export interface WechatV2 {
  readonly config: WechatPayConfig
  readonly apiV2Key: string
  readonly planId: string
  readonly calls: WechatCalls
  readonly notifyUrl: string
}

type Signing = Parameters<Contracts['sign']>[0]

const PAGE = '/papay/entrustweb'
const PHONE = '/papay/h5entrustweb'
/** `result_msg`: nothing is wrong with what is asked for. */
const BUSY = /^SYSTEM_?ERROR$/

const signingOf = ({ config, planId, notifyUrl }: WechatV2, input: Signing, account: string) => ({
  appid: config.appId,
  mch_id: config.merchant,
  plan_id: planId,
  contract_code: input.contractNo,
  request_serial: input.serial,
  contract_display_account: account,
  notify_url: notifyUrl,
  version: '1.0',
  timestamp: String(Math.floor(clock.now() / 1_000)),
})

function targetOf(
  path: string,
  fields: Readonly<Record<string, string>>,
  key: string,
  type: SignTypeV2,
): string {
  const query = Object.entries({ ...fields, sign: signV2(Object.entries(fields), key, type) })
  return `${path}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}

/**
 * WeChat's page on which one signs inside of WeChat; it leads back to the page before it. `account`: how
 * WeChat takes the person's name.
 */
export function pageAddress(v2: WechatV2, input: Signing, account: string): string {
  const fields = { ...signingOf(v2, input, account), return_web: '1' }
  return `${apiOf(v2.config)}${targetOf(PAGE, fields, v2.apiV2Key, 'MD5')}#wechat_redirect`
}

/** An address that opens WeChat from a phone's browser, to sign there. @throws PayRefused, PayFailed */
export async function phoneAddress(
  v2: WechatV2,
  input: Signing & Pick<NewPayment, 'clientIp'>,
  account: string,
  signal: AbortSignal,
): Promise<string> {
  const fields = { ...signingOf(v2, input, account), sign_type: 'HMAC-SHA256', clientip: input.clientIp }
  const answer = readWechatXml(
    await v2.calls.get(targetOf(PHONE, fields, v2.apiV2Key, 'HMAC-SHA256'), signal),
  )
  if (!answer) throw new PayFailed('wechat', 'answers with something else than XML')
  if (answer.get('return_code') !== 'SUCCESS' || answer.get('result_code') !== 'SUCCESS') {
    const code = codeIn(answer)
    throw BUSY.test(code) ? new PayFailed('wechat', `answers ${code}`) : new PayRefused('wechat', code)
  }
  const address = answer.get('redirect_url') ?? ''
  // WeChat does not sign this answer.
  if (!isOwn(address, v2.config.endpoint))
    throw new PayFailed('wechat', 'answers with an address that is not its own')
  return address
}

/** Why WeChat refuses, as a log may hold it. */
function codeIn(answer: WechatFields): string {
  const said = ['err_code', 'result_msg', 'return_msg'].map((name) => answer.get(name) ?? '')
  return said.find((it) => /^[\w-]{1,64}$/.test(it)) ?? 'FAIL'
}

function isOwn(address: string, endpoint: string | null): boolean {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.username !== '' || url.password !== '') return false
  return endpoint === null
    ? url.protocol === 'https:' && /(?:^|\.)weixin\.qq\.com$/.test(url.hostname)
    : url.origin === new URL(endpoint).origin
}

/**
 * Reads a message of version 2. It has no time and no number of its own, so that a copy of it is as genuine
 * as the first one; and its key is the one that addresses are signed with, which people see. So it only says
 * that there is something to ask for: `query` tells the fact.
 * @throws BadNotification, PayFailed
 */
export async function readMessageV2(
  body: Uint8Array,
  { config, apiV2Key, planId }: WechatV2,
  query: (contractNo: string) => Promise<ContractFact | null>,
): Promise<Notification> {
  const fields = readWechatXml(body)
  if (!fields) throw new BadNotification('form', 'it is no message')
  if (!isSignedV2(fields, apiV2Key)) throw new BadNotification('signature', 'the signature is not WeChat’s')
  const need = (name: string, form: RegExp): string => {
    const value = fields.get(name) ?? ''
    if (form.test(value)) return value
    throw new BadNotification('form', `its ${name} is missing, or another one`)
  }
  need('mch_id', exactly(config.merchant))
  need('plan_id', exactly(planId))
  const change = need('change_type', /^(?:ADD|DELETE)$/)
  const contractNo = need('contract_code', /^[0-9a-zA-Z]{1,32}$/)
  const providerNo = need('contract_id', /^[\w-]{1,64}$/)
  for (const name of ['return_code', 'result_code']) need(name, /^SUCCESS$/)
  const fact = await query(contractNo)
  if (fact?.providerNo !== providerNo)
    throw new PayFailed('wechat', `tells of contract ${contractNo}, and does not know it`)
  return { kind: 'contract', id: `${change} ${providerNo}`, fact }
}

/** Digits. */
const exactly = (value: string): RegExp => new RegExp(`^${value}$`)

/** What a message of version 2 is answered with. */
export function replyV2(result: 'taken' | 'refused' | 'later'): NotifyReply {
  const [return_code, return_msg] = {
    taken: ['SUCCESS', 'OK'],
    refused: ['FAIL', '验签失败'],
    later: ['FAIL', '稍后重试'],
  }[result] as [string, string]
  return { status: 200, type: 'xml', body: writeWechatXml({ return_code, return_msg }) }
}
