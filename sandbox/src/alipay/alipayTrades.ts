/**
 * What Alipay does with trades. A trade is there once the buyer has opened it: a signed order or a code alone
 * is none.
 */

import { clock } from '@guildhall/server/kit/clock.ts'
import { beijingTime, fromBeijingTime } from '@guildhall/wire/beijing.ts'
import { fenOf, yuanOf } from '@guildhall/wire/money.ts'
import type { PayScene } from '@guildhall/wire/payWay.ts'
import { DAY_MS, type Fen } from '@guildhall/wire/unit.ts'
import type { Contract } from '../contractStore.ts'
import type { DialogueDeps } from '../dialogue.ts'
import { isExpired, type Refund, StoreRefused, type Trade } from '../tradeStore.ts'
import { type AlipayCall, type Content, refused, textIn } from './alipayCall.ts'
import type { AlipayContracts } from './alipayContracts.ts'

/**
 * Without a time of their own, trades end after so long; a year after the payment, nothing is given back any
 * more.
 */
const LIVES_MS = 15 * DAY_MS
const REFUNDS_FOR_MS = 365 * DAY_MS
const WORDS_MAX = 256
const PRODUCTS: Readonly<Record<string, string>> = {
  'alipay.trade.app.pay': 'QUICK_MSECURITY_PAY',
  'alipay.trade.wap.pay': 'QUICK_WAP_WAY',
  'alipay.trade.precreate': 'FACE_TO_FACE_PAYMENT',
}
const SCENES: Readonly<Record<string, PayScene>> = {
  'alipay.trade.app.pay': 'app',
  'alipay.trade.wap.pay': 'phone',
  'alipay.trade.precreate': 'qr',
}
/** What the store refuses, in Alipay's words. */
const REFUSALS: Readonly<Record<StoreRefused['code'], string>> = {
  unknown: 'ACQ.TRADE_NOT_EXIST',
  paid: 'ACQ.TRADE_HAS_SUCCESS',
  closed: 'ACQ.TRADE_HAS_CLOSE',
  expired: 'ACQ.TRADE_HAS_CLOSE',
  not_paid: 'ACQ.TRADE_STATUS_ERROR',
  too_much: 'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL',
  other: 'ACQ.DISCORDANT_REPEAT_REQUEST',
}

export class AlipayTrades {
  readonly #deps: DialogueDeps
  readonly #contracts: Pick<AlipayContracts, 'offer'>
  /** @throws AlipayRefused */
  readonly calls: Readonly<Record<string, (call: AlipayCall) => Content>> = {
    'alipay.trade.query': ({ content }) => bodyOf(this.#find(content)),
    'alipay.trade.close': ({ content }) => this.#close(content),
    'alipay.trade.refund': ({ content }) => this.#refund(content),
    'alipay.trade.fastpay.refund.query': ({ content }) => this.#queryRefund(content),
  }

  constructor(deps: DialogueDeps, contracts: Pick<AlipayContracts, 'offer'>) {
    this.#deps = deps
    this.#contracts = contracts
  }

  /**
   * The trade of a signed order. `isOpen`: the buyer opened it; a code that nobody scanned is kept, but is no
   * trade yet.
   * @throws AlipayRefused
   */
  make(call: AlipayCall, isOpen: boolean): Trade {
    const { store, keys } = this.#deps
    const asked = readOrder(call)
    const before = store.find(keyOf(asked.tradeNo))
    if (!before && asked.expiresAt <= clock.now()) throw refused('ACQ.INVALID_PARAMETER')
    const { appId, merchant } = keys.now.alipay
    const contract = before ? null : this.#contractIn(call)
    const trade = store.make({
      ...asked,
      ...keyOf(asked.tradeNo),
      merchant,
      app: appId,
      scene: SCENES[call.method] ?? 'app',
      notifyUrl: call.params.notify_url ?? '',
      returnUrl: call.params.return_url ?? '',
      more: {
        isOpen: isOpen ? 'yes' : 'no',
        quitUrl: textIn(call.content, 'quit_url'),
        ...(contract && { contractNo: contract.contractNo }),
      },
    })
    if (trade.fee !== asked.fee || trade.subject !== asked.subject) throw refused('ACQ.CONTEXT_INCONSISTENT')
    return isOpen ? this.open(trade) : trade
  }

  /** The buyer scanned the code of a trade. */
  open(trade: Trade): Trade {
    if (trade.more.isOpen === 'yes') return trade
    return this.#deps.store.change(trade, { more: { ...trade.more, isOpen: 'yes' } })
  }

  /** A trade that the buyer has opened. */
  #find(content: Content): Trade {
    const { store } = this.#deps
    const providerNo = textIn(content, 'trade_no')
    // Alipay's own number counts more.
    const trade = providerNo
      ? store.byProviderNo('alipay', providerNo)
      : store.find(keyOf(textIn(content, 'out_trade_no')))
    if (!trade || (trade.state === 'waiting' && trade.more.isOpen !== 'yes'))
      throw refused('ACQ.TRADE_NOT_EXIST')
    return trade
  }

  /** The agreement that a payment signs. */
  #contractIn({ content }: AlipayCall): Contract | null {
    const asked = content.agreement_sign_params
    if (typeof asked !== 'object' || asked === null) return null
    const agreement = asked as Content
    const notifyUrl = textIn(agreement, 'sign_notify_url')
    return this.#contracts.offer(agreement, { notifyUrl, returnUrl: '', whilePaying: true })
  }

  #close(content: Content): Content {
    const trade = this.#find(content)
    if (statusOf(trade) !== 'WAIT_BUYER_PAY') throw refused('ACQ.REASON_TRADE_STATUS_INVALID')
    this.#deps.store.closeTrade(trade)
    return { trade_no: trade.providerNo, out_trade_no: trade.tradeNo }
  }

  #refund(content: Content): Content {
    const { store, faults, notify } = this.#deps
    const trade = this.#find(content)
    if (statusOf(trade) === 'TRADE_FINISHED') throw refused('ACQ.TRADE_HAS_FINISHED')
    const fee = fenOf(textIn(content, 'refund_amount'))
    // Without a number of its own a refund has the trade's: there is one.
    const refundNo = textIn(content, 'out_request_no') || trade.tradeNo
    if (fee === null || !/^\w{1,64}$/.test(refundNo)) throw refused('ACQ.INVALID_PARAMETER')
    const state = faults.refundsWait ? 'waiting' : 'done'
    const reason = textIn(content, 'refund_reason')
    const made = inStore(() =>
      store.refund(trade, { refundNo, fee, state, reason, notifyUrl: trade.notifyUrl }),
    )
    const isGiven = made.isNew && state === 'done'
    if (isGiven) notify(made.trade, made.refund)
    return {
      trade_no: trade.providerNo,
      out_trade_no: trade.tradeNo,
      buyer_logon_id: '159****5620',
      fund_change: isGiven ? 'Y' : 'N',
      // All that was given back of the trade, not this refund.
      refund_fee: yuanOf(givenBack(made.trade)),
    }
  }

  #queryRefund(content: Content): Content {
    const trade = this.#find(content)
    const refundNo = textIn(content, 'out_request_no')
    const it = trade.refunds.find((each) => each.refundNo === refundNo)
    if (!refundNo) throw refused('ACQ.INVALID_PARAMETER')
    if (!it) return {}
    const options = content.query_options
    const isTimeAsked = Array.isArray(options) && options.includes('gmt_refund_pay')
    return {
      trade_no: trade.providerNo,
      out_trade_no: trade.tradeNo,
      out_request_no: refundNo,
      total_amount: yuanOf(trade.fee),
      refund_amount: yuanOf(it.fee),
      refund_status: REFUND_STATES[it.state],
      ...(isTimeAsked && it.at !== null && { gmt_refund_pay: beijingTime(it.at) }),
    }
  }
}

const keyOf = (tradeNo: string) => ({ way: 'alipay', tradeNo }) as const

const REFUND_STATES: Readonly<Record<Refund['state'], string>> = {
  waiting: 'REFUND_PROCESSING',
  done: 'REFUND_SUCCESS',
  closed: 'REFUND_FAIL',
  failed: 'REFUND_FAIL',
}

/** What a signed order asks for. @throws AlipayRefused */
function readOrder({ method, params, content }: AlipayCall) {
  const tradeNo = textIn(content, 'out_trade_no')
  const subject = textIn(content, 'subject')
  const fee = fenOf(textIn(content, 'total_amount'))
  const until = textIn(content, 'time_expire')
  const expiresAt = until === '' ? clock.now() + LIVES_MS : fromBeijingTime(until)
  const product = textIn(content, 'product_code')
  // Only a code needs not say which product it is of.
  const signs = method === 'alipay.trade.app.pay' && content.agreement_sign_params !== undefined
  const isProduct =
    product === (signs ? 'CYCLE_PAY_AUTH' : PRODUCTS[method]) ||
    (product === '' && method === 'alipay.trade.precreate')
  const isRight =
    /^\w{1,64}$/.test(tradeNo) && fee !== null && fee > 0 && fee <= 10_000_000_000 && expiresAt !== null
  const areWords = subject !== '' && subject.length <= WORDS_MAX && !/[/=&]/.test(subject)
  if (!isProduct || !isRight || !areWords || !/^https?:\/\//.test(params.notify_url ?? ''))
    throw refused('ACQ.INVALID_PARAMETER')
  if (method === 'alipay.trade.wap.pay' && textIn(content, 'quit_url') === '')
    throw refused('ACQ.INVALID_PARAMETER')
  return { tradeNo, subject, fee, expiresAt }
}

/** What of a trade was given back. */
export const givenBack = ({ refunds }: Trade): Fen =>
  refunds.reduce((sum, { state, fee }) => (state === 'done' ? sum + fee : sum), 0)

export function statusOf(trade: Trade): string {
  if (trade.state === 'closed' || isExpired(trade)) return 'TRADE_CLOSED'
  if (trade.state === 'waiting' || trade.paidAt === null) return 'WAIT_BUYER_PAY'
  if (givenBack(trade) === trade.fee) return 'TRADE_CLOSED'
  return clock.now() - trade.paidAt > REFUNDS_FOR_MS ? 'TRADE_FINISHED' : 'TRADE_SUCCESS'
}

/** The amounts besides the trade's own are zero in the answers for trades of the web and of apps. */
const bodyOf = (trade: Trade): Content => ({
  buyer_logon_id: '159****5620',
  buyer_user_id: '2088102000000001',
  buyer_user_type: 'PRIVATE',
  buyer_pay_amount: '0.00',
  invoice_amount: '0.00',
  point_amount: '0.00',
  receipt_amount: '0.00',
  out_trade_no: trade.tradeNo,
  trade_no: trade.providerNo,
  total_amount: yuanOf(trade.fee),
  ...(trade.paidAt !== null && { send_pay_date: beijingTime(trade.paidAt) }),
  trade_status: statusOf(trade),
})

function inStore<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof StoreRefused) throw refused(REFUSALS[error.code])
    throw error
  }
}
