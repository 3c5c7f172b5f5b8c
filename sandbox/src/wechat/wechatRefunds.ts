/** WeChat Pay's calls about refunds. */
import { z } from '@guildhall/wire/schema.ts'
import type { DialogueDeps, SandboxAnswer, SandboxRequest } from '../dialogue.ts'
import { type Refund, StoreRefused, type Trade } from '../tradeStore.ts'
import { answerJson, readContent, timeText, WechatRefused } from './wechatCall.ts'

const number = z.string().check(z.minLength(1), z.maxLength(32))
const asked = z.strictObject({
  transaction_id: z.optional(number),
  out_trade_no: z.optional(number),
  out_refund_no: z.string().check(z.regex(/^[0-9a-zA-Z_\-|*@]{1,64}$/)),
  reason: z.optional(z.string().check(z.minLength(1), z.maxLength(80))),
  notify_url: z.optional(z.string().check(z.maxLength(256), z.regex(/^https?:\/\/[^?#]+$/))),
  amount: z.strictObject({
    refund: z.int().check(z.gte(1)),
    total: z.int().check(z.gte(1)),
    currency: z.literal('CNY'),
  }),
})

export const REFUND_STATES: Readonly<Record<Refund['state'], string>> = {
  waiting: 'PROCESSING',
  done: 'SUCCESS',
  closed: 'CLOSED',
  failed: 'ABNORMAL',
}

const amountOf = (trade: Trade, { fee }: Refund) => ({
  total: trade.fee,
  refund: fee,
  payer_total: trade.fee,
  payer_refund: fee,
})

function answerOf(trade: Trade, refund: Refund): SandboxAnswer {
  return answerJson(200, {
    refund_id: refund.providerRefundNo,
    out_refund_no: refund.refundNo,
    transaction_id: trade.providerNo,
    out_trade_no: trade.tradeNo,
    channel: 'ORIGINAL',
    user_received_account: '支付用户零钱',
    create_time: timeText(refund.madeAt),
    ...(refund.at !== null && { success_time: timeText(refund.at) }),
    status: REFUND_STATES[refund.state],
    funds_account: 'AVAILABLE',
    promotion_detail: [],
    amount: {
      ...amountOf(trade, refund),
      from: [],
      currency: 'CNY',
      discount_refund: 0,
      settlement_refund: refund.fee,
      settlement_total: trade.fee,
    },
  })
}

/** A refund, as WeChat's messages show it. */
export const refundResourceOf = (trade: Trade, refund: Refund): Record<string, unknown> => ({
  mchid: trade.merchant,
  out_trade_no: trade.tradeNo,
  transaction_id: trade.providerNo,
  out_refund_no: refund.refundNo,
  refund_id: refund.providerRefundNo,
  refund_status: REFUND_STATES[refund.state],
  user_received_account: '支付用户零钱',
  ...(refund.at !== null && { success_time: timeText(refund.at) }),
  amount: amountOf(trade, refund),
})

export class WechatRefunds {
  readonly #deps: DialogueDeps

  constructor(deps: DialogueDeps) {
    this.#deps = deps
  }

  /** @throws WechatRefused */
  make(request: SandboxRequest): SandboxAnswer {
    const it = readContent(asked, request)
    const { store, faults, notify } = this.#deps
    const trade = this.#tradeOf(it)
    const other = this.#find(it.out_refund_no)
    if (other && other.trade.tradeNo !== trade.tradeNo)
      throw new WechatRefused(400, 'INVALID_REQUEST', '商户退款单号重复')
    try {
      const made = store.refund(trade, {
        refundNo: it.out_refund_no,
        fee: it.amount.refund,
        reason: it.reason ?? '',
        notifyUrl: it.notify_url ?? '',
        state: faults.refundsWait ? 'waiting' : 'done',
      })
      if (!made.isNew || made.refund.state === 'waiting') return answerOf(made.trade, made.refund)
      notify(made.trade, made.refund)
      // WeChat answers before the money is given back.
      return answerOf(made.trade, { ...made.refund, state: 'waiting', at: null })
    } catch (error) {
      if (error instanceof StoreRefused) throw refusalOf(error)
      throw error
    }
  }

  /** @throws WechatRefused */
  query(refundNo: string): SandboxAnswer {
    const found = this.#find(refundNo)
    if (!found) throw new WechatRefused(404, 'RESOURCE_NOT_EXISTS', '退款单不存在')
    return answerOf(found.trade, found.refund)
  }

  #find(refundNo: string): { readonly trade: Trade; readonly refund: Refund } | null {
    for (const trade of this.#deps.store.all()) {
      const refund = trade.way === 'wechat' && trade.refunds.find((it) => it.refundNo === refundNo)
      if (refund) return { trade, refund }
    }
    return null
  }

  #tradeOf({ transaction_id, out_trade_no, amount }: z.output<typeof asked>): Trade {
    const { store } = this.#deps
    const trade =
      transaction_id === undefined
        ? store.find({ way: 'wechat', tradeNo: out_trade_no ?? '' })
        : store.byProviderNo('wechat', transaction_id)
    if (!trade) throw new WechatRefused(404, 'RESOURCE_NOT_EXISTS', '订单不存在')
    if (out_trade_no !== undefined && out_trade_no !== trade.tradeNo)
      throw new WechatRefused(400, 'PARAM_ERROR', '微信订单号与商户订单号不一致')
    if (amount.total !== trade.fee)
      throw new WechatRefused(400, 'INVALID_REQUEST', '订单金额或退款金额与之前请求不一致，请核实后再试')
    return trade
  }
}

function refusalOf({ code }: StoreRefused): WechatRefused {
  if (code === 'other')
    return new WechatRefused(400, 'INVALID_REQUEST', '订单金额或退款金额与之前请求不一致，请核实后再试')
  if (code === 'too_much') return new WechatRefused(403, 'NOT_ENOUGH', '申请退款金额大于可退金额')
  return new WechatRefused(400, 'INVALID_REQUEST', '订单状态错误')
}
