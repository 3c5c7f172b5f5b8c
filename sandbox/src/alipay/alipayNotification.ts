/** What Alipay tells the server: a form of which all but `sign` and `sign_type` is signed. */

import { clock } from '@guildhall/server/kit/clock.ts'
import { beijingTime } from '@guildhall/wire/beijing.ts'
import { yuanOf } from '@guildhall/wire/money.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { ContractNotification, PaymentNotification, SandboxMessage } from '../dialogue.ts'
import type { Keys } from '../keys.ts'
import type { Tamper } from '../tradeStore.ts'
import { signedText, signText } from './alipayCall.ts'
import { agreementParams } from './alipayContracts.ts'
import { givenBack, statusOf } from './alipayTrades.ts'

type Params = Readonly<Record<string, string>>

/** Writes a message, or one that is forged as it is told. */
export const writeAlipayNotification = (notification: PaymentNotification, keys: Keys): SandboxMessage =>
  written(notification.tamper, paramsOf(notification), keys)

/** The message that an agreement was signed, or ended. */
export const writeAgreementMessage = (
  { id, contract, says, tamper }: ContractNotification,
  keys: Keys,
): SandboxMessage =>
  written(
    tamper,
    {
      notify_id: id,
      notify_time: beijingTime(clock.now()),
      charset: 'utf-8',
      version: '1.0',
      ...agreementParams({ ...contract, app: tamper.app ?? contract.app }, says),
    },
    keys,
  )

function written(tamper: Tamper, params: Params, keys: Keys): SandboxMessage {
  const form = new URLSearchParams(
    tamper.probe ? signedBy(params, keys.stranger.privateKey) : forged(tamper, params, keys),
  )
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  return { headers, body: form.toString() }
}

const signedBy = (params: Params, privateKey: string, type: 'RSA' | 'RSA2' = 'RSA2'): Params => ({
  ...params,
  sign: signText(signedText(params), privateKey, type === 'RSA2' ? 'RSA-SHA256' : 'RSA-SHA1'),
  sign_type: type,
})

function forged(tamper: Tamper, params: Params, keys: Keys): Params {
  const { privateKey } = keys.alipay.alipay
  const genuine = signedBy(params, privateKey)
  if (tamper.forge === undefined) return genuine
  switch (tamper.forge) {
    case 'unsigned':
      return params
    case 'signature':
      return signedBy(params, keys.stranger.privateKey)
    // What Alipay does not have is forged in another way.
    case 'serial':
      return signedBy(params, keys.stranger.privateKey, 'RSA')
    case 'secret':
      return signedBy(params, keys.alipay.application.privateKey)
    case 'body':
      return { ...genuine, total_amount: yuanOf(1) }
    case 'stale': {
      // Old messages of Alipay are as good as new ones: this one has the date of a new one.
      const old = { ...params, notify_time: beijingTime(clock.now() - 10 * MINUTE_MS) }
      return { ...signedBy(old, privateKey), notify_time: params.notify_time ?? '' }
    }
  }
}

function paramsOf({ id, trade, refund, tamper }: PaymentNotification): Params {
  const fee = tamper.fee ?? trade.fee
  // A forged message tells of a payment that nobody made.
  const paidAt = trade.paidAt ?? clock.now()
  const status = trade.state === 'paid' ? statusOf(trade) : 'TRADE_SUCCESS'
  const isBefore = refund === null && status === 'TRADE_CLOSED'
  return {
    notify_id: id,
    notify_type: 'trade_status_sync',
    notify_time: beijingTime(clock.now()),
    charset: 'utf-8',
    version: '1.0',
    app_id: tamper.app ?? trade.app,
    auth_app_id: tamper.app ?? trade.app,
    out_trade_no: trade.tradeNo,
    trade_no: trade.providerNo || `sandbox${trade.tradeNo}`,
    seller_id: tamper.merchant ?? trade.merchant,
    buyer_id: '2088102000000001',
    subject: trade.subject,
    gmt_create: beijingTime(trade.madeAt),
    gmt_payment: beijingTime(paidAt),
    total_amount: yuanOf(fee),
    receipt_amount: yuanOf(fee),
    buyer_pay_amount: yuanOf(fee),
    point_amount: '0.00',
    buyer_logon_id: '159****5620',
    invoice_amount: yuanOf(fee),
    fund_bill_list: JSON.stringify([{ amount: yuanOf(fee), fundChannel: 'ALIPAYACCOUNT' }]),
    // A message about the payment says what was then, however late it is.
    trade_status: isBefore ? 'TRADE_SUCCESS' : status,
    ...(tamper.currency !== undefined && { trans_currency: tamper.currency }),
    ...(refund !== null && {
      refund_fee: yuanOf(givenBack(trade)),
      out_biz_no: refund.refundNo,
      gmt_refund: `${beijingTime(refund.at ?? clock.now())}.000`,
    }),
  }
}
