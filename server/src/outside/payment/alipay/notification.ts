/**
 * Alipay's asynchronous notifications ("异步通知"): a form of which all parameters but `sign` and `sign_type` are
 * signed.
 */

import { fromBeijingTime } from '@guildhall/wire/beijing.ts'
import { readFen } from '@guildhall/wire/money.ts'
import { BadNotification, type Notification } from '../payProvider.ts'
import { agreementMessage } from './contracts.ts'
import type { AlipayGateway } from './gateway.ts'

/** The longest that is read, bytes; real ones have about 1500. */
const BODY_MAX = 64 * 1024
const CHARSETS = /^(?:utf-8|gbk|gb2312|gb18030)$/i
const PAID = new Set(['TRADE_SUCCESS', 'TRADE_FINISHED'])
const STATUSES = new Set([...PAID, 'TRADE_CLOSED', 'WAIT_BUYER_PAY'])

type Form = ReadonlyMap<string, string>

/**
 * Reads what somebody sent. How old it is says nothing: Alipay repeats a message for a day, and one that is
 * read twice says the same.
 * @throws BadNotification
 */
export function readAlipayNotification(body: Buffer, isGenuine: AlipayGateway['isGenuine']): Notification {
  const form = formOf(body)
  const signature = form.get('sign')
  if (signature === undefined) throw new BadNotification('signature', 'it is not signed')
  // The type is not signed: a weaker one would be the sender's choice.
  if (form.get('sign_type') !== 'RSA2')
    throw new BadNotification('signature', 'it is signed in another way than RSA2')
  if (!isGenuine(signedTextOf(form), signature))
    throw new BadNotification('signature', 'the signature is not Alipay’s')
  return notificationOf(inCharset(form))
}

/**
 * The parameters: of each value the bytes, each of them a letter. Bytes are what is signed. @throws
 * BadNotification
 */
function formOf(body: Buffer): Form {
  const text = body.toString('latin1')
  if (body.length > BODY_MAX || !/^[!-~]+$/.test(text)) throw new BadNotification('form', 'it is no form')
  const form = new Map<string, string>()
  for (const pair of text.split('&')) {
    const [, name, encoded] = /^(\w+)=(.*)$/.exec(pair) ?? []
    if (name === undefined || encoded === undefined) throw new BadNotification('form', 'it is no form')
    if (form.has(name)) throw new BadNotification('form', 'a parameter is there twice')
    const value = decoded(encoded)
    // The signed text joins parameters by `&`: one that contains another one would be signed as both.
    if (value === null || /&\w+=/.test(value)) throw new BadNotification('form', 'a parameter has no value')
    form.set(name, value)
  }
  return form
}

const decoded = (encoded: string): string | null =>
  /%(?![0-9A-Fa-f]{2})/.test(encoded)
    ? null
    : encoded
        .replaceAll('+', ' ')
        .replace(/%(..)/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)))

/**
 * The parameters as words: Alipay writes in GBK now and then, also when it was asked in UTF-8. @throws
 * BadNotification
 */
function inCharset(form: Form): Form {
  const charset = form.get('charset') || 'utf-8'
  if (!CHARSETS.test(charset)) throw new BadNotification('form', 'it is of another charset')
  const decoder = new TextDecoder(charset)
  return new Map([...form].map(([name, value]) => [name, decoder.decode(Buffer.from(value, 'latin1'))]))
}

const signedTextOf = (form: Form): string =>
  [...form]
    .filter(([name]) => name !== 'sign' && name !== 'sign_type')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

/** What a genuine message says. @throws BadNotification */
function notificationOf(form: Form): Notification {
  const id = need(form, 'notify_id')
  if (form.get('notify_type') !== 'trade_status_sync')
    return agreementMessage(id, form) ?? { kind: 'other', id }
  const status = need(form, 'trade_status')
  if (!STATUSES.has(status)) return { kind: 'other', id }
  const tradeNo = need(form, 'out_trade_no')
  // A trade that was closed without a payment says `0.00`.
  if (form.get('gmt_refund') || amount(form.get('refund_fee') || '0.00') > 0) {
    const refundNo = form.get('out_biz_no')
    if (!refundNo) return { kind: 'other', id }
    // `refund_fee` is the sum of all refunds of the trade: how much this one gave back is to be asked.
    return { kind: 'refund', id, tradeNo, refundNo, answer: { state: 'waiting' } }
  }
  if (!PAID.has(status)) return { kind: 'other', id }
  const paidAt = fromBeijingTime(need(form, 'gmt_payment'))
  if (paidAt === null) throw new BadNotification('form', 'the time of the payment is none')
  const fact = {
    tradeNo,
    paidAt,
    providerNo: need(form, 'trade_no'),
    merchant: need(form, 'seller_id'),
    app: need(form, 'app_id'),
    fee: amount(need(form, 'total_amount')),
    currency: form.get('trans_currency') || 'CNY',
  }
  return { kind: 'paid', id, fact }
}

function need(form: Form, name: string): string {
  const value = form.get(name)
  if (!value) throw new BadNotification('form', `${name} is missing`)
  return value
}

function amount(yuan: string): number {
  const fen = readFen(yuan)
  if (fen === null || fen < 0) throw new BadNotification('form', 'an amount is none')
  return fen
}
