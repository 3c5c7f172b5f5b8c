/**
 * What WeChat Pay has in version 2 alone: signing a contract on a page inside of WeChat, and from a phone's
 * browser. Calls and messages are signed by the APIv2 key; messages are XML.
 */
import { createHash, createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { clock } from '@guildhall/server/kit/clock.ts'
import { beijingTime } from '@guildhall/wire/beijing.ts'
import { z } from '@guildhall/wire/schema.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { Contract, NewContract } from '../contractStore.ts'
import type {
  ContractNotification,
  DialogueDeps,
  SandboxAnswer,
  SandboxMessage,
  SandboxRequest,
} from '../dialogue.ts'
import type { Keys } from '../keys.ts'
import { PAGE_HEADERS, problemPage } from '../pageText.ts'

const PAGE = '/papay/entrustweb'
const PHONE = '/papay/h5entrustweb'
/** "有效期为10分钟". */
const ADDRESS_LIVES_MS = 10 * MINUTE_MS
const XML = { 'content-type': 'text/xml; charset=utf-8' }

type SignType = 'MD5' | 'HMAC-SHA256'
type Fields = Readonly<Record<string, string>>

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max))
const asked = {
  appid: text(32),
  mch_id: text(32),
  plan_id: z.string().check(z.regex(/^[1-9]\d{0,27}$/)),
  contract_code: z.string().check(z.regex(/^[0-9a-zA-Z]{1,32}$/)),
  request_serial: z.string().check(z.regex(/^[1-9]\d{0,17}$/)),
  contract_display_account: text(128),
  notify_url: z.string().check(z.maxLength(256), z.regex(/^https?:\/\/[^?#]+$/)),
  version: z.literal('1.0'),
  sign: text(64),
  timestamp: z.string().check(z.regex(/^\d{10}$/)),
}
/** The page knows one way of signing, and no `sign_type`. */
const askedOfPage = z.strictObject({ ...asked, return_web: z.optional(z.literal('1')) })
const askedByPhone = z.strictObject({
  ...asked,
  sign_type: z.optional(z.enum(['MD5', 'HMAC-SHA256'])),
  return_appid: z.optional(text(32)),
  clientip: z.string().check(z.refine((it) => isIP(it) !== 0)),
})

/** Whether a contract was offered by version 2: WeChat tells of it in the same way. */
export const isOfV2 = ({ more }: Contract): boolean => more.signType !== undefined

/** What is wrong with a call; null: nothing. */
function wrongIn(fields: Fields, type: SignType, { wechat }: Keys): string | null {
  if (fields.mch_id !== wechat.merchant) return '商户号不存在'
  if (fields.appid !== wechat.appId) return 'appid和mch_id不匹配'
  return fields.sign === signatureOf(fields, wechat.apiV2Key, type) ? null : '签名错误'
}

/** What a call offers to sign. */
const offeredBy = (
  fields: Fields,
  scene: 'inside' | 'phone',
  signType: SignType,
  returnUrl: string,
): NewContract => ({
  way: 'wechat',
  contractNo: fields.contract_code ?? '',
  app: fields.appid ?? '',
  scene,
  returnUrl,
  merchant: fields.mch_id ?? '',
  account: fields.contract_display_account ?? '',
  most: null,
  notifyUrl: fields.notify_url ?? '',
  more: { plan: fields.plan_id ?? '', serial: fields.request_serial ?? '', signType },
})

export class WechatV2 {
  readonly #deps: DialogueDeps

  constructor(deps: DialogueDeps) {
    this.#deps = deps
  }

  isMine(path: string): boolean {
    return path === PAGE || path === PHONE
  }

  handle(request: SandboxRequest): SandboxAnswer {
    if (request.method !== 'GET') return { status: 405, headers: {}, body: '' }
    return request.path === PAGE ? this.#showPage(request) : this.#answerPhone(request)
  }

  busy(path: string): SandboxAnswer {
    return path === PAGE
      ? problem('系统繁忙，请稍后再试', 500)
      : answerXml({ ...COME, result_code: 'FAIL', result_msg: 'SYSTEMERROR' })
  }

  /** A person's browser arrives at the page of a contract; a text: why it may not. */
  arrive(contract: Contract, { headers }: SandboxRequest): Contract | string {
    if (contract.scene !== 'phone' || contract.state !== 'offered') return contract
    if (isInWechat(headers)) return '发起签约页面非法'
    if (clock.now() - contract.madeAt > ADDRESS_LIVES_MS) return '签约链接已过期，请回到商户重新发起'
    const back = backTo(headers.referer, false)
    return back === '' || back.startsWith(this.#deps.url)
      ? contract
      : this.#deps.contracts.write({ ...contract, returnUrl: back })
  }

  /** The person's browser is led to the contract. */
  #showPage({ search, headers }: SandboxRequest): SandboxAnswer {
    const { contracts, contractPage, keys } = this.#deps
    if (!isInWechat(headers)) return problem('请在微信客户端打开链接')
    const parsed = askedOfPage.safeParse(queryOf(search))
    if (!parsed.success) return problem(`参数错误：${namesIn(parsed.error)}`)
    const fields = defined(parsed.data)
    const wrong = wrongIn(fields, 'MD5', keys.now)
    if (wrong) return problem(wrong)
    const back = fields.return_web ? backTo(headers.referer, true) : ''
    const offered = contracts.offer(offeredBy(fields, 'inside', 'MD5', back))
    if (!offered) return problem('签约协议号重复')
    return { status: 302, headers: { location: new URL(contractPage(offered)).pathname }, body: '' }
  }

  /** The merchant asks for an address that its page leads to. */
  #answerPhone({ search }: SandboxRequest): SandboxAnswer {
    const { contracts, contractPage, keys } = this.#deps
    const parsed = askedByPhone.safeParse(queryOf(search))
    if (!parsed.success)
      return answerXml({ return_code: 'FAIL', return_msg: `参数错误:${namesIn(parsed.error)}` })
    const fields = defined(parsed.data)
    const type = parsed.data.sign_type ?? 'MD5'
    const wrong = wrongIn(fields, type, keys.now)
    if (wrong) return answerXml({ return_code: 'FAIL', return_msg: wrong })
    const offered = contracts.offer(offeredBy(fields, 'phone', type, ''))
    if (!offered) return answerXml({ ...COME, result_code: 'FAIL', result_msg: 'INVALID_REQUEST' })
    const redirect_url = contractPage(offered)
    return answerXml({ ...COME, result_code: 'SUCCESS', result_msg: '', redirect_url })
  }
}

/** The call arrived; what became of it stands beside. */
const COME = { return_code: 'SUCCESS', return_msg: '' } as const

const isInWechat = (headers: SandboxRequest['headers']): boolean =>
  /MicroMessenger/i.test(String(headers['user-agent'] ?? ''))

/**
 * The page that a person comes from; empty when its address has no path, as a browser that tells the site
 * alone has it.
 */
function backTo(referer: unknown, isMarked: boolean): string {
  const address = typeof referer === 'string' && URL.canParse(referer) ? new URL(referer) : null
  if (!address || address.pathname === '/') return ''
  if (isMarked) address.searchParams.set('from_wxpay', '1')
  return address.href
}

const problem = (content: string, status = 400): SandboxAnswer => ({
  status,
  headers: PAGE_HEADERS,
  body: problemPage(content),
})

/** The names of fields alone: pages show them. */
const namesIn = ({ issues }: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] }) =>
  issues
    .flatMap(({ path }) => path.map(String))
    .filter((it) => /^\w+$/.test(it))
    .join('、')

const queryOf = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search.replaceAll('+', '%2B')))

const defined = (fields: Readonly<Record<string, string | undefined>>): Fields =>
  Object.fromEntries(Object.entries(fields).filter((it): it is [string, string] => it[1] !== undefined))

function signatureOf(fields: Fields, key: string, type: SignType): string {
  const names = Object.keys(fields)
    .filter((name) => name !== 'sign' && fields[name] !== '')
    .sort()
  const text = `${names.map((name) => `${name}=${fields[name]}`).join('&')}&key=${key}`
  const digest = type === 'MD5' ? createHash('md5').update(text) : createHmac('sha256', key).update(text)
  return digest.digest('hex').toUpperCase()
}

/** Texts stand in sections, as WeChat writes them, and numbers do not. */
const xmlOf = (fields: Fields): string =>
  `<xml>\n${Object.entries(fields)
    .map(([name, value]) => `<${name}>${/^\d+$/.test(value) ? value : `<![CDATA[${value}]]>`}</${name}>\n`)
    .join('')}</xml>`

const answerXml = (fields: Fields): SandboxAnswer => ({ status: 200, headers: XML, body: xmlOf(fields) })

/**
 * The message that a contract of version 2 was signed, or ended; forged where `tamper` says so. It has no
 * time by which it grows old.
 */
export function writeMessageV2(
  { contract, says, tamper }: ContractNotification,
  { wechat, stranger }: Keys,
): SandboxMessage {
  const plain: Fields = {
    return_code: 'SUCCESS',
    result_code: 'SUCCESS',
    mch_id: tamper.merchant ?? contract.merchant,
    contract_code: contract.contractNo,
    plan_id: contract.more.plan ?? '',
    openid: `o${contract.contractNo}`,
    change_type: says === 'signed' ? 'ADD' : 'DELETE',
    operate_time: beijingTime(clock.now()),
    contract_id: contract.providerNo || '201509160000028648',
    ...(says === 'signed' && {
      contract_expired_time: beijingTime(clock.now() + 3_650 * 24 * 60 * MINUTE_MS),
    }),
    ...(says === 'ended' && { contract_termination_mode: '2' }),
    request_serial: contract.more.serial ?? '',
  }
  const { forge } = tamper
  const key = forge && forge !== 'body' ? stranger.serial.padEnd(32, '0').slice(0, 32) : wechat.apiV2Key
  const sign = signatureOf(plain, key, contract.more.signType === 'MD5' ? 'MD5' : 'HMAC-SHA256')
  const notification = forge === 'body' ? { ...plain, operate_time: '2000-01-01 00:00:00' } : plain
  return { headers: XML, body: xmlOf(forge === 'unsigned' ? notification : { ...notification, sign }) }
}

/** Whether an answer takes a message of version 2; null for the answer to another message. */
export const wasTakenV2 = (status: number, answer: string, notification: string): boolean | null =>
  notification.startsWith('<')
    ? status === 200 && /<return_code>\s*(?:<!\[CDATA\[)?SUCCESS(?:\]\]>)?\s*<\/return_code>/.test(answer)
    : null
