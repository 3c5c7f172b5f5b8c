/**
 * Contracts at WeChat Pay ("委托代扣", API v3): signed while paying in the native app, or first by a code that a
 * phone scans, and then announced ("预扣费通知") and charged ("受理扣款"). In browsers they are signed by version 2
 * (`v2.ts`): of the same template, so that they are no others afterwards.
 */
import { z } from '@guildhall/wire/schema.ts'
import type { WechatPayConfig } from '../../../config/pay.ts'
import {
  BadNotification,
  type ContractAnswer,
  type ContractFact,
  type Contracts,
  type NewCharge,
  type NewContract,
  type Notification,
  type PayData,
  PayFailed,
  type PaymentAnswer,
  PayRefused,
} from '../payProvider.ts'
import type { WechatAnswer, WechatCalls } from './calls.ts'
import { pageAddress, phoneAddress, type WechatV2 } from './v2.ts'

const SIGNED = /^(?:ENTRUST|PAPAY)\.SIGN/
const ENDED = /^(?:ENTRUST|PAPAY)\.TERMINATE/
const ACCOUNT_MAX = 32
const REMARK = '用户关闭自动续费'

const id = z.string().check(z.minLength(1), z.maxLength(64))
/** What WeChat says of a contract, in answers and in messages. */
const contract = z.object({
  mchid: id,
  appid: id,
  out_contract_code: id,
  contract_id: id,
  contract_state: z.string(),
})
const STATES: ReadonlyMap<string, ContractFact['state']> = new Map([
  ['SIGNED', 'signed'],
  ['TO_BE_RENEWED', 'signed'],
  ['TERMINATED', 'ended'],
  ['SIGN_FAILED', 'ended'],
])

export interface WechatContractDeps {
  readonly config: WechatPayConfig
  readonly calls: WechatCalls
  readonly notifyUrl: string
  /** Null: nobody signs in a browser. */
  readonly v2: WechatV2 | null
  /** Whether an answer is a refusal because WeChat has no time, or knows no such thing. */
  readonly isBusy: (answer: { readonly code: string }) => boolean
  readonly isUnknown: (answer: { readonly code: string }) => boolean
  /** A text that fits the description of a payment. */
  readonly description: (subject: string) => string
  readonly query: (tradeNo: string, signal: AbortSignal) => Promise<PaymentAnswer>
}

/** `contract_info` of a payment that signs. */
export const contractInfo = (
  input: NewContract,
  config: WechatPayConfig,
  app: string,
  notifyUrl: string,
) => ({
  plan_id: config.planId,
  contract_mchid: config.merchant,
  contract_appid: app,
  contract_code: input.contractNo,
  request_serial: input.serial,
  contract_display_account: accountOf(input),
  contract_notify_url: notifyUrl,
})

/**
 * WeChat takes no character that needs more than three bytes. What a text of version 2 is joined by before it
 * is signed is left out.
 */
const accountOf = ({ account, contractNo }: NewContract): string => {
  const plain = [...account].filter((char) => Buffer.byteLength(char) <= 3 && !/[\p{Cc}&=]/u.test(char))
  return plain.slice(0, ACCOUNT_MAX).join('').trim() || contractNo
}

type Signing = Parameters<Contracts['sign']>[0]

const failed = ({ code }: { readonly code: string }) => new PayFailed('wechat', `answers ${code}`)

export class WechatContracts implements Contracts {
  readonly scenes: Contracts['scenes']
  readonly #deps: WechatContractDeps
  readonly #planId: string

  constructor(deps: WechatContractDeps, planId: string) {
    const { v2, config } = deps
    this.#deps = deps
    this.#planId = planId
    this.scenes = {
      qr: 'before_paying',
      ...(v2 && { inside: 'before_paying', phone: 'before_paying' }),
      ...(config.openAppId !== null && { app: 'while_paying' }),
    }
  }

  async sign(input: Signing, signal: AbortSignal): Promise<PayData> {
    const { v2, calls, config } = this.#deps
    const { scene, returnUrl: from } = input
    if (v2 && scene === 'inside')
      return { kind: 'redirect', url: pageAddress(v2, input, accountOf(input)), from }
    if (v2 && scene === 'phone')
      return { kind: 'redirect', url: await phoneAddress(v2, input, accountOf(input), signal), from }
    const path = '/v3/papay/sign/contracts/pre-entrust-sign'
    const answer = await calls.ask('POST', path, this.#preSigning(input), signal)
    if (!answer.ok) throw this.#deps.isBusy(answer) ? failed(answer) : new PayRefused('wechat', answer.code)
    const address = (answer.body as { readonly redirect_url?: unknown } | null)?.redirect_url
    if (typeof address !== 'string' || !isOwn(address, config.endpoint))
      throw new PayFailed('wechat', 'answers with an address that is not its own')
    return { kind: 'qr', code: address }
  }

  async query(contractNo: string, signal: AbortSignal): Promise<ContractFact | null> {
    const { calls, config, isUnknown } = this.#deps
    const answer = await calls.ask('GET', this.#target(contractNo), null, signal)
    if (!answer.ok && isUnknown(answer)) return null
    if (!answer.ok) throw failed(answer)
    const fact = factIn(answer.body)
    if (fact?.contractNo !== contractNo || fact.merchant !== config.merchant)
      throw new PayFailed('wechat', 'answers with something else than a contract')
    return fact
  }

  async end({ contractNo }: Pick<ContractFact, 'contractNo'>, signal: AbortSignal): Promise<void> {
    const { calls, isUnknown } = this.#deps
    const content = { contract_termination_remark: REMARK }
    const answer = await calls.ask('POST', `${this.#target(contractNo)}/terminate`, content, signal)
    if (answer.ok || isUnknown(answer)) return
    // It was ended before, or there is another reason.
    if ((await this.query(contractNo, signal))?.state === 'signed') throw failed(answer)
  }

  async announce(
    { providerNo, app, fee }: Pick<NewCharge, 'providerNo' | 'app' | 'fee'>,
    signal: AbortSignal,
  ): Promise<ContractAnswer> {
    const { calls, config } = this.#deps
    const content = {
      mchid: config.merchant,
      appid: app,
      estimated_amount: { amount: fee, currency: 'CNY' },
      deduct_duration: { count: CHARGE_DAYS, unit: 'DAY' },
    }
    const path = `/v3/papay/contracts/${encodeURIComponent(providerNo)}/notify`
    return this.#answered(await calls.ask('POST', path, content, signal))
  }

  async charge(
    { providerNo, app, tradeNo, fee, subject }: NewCharge,
    signal: AbortSignal,
  ): Promise<ContractAnswer> {
    const { calls, description, notifyUrl, query } = this.#deps
    const content = {
      appid: app,
      out_trade_no: tradeNo,
      description: description(subject) || tradeNo,
      transaction_notify_url: notifyUrl,
      contract_id: providerNo,
      amount: { total: fee, currency: 'CNY' },
    }
    const path = '/v3/papay/pay/transactions/apply'
    const answer = this.#answered(await calls.ask('POST', path, content, signal))
    if (answer.is === 'taken') return answer
    // It may be refused because it was taken before.
    const { state } = await query(tradeNo, signal)
    return state === 'paid' || state === 'waiting' ? { is: 'taken' } : answer
  }

  #target(contractNo: string): string {
    return `/v3/papay/sign/contracts/plan-id/${this.#planId}/out-contract-code/${encodeURIComponent(contractNo)}`
  }

  #answered(answer: WechatAnswer): ContractAnswer {
    if (answer.ok) return { is: 'taken' }
    if (this.#deps.isBusy(answer)) throw failed(answer)
    return { is: 'refused', why: answer.code }
  }

  #preSigning(input: Signing) {
    if (input.scene !== 'qr') throw new PayRefused('wechat', 'NO_SCENE')
    const { config, notifyUrl } = this.#deps
    return {
      sign_scene: 'SIGN_SCENE_QRCODE',
      appid: config.appId,
      plan_id: Number(this.#planId),
      out_contract_code: input.contractNo,
      contract_display_account: accountOf(input),
      contract_notify_url: notifyUrl,
      out_user_code: input.contractNo,
      return_url: input.returnUrl,
      device_info: {
        device_type: 'DEVICE_TYPE_UNKNOW',
        device_os: 'web',
        device_id: input.contractNo,
        device_running_as_root: false,
        device_ip: input.clientIp,
        weixin_installed: false,
        weixin_version: '',
        days_since_first_login: 'DAYS_SINCE_FIRST_LOGIN_UNKNOW',
      },
    }
  }
}

/**
 * For how many days after the waiting time WeChat takes a charge: as many as the calendar of renewals reckons
 * with.
 */
const CHARGE_DAYS = 7

const isOwn = (address: string, endpoint: string | null): boolean => {
  const url = URL.canParse(address) ? new URL(address) : null
  // Codes of WeChat have schemes of its own.
  return (
    url?.protocol === 'https:' ||
    url?.protocol === 'weixin:' ||
    (endpoint !== null && url?.origin === new URL(endpoint).origin)
  )
}

/** Null for what is no contract. */
function factIn(body: unknown): ContractFact | null {
  const parsed = contract.safeParse(body)
  const state = parsed.success ? STATES.get(parsed.data.contract_state) : undefined
  if (!parsed.success || state === undefined) return null
  const { mchid, appid, out_contract_code, contract_id } = parsed.data
  return { contractNo: out_contract_code, providerNo: contract_id, merchant: mchid, app: appid, state }
}

/** What a message says of a contract; null for one about something else. @throws BadNotification */
export function readContractMessage(id: string, event: string, content: unknown): Notification | null {
  const said = SIGNED.test(event) ? 'signed' : ENDED.test(event) ? 'ended' : null
  if (said === null) return null
  const fact = factIn(content)
  if (fact?.state !== said) throw new BadNotification('form', 'it tells no contract')
  return { kind: 'contract', id, fact }
}
