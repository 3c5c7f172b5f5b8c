/**
 * Agreements at Alipay ("商家扣款", periodic): signed while paying in its own app and in the native one, or first
 * on Alipay's page, and then charged by `alipay.trade.pay`. Alipay tells the person of a charge itself; it
 * wants to know the day.
 */

import { beijingDay } from '@guildhall/wire/beijing.ts'
import { yuanOf } from '@guildhall/wire/money.ts'
import { DAY_MS, type Millis } from '@guildhall/wire/unit.ts'
import type { AlipayConfig } from '../../../config/pay.ts'
import { clock } from '../../../kit/clock.ts'
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
} from '../payProvider.ts'
import type { AlipayAnswer, AlipayContent, AlipayGateway } from './gateway.ts'

/** Payments of an agreement, and those that sign one. */
export const CYCLE_PRODUCT = 'CYCLE_PAY_AUTH'
const PERSONAL_PRODUCT = 'CYCLE_PAY_AUTH_P'
const SIGN_PRODUCT = 'GENERAL_WITHHOLDING'
/** Alipay takes no shorter period. */
const DAYS_MIN = 7
const UNKNOWN = /AGREEMENT_NOT_EXIST/
const WAITING = '10003'
const STATES: ReadonlyMap<unknown, ContractFact['state'] | null> = new Map([
  ['NORMAL', 'signed'],
  ['TEMP', null],
  ['STOP', 'ended'],
  ['UNSIGN', 'ended'],
])
/** Alipay's page that opens its app, and the page of the app that takes a signed agreement. */
const OPENER = 'https://ds.alipay.com/?scheme='
const APP_PAGE =
  'alipays://platformapi/startapp?appId=60000157&appClearTop=false&startMultApp=YES&sign_params='

export interface AlipayContractDeps {
  readonly gateway: AlipayGateway
  readonly config: AlipayConfig
  readonly notifyUrl: string
  /** Words as Alipay takes them. */
  readonly words: (text: string) => string
  readonly query: (tradeNo: string, signal: AbortSignal) => Promise<PaymentAnswer>
}

/** What a person signs. `firstAt`: the day of the first charge. */
export const agreementOf = (
  input: NewContract,
  config: AlipayConfig,
  firstAt: Millis,
  channel = 'ALIPAYAPP',
) => ({
  product_code: SIGN_PRODUCT,
  personal_product_code: PERSONAL_PRODUCT,
  sign_scene: config.signScene,
  external_agreement_no: input.contractNo,
  access_params: { channel },
  period_rule_params: {
    period_type: 'DAY',
    period: String(Math.max(input.days, DAYS_MIN)),
    execute_time: beijingDay(firstAt),
    single_amount: yuanOf(input.fee),
  },
})

/**
 * The day of the first charge of an agreement that is signed with the payment of a period: the day before its
 * end.
 */
export const firstAfter = ({ days }: NewContract): Millis => clock.now() + (days - 1) * DAY_MS

export class AlipayContracts implements Contracts {
  readonly scenes = {
    inside: 'while_paying',
    app: 'while_paying',
    phone: 'before_paying',
    qr: 'before_paying',
  } as const
  readonly #deps: AlipayContractDeps

  constructor(deps: AlipayContractDeps) {
    this.#deps = deps
  }

  async sign(input: Parameters<Contracts['sign']>[0]): Promise<PayData> {
    const { gateway, config, notifyUrl } = this.#deps
    const method = 'alipay.user.agreement.page.sign'
    const asked = agreementOf(input, config, clock.now())
    if (input.scene === 'phone' && config.endpoint === null) {
      // In another browser Alipay's page opens its app, which takes the signed parameters.
      const signed = gateway.orderStr(method, asked, notifyUrl)
      return { kind: 'redirect', url: OPENER + encodeURIComponent(APP_PAGE + encodeURIComponent(signed)) }
    }
    const url = gateway.pageUrl(method, asked, notifyUrl, input.returnUrl)
    return input.scene === 'qr' ? { kind: 'qr', code: url } : { kind: 'redirect', url }
  }

  async query(contractNo: string, signal: AbortSignal): Promise<ContractFact | null> {
    const { gateway, config } = this.#deps
    const answer = await gateway.ask('alipay.user.agreement.query', this.#known(contractNo), signal)
    if (!answer.ok && UNKNOWN.test(answer.code)) return null
    const body = taken(answer)
    const state = STATES.get(body.status)
    if (
      body.external_agreement_no !== contractNo ||
      state === undefined ||
      typeof body.agreement_no !== 'string'
    )
      throw new PayFailed('alipay', 'answers with something else than an agreement')
    if (state === null) return null
    return { contractNo, providerNo: body.agreement_no, merchant: config.merchant, app: config.appId, state }
  }

  async end(
    { contractNo, providerNo }: Pick<ContractFact, 'contractNo' | 'providerNo'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { gateway, notifyUrl } = this.#deps
    const asked = providerNo === '' ? this.#known(contractNo) : { agreement_no: providerNo }
    const answer = await gateway.ask('alipay.user.agreement.unsign', asked, signal, notifyUrl)
    if (answer.ok || UNKNOWN.test(answer.code)) return
    if ((await this.query(contractNo, signal))?.state === 'signed') throw answered(answer.code)
  }

  async announce(
    { providerNo, chargeAt }: Parameters<Contracts['announce']>[0],
    signal: AbortSignal,
  ): Promise<ContractAnswer> {
    const asked = { agreement_no: providerNo, deduct_time: beijingDay(chargeAt) }
    const method = 'alipay.user.agreement.executionplan.modify'
    return decided(await this.#deps.gateway.ask(method, asked, signal))
  }

  async charge(
    { providerNo, tradeNo, fee, subject }: NewCharge,
    signal: AbortSignal,
  ): Promise<ContractAnswer> {
    const { gateway, notifyUrl, words: content, query } = this.#deps
    const asked: AlipayContent = {
      out_trade_no: tradeNo,
      total_amount: yuanOf(fee),
      subject: content(subject) || tradeNo,
      product_code: CYCLE_PRODUCT,
      agreement_params: { agreement_no: providerNo },
    }
    const answer = await gateway.ask('alipay.trade.pay', asked, signal, notifyUrl)
    if (!answer.ok && answer.code === WAITING) return { is: 'taken' }
    const result = decided(answer)
    if (result.is === 'taken') return result
    // It may be refused because it was taken before.
    const { state } = await query(tradeNo, signal)
    return state === 'paid' || state === 'waiting' ? { is: 'taken' } : result
  }

  #known(contractNo: string): AlipayContent {
    return {
      external_agreement_no: contractNo,
      personal_product_code: PERSONAL_PRODUCT,
      sign_scene: this.#deps.config.signScene,
    }
  }
}

const answered = (code: string): PayFailed => new PayFailed('alipay', `answers ${code}`)

function taken(answer: AlipayAnswer): Readonly<Record<string, unknown>> {
  if (answer.ok) return answer.body
  throw answered(answer.code)
}

/** @throws PayFailed for what is no decision about this agreement */
function decided(answer: AlipayAnswer): ContractAnswer {
  if (answer.ok) return { is: 'taken' }
  if (!answer.isOfBusiness) throw answered(answer.code)
  return { is: 'refused', why: answer.code }
}

/** What a genuine message says of an agreement; null for one about something else. @throws BadNotification */
export function agreementMessage(id: string, form: ReadonlyMap<string, string>): Notification | null {
  const type = form.get('notify_type')
  if (type !== 'dut_user_sign' && type !== 'dut_user_unsign') return null
  const need = (name: string): string => {
    const value = form.get(name)
    if (!value) throw new BadNotification('form', `${name} is missing`)
    return value
  }
  const state = STATES.get(need('status'))
  if (state === null) return { kind: 'other', id }
  if (state !== (type === 'dut_user_sign' ? 'signed' : 'ended'))
    throw new BadNotification('form', 'it tells no agreement')
  return {
    kind: 'contract',
    id,
    fact: {
      contractNo: need('external_agreement_no'),
      providerNo: need('agreement_no'),
      state,
      // The message names no merchant: Alipay signs it for the application.
      merchant: '',
      app: need('app_id'),
    },
  }
}
