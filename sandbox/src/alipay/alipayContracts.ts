/** Alipay's calls about agreements ("商家扣款", periodic): signing, asking, ending, and charging by them. */

import { clock } from '@guildhall/server/kit/clock.ts'
import { beijingDay, beijingTime, dayNumber, fromBeijingTime } from '@guildhall/wire/beijing.ts'
import { fenOf, yuanOf } from '@guildhall/wire/money.ts'
import type { Fen } from '@guildhall/wire/unit.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { charge } from '../charge.ts'
import type { Contract } from '../contractStore.ts'
import type { DialogueDeps } from '../dialogue.ts'
import { type AlipayCall, AlipayRefused, type Content, objectIn, refused, textIn } from './alipayCall.ts'

const PERSONAL = 'CYCLE_PAY_AUTH_P'
const PERIOD_MIN = 7
/** A charge may come so many days before its day. */
const EARLY_DAYS = 5
const LIVES_MS = DAY_MS

const CHARGE_REFUSALS = {
  paid: 'ACQ.TRADE_HAS_SUCCESS',
  other: 'ACQ.TRADE_HAS_CLOSE',
  poor: 'ACQ.BUYER_BALANCE_NOT_ENOUGH',
} as const

/** How an agreement is signed: on a page of its own, or while paying. */
interface Signing {
  readonly notifyUrl: string
  readonly returnUrl: string
  readonly whilePaying: boolean
}

export class AlipayContracts {
  readonly #deps: DialogueDeps
  /** @throws AlipayRefused */
  readonly calls: Readonly<Record<string, (call: AlipayCall) => Content>> = {
    'alipay.user.agreement.query': ({ content }) => this.#query(content),
    'alipay.user.agreement.unsign': ({ content }) => {
      this.#deps.notifyContract(this.#deps.contracts.end(this.#signed(content)), 'ended')
      return {}
    },
    'alipay.user.agreement.executionplan.modify': ({ content }) => this.#announce(content),
    'alipay.trade.pay': (call) => this.#pay(call),
  }

  constructor(deps: DialogueDeps) {
    this.#deps = deps
  }

  /** Offers the agreement of a page's address, or of a payment. @throws AlipayRefused */
  offer(content: Content, input: Signing): Contract {
    const { most, period, executeTime } = readRules(content)
    const { appId, merchant } = this.#deps.keys.now.alipay
    const offered = this.#deps.contracts.offer({
      way: 'alipay',
      contractNo: textIn(content, 'external_agreement_no'),
      app: appId,
      merchant,
      most,
      account: '',
      notifyUrl: input.notifyUrl,
      returnUrl: input.returnUrl,
      scene: input.whilePaying ? null : 'phone',
      more: { scene: textIn(content, 'sign_scene'), period: String(period), executeTime },
    })
    if (!offered) throw refused('USER_AGREEMENT_HAS_SIGNED')
    return offered
  }

  #find(content: Content): Contract {
    const { contracts } = this.#deps
    const own = textIn(content, 'external_agreement_no')
    const it = own
      ? contracts.find('alipay', own)
      : contracts.byProviderNo('alipay', textIn(content, 'agreement_no'))
    const isScene =
      !own ||
      (textIn(content, 'sign_scene') === it?.more.scene &&
        textIn(content, 'personal_product_code') === PERSONAL)
    if (!it || it.state === 'offered' || !isScene) throw refused('USER_AGREEMENT_NOT_EXIST')
    return it
  }

  #signed(content: Content): Contract {
    const it = this.#find(content)
    if (it.state !== 'signed') throw refused('USER_AGREEMENT_NOT_EXIST')
    return it
  }

  #query(content: Content): Content {
    const it = this.#find(content)
    return {
      agreement_no: it.providerNo,
      external_agreement_no: it.contractNo,
      sign_scene: it.more.scene,
      status: it.state === 'signed' ? 'NORMAL' : 'STOP',
      personal_product_code: PERSONAL,
      sign_time: beijingTime(it.signedAt ?? it.madeAt),
    }
  }

  #announce(content: Content): Content {
    const it = this.#signed(content)
    const day = textIn(content, 'deduct_time')
    if (this.#deps.faults.noticesFail || fromBeijingTime(`${day} 00:00:00`) === null)
      throw refused('INVALID_PARAMETER')
    this.#deps.contracts.write({ ...it, more: { ...it.more, executeTime: day } })
    return { agreement_no: it.providerNo, deduct_time: day }
  }

  #pay({ content, params }: AlipayCall): Content {
    const { contracts, keys } = this.#deps
    const agreementNo = textIn(objectIn(content, 'agreement_params'), 'agreement_no')
    const contract = contracts.byProviderNo('alipay', agreementNo)
    if (contract?.state !== 'signed') throw refused('ACQ.AGREEMENT_NOT_EXIST')
    const { tradeNo, fee } = readCharge(content)
    const next = beijingDay(clock.now() + Number(contract.more.period) * DAY_MS)
    const paid = charge(this.#deps, {
      trade: {
        way: 'alipay',
        tradeNo,
        merchant: keys.now.alipay.merchant,
        app: keys.now.alipay.appId,
        fee,
        subject: textIn(content, 'subject'),
        notifyUrl: params.notify_url ?? '',
        expiresAt: clock.now() + LIVES_MS,
        more: { isOpen: 'yes', quitUrl: '' },
      },
      charged: { ...contract, more: { ...contract.more, executeTime: next } },
      check: () => checkCharge(contract, fee),
      refusal: (why) => refused(CHARGE_REFUSALS[why]),
    })
    if (!paid) throw new AlipayRefused('10003', '')
    return {
      trade_no: paid.providerNo,
      out_trade_no: tradeNo,
      total_amount: yuanOf(fee),
      receipt_amount: yuanOf(fee),
      buyer_logon_id: '159****5620',
      buyer_user_id: '2088102000000001',
      gmt_payment: beijingTime(paid.paidAt ?? clock.now()),
    }
  }
}

/** What an agreement lets the merchant take. @throws AlipayRefused */
function readRules(content: Content) {
  const rules = objectIn(content, 'period_rule_params')
  const [most, period] = [fenOf(textIn(rules, 'single_amount')), Number(textIn(rules, 'period'))]
  const executeTime = textIn(rules, 'execute_time')
  const isRight =
    textIn(content, 'product_code') === 'GENERAL_WITHHOLDING' &&
    textIn(content, 'personal_product_code') === PERSONAL &&
    /^[A-Z_]+\|[A-Z_]+$/.test(textIn(content, 'sign_scene')) &&
    /^\w{1,32}$/.test(textIn(content, 'external_agreement_no')) &&
    /^(?:ALIPAYAPP|QRCODE)$/.test(textIn(objectIn(content, 'access_params'), 'channel'))
  const arePeriods =
    textIn(rules, 'period_type') === 'DAY' &&
    Number.isInteger(period) &&
    period >= PERIOD_MIN &&
    most !== null
  if (!isRight || !arePeriods || fromBeijingTime(`${executeTime} 00:00:00`) === null)
    throw refused('INVALID_PARAMETER')
  return { most, period, executeTime }
}

/** @throws AlipayRefused */
function readCharge(content: Content): { readonly tradeNo: string; readonly fee: Fen } {
  const [tradeNo, fee] = [textIn(content, 'out_trade_no'), fenOf(textIn(content, 'total_amount'))]
  const isProduct = textIn(content, 'product_code') === 'CYCLE_PAY_AUTH'
  if (!isProduct || !/^\w{1,64}$/.test(tradeNo) || fee === null || fee < 1)
    throw refused('ACQ.INVALID_PARAMETER')
  return { tradeNo, fee }
}

/** The rules that the person has signed. */
function checkCharge({ most, more }: Contract, fee: Fen): void {
  if (most !== null && fee > most) throw refused('ACQ.AGREEMENT_EXCEED_LIMIT')
  const day = dayNumber(fromBeijingTime(`${more.executeTime} 00:00:00`) ?? 0)
  if (dayNumber(clock.now()) < day - EARLY_DAYS) throw refused('ACQ.CYCLE_PAY_DATE_NOT_MATCH')
}

/** What a message says of an agreement. */
export const agreementParams = (
  input: Contract,
  says: 'signed' | 'ended',
): Readonly<Record<string, string>> => ({
  notify_type: says === 'signed' ? 'dut_user_sign' : 'dut_user_unsign',
  app_id: input.app,
  auth_app_id: input.app,
  agreement_no: input.providerNo || `2026${input.contractNo}`,
  external_agreement_no: input.contractNo,
  status: says === 'signed' ? 'NORMAL' : 'UNSIGN',
  personal_product_code: PERSONAL,
  sign_scene: input.more.scene ?? '',
  alipay_user_id: '2088102000000001',
  sign_time: beijingTime(input.signedAt ?? input.madeAt),
})
